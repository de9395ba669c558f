import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findModels, type ModelStore, modelStores } from '#main/models/files/found-models.ts';

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'hyperagent-stores-')));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, content: string | object = 'GGUF and more'): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const stores = (): ModelStore[] =>
  modelStores(join(home, 'app'), { HOME: home }).filter(({ root }) => root.startsWith(home));
const shown = async (): Promise<string[]> =>
  (await findModels(stores())).map(({ store, name }) => `${store}: ${name}`);

const manifest = (digest: string, mediaType = 'application/vnd.ollama.image.model') => ({
  schemaVersion: 2,
  layers: [
    { mediaType: 'application/vnd.ollama.image.template', digest: `sha256:${'e'.repeat(64)}` },
    { mediaType, digest: `sha256:${digest}`, size: 1 },
  ],
});
const A = 'a'.repeat(64);

it('finds models of every program once, with the name that its user knows', async () => {
  put('app/mine.gguf');
  const blob = put(`.ollama/models/blobs/sha256-${A}`);
  put('.ollama/models/manifests/registry.ollama.ai/library/qwen3/8b', manifest(A));
  put(`.ollama/models/blobs/sha256-${'b'.repeat(64)}`);
  put('.ollama/models/manifests/hf.co/owner/repo/Q4_K_M', manifest('b'.repeat(64)));
  put('.lmstudio/models/pub/repo/one-Q4.gguf');
  put('.cache/lm-studio/models/pub/repo/two-Q4.GGUF');
  const hub = '.cache/huggingface/hub/models--o--r';
  const hubBlob = put(`${hub}/blobs/${A}`);
  mkdirSync(join(home, hub, 'snapshots/rev1'), { recursive: true });
  symlinkSync(`../../blobs/${A}`, join(home, hub, 'snapshots/rev1/three.gguf'));
  if (process.platform === 'linux') put('.cache/llama.cpp/four.gguf');

  expect(await shown()).toEqual([
    'HyperAgent: mine',
    'Ollama: hf.co/owner/repo:Q4_K_M',
    'Ollama: qwen3:8b',
    'LM Studio: one-Q4',
    'LM Studio: two-Q4',
    'Hugging Face: three',
    ...(process.platform === 'linux' ? ['llama.cpp: four'] : []),
  ]);
  const found = await findModels(stores());
  expect(found.find(({ name }) => name === 'qwen3:8b')).toEqual({
    ...{ path: blob, name: 'qwen3:8b', store: 'Ollama', bytes: 13 },
  });
  expect(found.find(({ name }) => name === 'three')?.path).toBe(hubBlob);
});

it('offers nothing that is half, no model, a part of one, or outside the store', async () => {
  const secret = put('secret.gguf');
  put('app/half.gguf.part');
  put('app/page.gguf', '<html>');
  put('app/empty.gguf', '');
  put('app/big-00001-of-00002.gguf');
  put('app/mmproj-model.gguf');
  put('app/nomic-embed-text.gguf');
  symlinkSync(secret, join(home, 'app/link.gguf'));
  symlinkSync('/dev/zero', join(home, 'app/endless.gguf'));
  symlinkSync(home, join(home, 'app/folder'));
  mkdirSync(join(home, 'app/directory.gguf'));
  put(`.ollama/models/manifests/registry.ollama.ai/library/gone/latest`, manifest('d'.repeat(64)));
  put('.ollama/models/manifests/registry.ollama.ai/library/broken/latest', '{"layers":');
  put('.ollama/models/manifests/registry.ollama.ai/library/cloud/latest', { layers: [] });
  put('.ollama/models/manifests/too/short', manifest(A));
  put('.ollama/models/manifests/registry.ollama.ai/library/huge/latest', ' '.repeat(100_000));
  put('.ollama/models/manifests/registry.ollama.ai/library/escape/latest', {
    layers: [
      {
        mediaType: 'application/vnd.ollama.image.model',
        digest: 'sha256:../../../../secret.gguf',
      },
    ],
  });
  mkdirSync(join(home, '.ollama/models/blobs'), { recursive: true });
  put(
    '.ollama/models/manifests/registry.ollama.ai/library/linked/latest',
    manifest('c'.repeat(64)),
  );
  symlinkSync(secret, join(home, `.ollama/models/blobs/sha256-${'c'.repeat(64)}`));

  expect(await shown()).toEqual([]);
});

it('shows hostile names as harmless text', async () => {
  put('app/\u001b[31mred\u202e<b>.gguf');
  expect(await shown()).toEqual(['HyperAgent: --31mred--b-']);
});

it('looks at a bounded part of a store', async () => {
  for (let index = 0; index < 130; index += 1) put(`app/model-${index}.gguf`);
  expect(await shown()).toHaveLength(100);
});

it.skipIf(process.platform === 'win32')(
  'waits for no pipe that is in the place of a manifest',
  async () => {
    const blob = put(`.ollama/models/blobs/sha256-${A}`);
    const manifests = join(home, '.ollama/models/manifests/registry.ollama.ai/library/qwen3');
    put('.ollama/models/manifests/registry.ollama.ai/library/qwen3/8b', manifest(A));
    const pipe = join(home, '.ollama/models/pipe');
    execFileSync('mkfifo', [pipe]);
    symlinkSync(pipe, join(manifests, 'latest'));
    expect(await findModels(stores())).toMatchObject([{ path: blob, name: 'qwen3:8b' }]);
  },
);
