import { statfsSync } from 'node:fs';
import { SqliteError } from 'better-sqlite3';
import { AppError } from '#contract/errors.ts';

/** What SQLite needs to grow the shared memory of its log. */
const LEAST_BYTES = 64 * 1024;
/** Chains of causes are not longer; one that goes in a circle would be. */
const DEEPEST = 10;

/**
 * The one place where failures of the disk and of SQLite become typed errors. What is neither (a
 * broken constraint, a bug) is given back as it is and ends as `INTERNAL`.
 */
export function toStorageError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof SqliteError)) return error;
  const { code } = error;
  if (code === 'SQLITE_FULL') return diskFull(error, dataDir);
  if (code.startsWith('SQLITE_IOERR')) {
    // Growing the shared-memory file of the WAL on a full disk is reported as an I/O error.
    return hasNoSpace(dataDir) ? diskFull(error, dataDir) : storageFailed(error, dataDir);
  }
  const isUnreadable =
    code === 'SQLITE_ERROR' && /^(unsupported file format|malformed)/.test(error.message);
  if (isUnreadable || code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return databaseCorrupt(error.message, dataDir, error);
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return unusable(error, dataDir);
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL|NOLFS|NOMEM)/.test(code)) return storageFailed(error, dataDir);
  return error;
}

/** The typed error of a file operation inside `path`. */
export function toFileError(error: unknown, path: string): unknown {
  if (error instanceof AppError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(error, path);
  if (code === 'EIO') return storageFailed(error, path);
  return unusable(error, path);
}

/** The full disk behind an error, whatever its own code says; null where it is something else. */
export function diskFullBehind(error: unknown): AppError | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < DEEPEST; depth += 1) {
    if (cause instanceof AppError && cause.code === 'DISK_FULL') return cause;
    const { code, path } = cause as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(error, path ?? 'the data');
    cause = cause.cause;
  }
  return null;
}

/** Whether files can still be made and grow below `dir`, as far as the file system says. */
export function hasNoSpace(dir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize < LEAST_BYTES;
  } catch {
    // The disk is gone altogether: an I/O error, not a full disk.
    return false;
  }
}

export function databaseCorrupt(finding: string, dataDir: string, cause?: unknown): AppError {
  return new AppError(
    'DATABASE_CORRUPT',
    `The database in ${dataDir} is damaged (${finding}). Close the app and run "hyperagent restore": it puts the last backup in its place, or begins with an empty one, after asking. The damaged file is kept; files in "workspaces" are not touched.`,
    { details: { dataDir, finding }, cause },
  );
}

function diskFull(cause: unknown, path: string): AppError {
  return new AppError(
    'DISK_FULL',
    `There is no space left on the disk of ${path}. Free some and try again; what was saved before is safe.`,
    { details: { path }, cause },
  );
}

function storageFailed(cause: unknown, path: string): AppError {
  return new AppError(
    'STORAGE_FAILED',
    `The disk refused to read or write in ${path} (${reasonOf(cause)}). Check the disk, then try again; what was saved before is safe.`,
    { details: { path }, cause },
  );
}

function unusable(cause: unknown, path: string): AppError {
  return new AppError(
    'DATA_DIR_UNUSABLE',
    `The folder ${path} cannot be used (${reasonOf(cause)}). Make it a folder that you may read and write, or name another one.`,
    { details: { path }, cause },
  );
}

function reasonOf(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  return code ?? (cause instanceof Error ? cause.message : String(cause));
}
