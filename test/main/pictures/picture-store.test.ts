import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PictureDecoder } from '#main/pictures/picture-decoder.ts';
import { PictureStore } from '#main/pictures/picture-store.ts';

const BYTES = Buffer.from('89504e470d0a1a0a01', 'hex');
const signal = new AbortController().signal;

function openStore() {
  const dir = mkdtempSync(path.join(tmpdir(), 'pictures-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const picture = { data: BYTES, mimeType: 'image/png', width: 8, height: 8 };
  const decoder = { decode: async () => picture } as unknown as PictureDecoder;
  return { dir, store: new PictureStore(dir, decoder) };
}

test('a picture is that of its task, as it was kept, or none', async () => {
  const { dir, store } = openStore();
  const size = { width: 8, height: 8 };
  const picture = await store.add('task-1', { name: 'a.png', bytes: BYTES });
  const load = (task: string) => store.load(task, picture, { size, signal });
  expect(await load('task-1')).toEqual({
    ...{ mimeType: 'image/png', data: BYTES.toString('base64') },
  });
  expect(await load('task-2')).toBeNull();
  writeFileSync(path.join(dir, 'task-1', picture.sha256), 'something else');
  expect(await load('task-1')).toBeNull();
});

test('a copy of a task has its whole pictures, not those that are being written', async () => {
  const { dir, store } = openStore();
  const { sha256 } = await store.add('task-1', { name: 'a.png', bytes: BYTES });
  writeFileSync(path.join(dir, 'task-1', `${sha256}.0000.part`), 'half');
  await store.copyTask('task-1', 'task-2');
  expect(readdirSync(path.join(dir, 'task-2'))).toEqual([sha256]);
});
