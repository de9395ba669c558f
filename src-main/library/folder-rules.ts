import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';

/** A folder as it was attached, and its real path. */
export interface CheckedFolder {
  readonly path: string;
  readonly real: string;
}

/** The absolute path of a folder that the user typed; `~/` is the home folder. Throws `BAD_REQUEST`. */
export function folderPath(text: string): string {
  const typed = text.trim();
  const whole = typed === '~' || /^~[\\/]/.test(typed) ? homedir() + typed.slice(1) : typed;
  if (!path.isAbsolute(whole) || whole.includes('\0')) {
    throw refused(
      `"${typed}" is not an absolute path. Enter the full path, such as /home/me/notes.`,
    );
  }
  return path.resolve(whole);
}

/**
 * Checks whether a folder can be in the library. Throws `BAD_REQUEST` for a folder that must not be (a
 * whole disk, the app's own data), `LIBRARY_UNREADABLE` if it is missing, not a folder or not readable.
 */
export async function checkFolder(folder: string, dataDir: string): Promise<CheckedFolder> {
  const real = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(folder, error.code === 'ENOENT' ? 'there is no such folder' : reason(error));
  });
  if (path.parse(real).root === real) {
    throw refused('A whole disk is too large for the library. Choose the folders that you need.');
  }
  const data = await realpath(dataDir).catch(() => path.resolve(dataDir));
  if (isWithin(real, data)) {
    throw refused(`${folder} is part of this app's own data. Choose another folder.`);
  }
  const facts = await stat(real).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(folder, reason(error));
  });
  if (!facts.isDirectory()) throw unreadable(folder, 'it is a file, not a folder');
  await readdir(real).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(folder, reason(error));
  });
  return { path: folder, real };
}

/** Whether `inner` is `outer` or below it. Both are real paths. */
export function isWithin(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return (
    relative === '' ||
    (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}

function reason(error: NodeJS.ErrnoException): string {
  if (error.code === 'EACCES' || error.code === 'EPERM') return 'the app has no permission for it';
  if (error.code === 'ENOTDIR') return 'a part of its path is not a folder';
  return error.code ?? error.message;
}

function refused(message: string): AppError {
  return new AppError('BAD_REQUEST', message);
}

function unreadable(folder: string, why: string): AppError {
  return new AppError('LIBRARY_UNREADABLE', `${folder} cannot be read: ${why}.`, {
    details: { folder },
  });
}
