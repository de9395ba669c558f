import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { modelBytes, sha256Of, startModelFileServer } from '../fakes/model-files.ts';
import { startModelServer } from '../fakes/model-server/server.ts';
import { ensureBuilt, runTerminal, type TerminalResult } from '../setup/built-app.ts';

/** `hyperagent setup` of the built app, without a terminal. */

let dir: string;

beforeAll(ensureBuilt);
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-setup-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const NOBODY = 'http://127.0.0.1:9';
/** No packages are to be had, which npm finds out at once. */
const NO_PACKAGES = { npm_config_registry: NOBODY, npm_config_fetch_retries: '0' };
const setup = (
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<TerminalResult> =>
  runTerminal(['setup', '--data-dir', join(dir, 'data'), ...args], {
    env: { HOME: dir, XDG_CACHE_HOME: join(dir, 'cache'), OLLAMA_HOST: NOBODY, ...env },
  });

it('says in one line that there is no terminal to ask at', async () => {
  const { code, stdout, stderr } = await setup([]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^hyperagent: Setup asks .*--yes.*--model.*\n$/);
});

it('takes the model of a server, and keeps it the next time', async () => {
  await using server = await startModelServer({
    models: [{ name: 'qwen3:8b', capabilities: ['completion', 'tools'] }],
    turns: [],
  });
  const first = await setup(['--yes', '--json'], { OLLAMA_HOST: server.url });
  expect(first.stderr).toContain('qwen3:8b (Ollama)');
  const { verdict } = JSON.parse(first.stdout) as { verdict: { ready: boolean; text: string } };
  expect(first.code).toBe(verdict.ready ? 0 : 1);
  expect(verdict.text).not.toContain('no model');

  const second = await setup(['--yes', '--level', 'ask_every_time'], { OLLAMA_HOST: server.url });
  expect(second.stderr).not.toContain('qwen3:8b (Ollama)');
  expect(second.stdout.split('\n')[0]).toBe(verdict.text);
});

it('takes a file that another program has, without a download', async () => {
  const store = join(dir, '.lmstudio/models/pub/repo');
  mkdirSync(store, { recursive: true });
  writeFileSync(join(store, 'mine.gguf'), 'GGUF and more');
  const { stderr, stdout, code } = await setup(['--yes'], NO_PACKAGES);
  expect(stderr).toContain('mine (a file of LM Studio, 0.0 GB)');
  // Where the runtime is not installed, that it could not be is said.
  expect(stdout).toMatch(/^(?:Not r|R)eady: .*\n$/);
  expect(code).toBe(stdout.startsWith('Ready') ? 0 : 1);
});

it('downloads a file by its address, and nothing with a wrong hash', async () => {
  const body = modelBytes(100_000);
  await using server = await startModelFileServer(body);
  const wrong = await setup(['--download', server.url, '--sha256', '0'.repeat(64)], NO_PACKAGES);
  expect([wrong.code, existsSync(join(dir, 'data/models/model.gguf'))]).toEqual([1, false]);
  expect(wrong.stderr).toContain('is not the expected file');

  const { stderr } = await setup(
    ['--download', server.url, '--sha256', sha256Of(body)],
    NO_PACKAGES,
  );
  expect(stderr).toContain('Licence: unknown');
  expect(stderr).toContain(`model.gguf is ready (SHA-256 ${sha256Of(body)}).`);
  expect(existsSync(join(dir, 'data/models/model.gguf'))).toBe(true);
});
