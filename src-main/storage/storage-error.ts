import { statfsSync } from 'node:fs';
import { SqliteError } from 'better-sqlite3';
import { AppError } from '#contract/errors.ts';

/** What SQLite needs to grow the shared-memory file of its log. */
const MIN_FREE_BYTES = 64 * 1024;
/** Ends the search in a cyclic chain of causes; real chains are shorter. */
const MAX_CAUSES = 10;

/**
 * The one place where disk and SQLite failures become typed errors. Anything else (a violated constraint, a
 * bug) is returned as it is and ends as `INTERNAL`.
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

/** The `DISK_FULL` error behind an error, whatever its own code; null if there is none. */
export function diskFullBehind(error: unknown): AppError | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth += 1) {
    if (cause instanceof AppError && cause.code === 'DISK_FULL') return cause;
    const { code, path } = cause as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(error, path ?? 'the data');
    cause = cause.cause;
  }
  return null;
}

/** Whether the file system of `dir` reports too little free space for files to grow. */
export function hasNoSpace(dir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize < MIN_FREE_BYTES;
  } catch {
    // The disk itself is gone: an I/O error, not a full disk.
    return false;
  }
}

export function databaseCorrupt(finding: string, dataDir: string, cause?: unknown): AppError {
  return new AppError(
    'DATABASE_CORRUPT',
    `The database in ${dataDir} is damaged (${finding}). Close the app and run "hyperagent restore": after asking, it restores the last backup, or starts with an empty database. The damaged file is kept; files in "workspaces" are not touched.`,
    { details: { dataDir, finding }, cause },
  );
}

function diskFull(cause: unknown, path: string): AppError {
  return new AppError(
    'DISK_FULL',
    `There is no space left on the disk of ${path}. Free some space and try again; everything saved so far is safe.`,
    { details: { path }, cause },
  );
}

function storageFailed(cause: unknown, path: string): AppError {
  return new AppError(
    'STORAGE_FAILED',
    `The disk failed to read or write in ${path} (${reasonOf(cause)}). Check the disk, then try again; everything saved so far is safe.`,
    { details: { path }, cause },
  );
}

function unusable(cause: unknown, path: string): AppError {
  return new AppError(
    'DATA_DIR_UNUSABLE',
    `The folder ${path} cannot be used (${reasonOf(cause)}). Make sure that it is a folder you can read and write, or choose another one.`,
    { details: { path }, cause },
  );
}

function reasonOf(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  return code ?? (cause instanceof Error ? cause.message : String(cause));
}
