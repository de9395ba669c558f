import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { WriteBytes } from '../base/zip-writer.ts';

/**
 * Writes a file that the user asked for, piece by piece: it is complete, or what was there stays. Only the user may read
 * it. Throws `DISK_FULL`, `BAD_REQUEST` for an unusable path, and what `make` throws.
 */
export async function writeWholeFile<Result>(
  file: string,
  make: (write: WriteBytes) => Promise<Result>,
): Promise<Result> {
  const partFile = `${resolve(file)}.${randomBytes(4).toString('hex')}.part`;
  try {
    const handle = await open(partFile, 'wx', 0o600);
    try {
      const made = await make((bytes) => handle.writeFile(bytes));
      await handle.sync();
      await handle.close();
      await rename(partFile, file);
      return made;
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(partFile, { force: true });
    throw toFileError(error, file);
  }
}

function toFileError(error: unknown, file: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (error instanceof AppError || code === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError(
      'DISK_FULL',
      `There is no space left for ${file}. Free some space, or save it on another disk.`,
      { details: { file }, cause: error },
    );
  }
  return new AppError(
    'BAD_REQUEST',
    `Nothing can be written to ${file} (${code}). Name a file in a folder that exists and that you may write: ${dirname(resolve(file))} is not one.`,
    { details: { file }, cause: error },
  );
}
