import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/requests.ts';
import { AttachmentStore, checkAttachable } from '#main/services/files/attachment-store.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'attachments-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: { code: string }) => error.code,
  );

it('gives back the bytes that were attached, until they are removed', async () => {
  const store = new AttachmentStore(dir);
  const { attachmentId, name, size } = await store.add('sales.csv', Buffer.from('a,b\n1,2\n'));
  const found = await store.find(attachmentId);
  expect({ name, size, found: found.name, text: await readFile(found.file, 'utf8') }).toEqual({
    name: 'sales.csv',
    size: 8,
    found: 'sales.csv',
    text: 'a,b\n1,2\n',
  });
  await store.remove([attachmentId]);
  expect(await codeOf(store.find(attachmentId))).toBe('NOT_FOUND');
});

it.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\a.txt', 'a.txt'],
  ['..', 'file'],
  ['', 'file'],
  ['in\nvis\u202egnp.exe', 'invisgnp.exe'],
  [`${'x'.repeat(300)}.csv`, `${'x'.repeat(100)}.csv`],
  ['销售 2026.csv', '销售 2026.csv'],
])('stores %j under a plain name', async (given, expected) => {
  const store = new AttachmentStore(dir);
  const { attachmentId, name } = await store.add(given, Buffer.from('x'));
  expect([name, path.dirname((await store.find(attachmentId)).file)]).toEqual([
    expected,
    path.join(dir, attachmentId),
  ]);
});

it('does not take an id for a path', async () => {
  const store = new AttachmentStore(path.join(dir, 'inside'));
  await writeFile(path.join(dir, 'secret'), 'x');
  expect(await codeOf(store.find('..'))).toBe('NOT_FOUND');
});

it('refuses what is too large before it is read, and says the limit', async () => {
  const file = path.join(dir, 'large.bin');
  await writeFile(file, '');
  await truncate(file, ATTACHMENT_LIMIT_BYTES + 1);
  await expect(checkAttachable(file)).rejects.toMatchObject({
    code: 'ATTACHMENT_TOO_LARGE',
    message: expect.stringContaining('25 MB at most'),
  });
  await truncate(file, ATTACHMENT_LIMIT_BYTES);
  await checkAttachable(file);
});

it.each([['missing.csv'], ['.']])('refuses to attach %j', async (name) => {
  expect(await codeOf(checkAttachable(path.join(dir, name)))).toBe('ATTACHMENT_UNREADABLE');
});
