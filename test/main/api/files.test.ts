import { expect, it } from 'vitest';
import { type FileRequestParts, fileRequests } from '#main/api/files.ts';

const MB = 1024 * 1024;

it.each([
  ['notes.txt', 1],
  ['DATA.JSON', 5],
])('reads the beginning of %s: %d MB', async (path, megabytes) => {
  const size = 5 * MB + 1;
  const files = { read: async () => ({ data: Buffer.alloc(size, 'a'), size }) };
  const workspace = { ...files, withoutLinks: () => files };
  const parts = {
    threads: { get: () => ({ id: 't' }) },
    sandbox: { forTask: () => ({ workspace }) },
  } as unknown as FileRequestParts;
  const answer = await fileRequests(parts)['files.read']({ threadId: 't', path });
  expect({ length: answer.data.length, truncated: answer.truncated, size: answer.size }).toEqual({
    ...{ length: megabytes * MB, truncated: true, size },
  });
});
