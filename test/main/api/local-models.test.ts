import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelServer } from '#contract/entities.ts';
import type { PinnedModel } from '#contract/local-models.ts';
import { Settings } from '#contract/settings.ts';
import { localModelRequests } from '#main/api/local-models.ts';
import { systemClock } from '#main/base/clock.ts';
import { EmbeddedRuntime } from '#main/models/embedded/embedded-runtime.ts';
import { fakeCaller } from '../../fakes/app/fake-app.ts';
import { testEgress } from '../../fakes/egress.ts';
import { modelBytes, sha256Of, startModelFileServer } from '../../fakes/model-files.ts';

let home: string;
let settings: Settings;
let opened: ReturnType<typeof localModelRequests> | null;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'hyperagent-local-')));
  settings = Settings.parse({});
  opened = null;
});

afterEach(async () => {
  await opened?.[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

interface Options {
  readonly pinned?: PinnedModel[];
  readonly env?: NodeJS.ProcessEnv;
  readonly isOllamaUp?: () => boolean;
}

function open({ pinned = [], env = {}, isOllamaUp = () => false }: Options = {}) {
  const { egress } = testEgress({ settings: { current: settings } });
  const ollama = (): ModelServer => ({
    ...{ provider: 'ollama', label: 'Ollama', kind: 'ollama', baseUrl: '', models: [] },
    ...{ reachable: isOllamaUp(), problem: null },
  });
  opened = localModelRequests({
    ...{ folder: join(home, 'models'), root: home, pinned, egress, clock: systemClock },
    env: { HOME: home, PATH: '', ...env },
    memoryBytes: 16e9,
    models: { listServers: () => Promise.resolve([ollama()]) },
    settings: () => settings,
    changeSettings: (changes) => {
      settings = Settings.parse({ ...settings, ...changes });
      return settings;
    },
    broadcast: () => undefined,
    downloads: { pauseMs: 0 },
  });
  return opened.requests;
}

function put(path: string): string {
  const file = join(home, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'GGUF and more');
  return file;
}

describe('a model file', () => {
  it('that was downloaded is listed, and chosen where nothing was', async () => {
    const body = modelBytes(50_000);
    await using server = await startModelFileServer(body);
    const api = open();
    await api['localModels.download']({
      wanted: { reference: server.url, sha256: sha256Of(body) },
    });
    await expect.poll(() => settings.model).toEqual({ provider: 'embedded', name: 'model' });
    expect(settings.embeddedModels).toEqual([join(home, 'models', 'model.gguf')]);
    expect(await api['localModels.get']()).toMatchObject({
      found: [{ name: 'model', store: 'HyperAgent', bytes: 50_000 }],
      downloads: [{ status: 'completed', file: 'model.gguf' }],
    });
  });

  it('that was downloaded does not replace a choice', async () => {
    await using server = await startModelFileServer(modelBytes(50_000));
    settings = Settings.parse({ model: { provider: 'ollama', name: 'mine' } });
    const api = open();
    await api['localModels.download']({ wanted: { reference: server.url } });
    await expect.poll(() => settings.embeddedModels).toHaveLength(1);
    expect(settings.model).toEqual({ provider: 'ollama', name: 'mine' });
  });

  it('of another program is used where it is, by the name that it has there', async () => {
    const digest = `sha256-${'a'.repeat(64)}`;
    const blob = put(`.ollama/models/blobs/${digest}`);
    const manifest = put('.ollama/models/manifests/registry.ollama.ai/library/qwen3/8b');
    const mediaType = 'application/vnd.ollama.image.model';
    const layers = [{ mediaType, digest: digest.replace('-', ':') }];
    writeFileSync(manifest, JSON.stringify({ layers }));
    const api = open();
    const { model } = await api['localModels.use']({ path: blob });

    expect(model).toEqual({ provider: 'embedded', name: 'qwen3:8b' });
    expect(settings).toMatchObject({ model, embeddedModels: [blob] });
    await using runtime = new EmbeddedRuntime(home);
    const listed = await runtime.list(settings.embeddedModels, settings.embeddedNames);
    expect(listed.models.map(({ name }) => name)).toEqual(['qwen3:8b']);
  });

  it('gets a name of its own beside one of the same name, and keeps it', async () => {
    const first = put('.lmstudio/models/a/b/same.gguf');
    const second = put('.lmstudio/models/c/d/same.gguf');
    const api = open();
    const use = async (path: string): Promise<string> =>
      (await api['localModels.use']({ path })).model.name;
    expect([await use(first), await use(second), await use(second), await use(first)]).toEqual([
      'same',
      'same (2)',
      'same (2)',
      'same',
    ]);
  });

  it('that is named only by its ending gets a name', async () => {
    const path = put('.lmstudio/models/a/b/.gguf.gguf');
    const { model } = await open()['localModels.use']({ path });
    expect(model).toEqual({ provider: 'embedded', name: 'model' });
  });

  it('that no search finds is not used, whoever asks', async () => {
    const file = put('elsewhere/m.gguf');
    const using = open()['localModels.use']({ path: file });
    await expect(using).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(settings.embeddedModels).toEqual([]);
  });
});

it('offers what fits the memory and is not there yet', async () => {
  const offer = (id: string, memoryBytes: number): PinnedModel => ({
    ...{ id, label: id, file: `${id}.gguf`, url: `https://a.example/${id}.gguf` },
    ...{ sha256: 'a'.repeat(64), bytes: 1, licence: 'MIT', memoryBytes },
  });
  put('models/small.gguf');
  const api = open({ pinned: [offer('small', 1e9), offer('middle', 9e9), offer('large', 17e9)] });
  const { offers, memoryBytes } = await api['localModels.get']();
  expect([offers.map(({ id }) => id), memoryBytes]).toEqual([['middle'], 16e9]);
  await expect(api['localModels.download']({ wanted: { id: 'unknown' } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

describe('the runtime', () => {
  const script = (source: string): void => {
    mkdirSync(join(home, 'scripts'), { recursive: true });
    writeFileSync(join(home, 'scripts/embedded.ts'), source);
  };
  const INSTALLS = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    mkdirSync('.embedded/node_modules/node-llama-cpp', { recursive: true });
    writeFileSync('names.json', JSON.stringify(Object.keys(process.env)));`;

  it('is installed after a click, without the keys of the user', async () => {
    script(INSTALLS);
    for (const name of ['SOME_API_KEY', 'npm_config__auth']) vi.stubEnv(name, 'sk-0');
    const api = open();
    const state = async () => (await api['localModels.get']()).runtime;
    expect(await state()).toBe('installable');
    const installing = api['localModels.installRuntime']();
    expect(await state()).toBe('installing');
    const both = await Promise.all([installing, api['localModels.installRuntime']()]);
    vi.unstubAllEnvs();

    expect(both).toEqual([{ runtime: 'ready' }, { runtime: 'ready' }]);
    const names = JSON.parse(readFileSync(join(home, 'names.json'), 'utf8')) as string[];
    expect(names.includes('PATH')).toBe(true);
    expect(names.filter((name) => /SOME_API_KEY|_auth/.test(name))).toEqual([]);
  });

  it('that cannot be installed says why, and can be tried again', async () => {
    script("process.stderr.write('npm error network is down\\n'); process.exit(1);");
    const api = open();
    await expect(api['localModels.installRuntime']()).rejects.toMatchObject({
      code: 'MODEL_SERVER_UNREACHABLE',
      message: expect.stringMatching(/network is down.*npm run embedded/),
    });
    script(INSTALLS);
    await api['localModels.installRuntime']();
  });

  it('is not installed while the network is off, nor without the script', async () => {
    const without = open();
    expect((await without['localModels.get']()).runtime).toBe('missing');
    await expect(without['localModels.installRuntime']()).rejects.toMatchObject({
      code: 'MODEL_SERVER_UNREACHABLE',
    });
    script(INSTALLS);
    settings = Settings.parse({ egress: 'offline' });
    await expect(open()['localModels.installRuntime']()).rejects.toMatchObject({
      code: 'EGRESS_DENIED',
    });
    expect(existsSync(join(home, '.embedded'))).toBe(false);
  });
});

// A program with `#!` stands in for Ollama.
describe.skipIf(process.platform === 'win32')('Ollama that does not run', () => {
  const install = (source: string): NodeJS.ProcessEnv => {
    const file = join(home, 'bin/ollama');
    mkdirSync(join(home, 'bin'), { recursive: true });
    writeFileSync(file, `#!${process.execPath}\n${source}`);
    chmodSync(file, 0o755);
    return { PATH: join(home, 'bin') };
  };
  const SERVES = (log: string): string => `
    const { writeFileSync } = require('node:fs');
    const { OLLAMA_HOST, OLLAMA_MODELS } = process.env;
    const passed = Object.keys(process.env).filter((name) => /^SOME_|DATABASE_URL/.test(name));
    writeFileSync(${JSON.stringify(log)}, JSON.stringify({ OLLAMA_HOST, OLLAMA_MODELS, passed, pid: process.pid, args: process.argv.slice(2) }));
    setInterval(() => undefined, 1000);`;

  it('is started after a click, at its address, without the keys of the user', async () => {
    const log = join(home, 'started.json');
    const env = install(SERVES(log));
    settings = Settings.parse({ ollamaUrl: 'http://127.0.0.1:11999' });
    const api = open({ env, isOllamaUp: () => existsSync(log) });
    expect((await api['localModels.get']()).startable).toEqual([{ id: 'ollama', label: 'Ollama' }]);
    expect(existsSync(log)).toBe(false);
    for (const name of ['SOME_API_KEY', 'SOME_PAT', 'SOME_DATABASE_URL', 'OLLAMA_MODELS']) {
      vi.stubEnv(name, 'value');
    }
    await api['localModels.startServer']({ id: 'ollama' }, fakeCaller);
    vi.unstubAllEnvs();

    await expect.poll(() => readFileSync(log, 'utf8')).not.toBe('');
    const { pid, ...rest } = JSON.parse(readFileSync(log, 'utf8')) as { pid: number };
    process.kill(pid);
    expect(rest).toEqual({
      ...{ OLLAMA_HOST: '127.0.0.1:11999', OLLAMA_MODELS: 'value' },
      ...{ passed: [], args: ['serve'] },
    });
  });

  it('says why it could not be started', async () => {
    const api = open({ env: install('process.exit(3)') });
    await expect(
      api['localModels.startServer']({ id: 'ollama' }, fakeCaller),
    ).rejects.toMatchObject({
      code: 'MODEL_SERVER_UNREACHABLE',
      message: expect.stringContaining('exit code 3'),
    });
  });

  it('is not offered where it is not installed, or is set to another computer', async () => {
    expect((await open()['localModels.get']()).startable).toEqual([]);
    settings = Settings.parse({ ollamaUrl: 'http://nas.local:11434' });
    const api = open({ env: install('') });
    expect((await api['localModels.get']()).startable).toEqual([]);
    await expect(
      api['localModels.startServer']({ id: 'ollama' }, fakeCaller),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
