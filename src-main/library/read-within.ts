import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import { isWithin } from './folder-rules.ts';

/** Windows has no such flags, and no such files. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file below `root`, which is a real path. What was opened is asked where it lies, so a
 * folder that became a link after it was looked at leads nowhere. Throws `FILE_TOO_LARGE`,
 * `LIBRARY_UNREADABLE`, and what the system says.
 */
export async function readWithin(
  root: string,
  relative: string,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly size: number; readonly modifiedAt: number }> {
  const file = path.join(root, relative);
  const handle = await open(file, FLAGS);
  try {
    const facts = await handle.stat();
    if (!facts.isFile() || !isWithin(await realPlace(handle, file), root)) {
      throw new AppError('LIBRARY_UNREADABLE', 'It lies outside the folder.');
    }
    if (facts.size > maxBytes) {
      const megabytes = Math.round(maxBytes / 1024 / 1024);
      throw new AppError('FILE_TOO_LARGE', `It is larger than ${megabytes} MB.`);
    }
    // What is being written to may have grown: no more than was looked at is taken.
    const bytes = Buffer.alloc(facts.size);
    const { bytesRead } = await handle.read(bytes, 0, facts.size, 0);
    return {
      bytes: bytes.subarray(0, bytesRead),
      size: facts.size,
      modifiedAt: facts.mtimeMs,
    };
  } finally {
    await handle.close();
  }
}

async function realPlace(handle: FileHandle, file: string): Promise<string> {
  // The place of what is open, not of what has its name now.
  if (process.platform === 'linux') return await readlink(`/proc/self/fd/${handle.fd}`);
  return await realpath(file);
}
