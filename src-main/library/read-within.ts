import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import { isWithin } from './folder-rules.ts';

/** On Windows these flags do not exist, and neither do the files that they guard against. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file below `root`, which is a real path. Checks the location of the opened file itself,
 * so a folder that was replaced by a link after the scan does not lead outside. Throws
 * `FILE_TOO_LARGE`, `LIBRARY_UNREADABLE`, and errors of the system.
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
      throw new AppError('LIBRARY_UNREADABLE', 'It is outside the attached folder.');
    }
    if (facts.size > maxBytes) {
      const megabytes = Math.round(maxBytes / 1024 / 1024);
      throw new AppError('FILE_TOO_LARGE', `It is larger than ${megabytes} MB.`);
    }
    // The file may be growing: read no more than the size that was checked.
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
  // The location of the open file, not of a file that has taken its name since.
  if (process.platform === 'linux') return await readlink(`/proc/self/fd/${handle.fd}`);
  return await realpath(file);
}
