import { existsSync, rmSync } from 'node:fs';
import { AppError } from '#contract/errors.ts';
import { Connection } from './connection.ts';
import { LIBRARY_SCHEMA, LIBRARY_VERSION } from './library-schema.ts';

export interface LibraryDatabaseOptions {
  readonly file: string;
  /** Named in error messages. */
  readonly dataDir: string;
  readonly readOnly: boolean;
}

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the index of the library, a separate file that can be rebuilt at any time. A reader gets an empty
 * index if none is readable. A power cut may lose the last commits, but does not damage the file. Throws
 * `DATABASE_CORRUPT` for an index that is damaged or of another version, `DISK_FULL`, `STORAGE_FAILED`,
 * `DATA_DIR_UNUSABLE`.
 */
export function openLibraryDatabase(options: LibraryDatabaseOptions): Connection {
  return options.readOnly
    ? (openForReading(options) ?? emptyIndex(options.dataDir))
    : openForWriting(options);
}

/** The existing index, for reading; null if there is none of this version. */
export function openForReading({
  file,
  dataDir,
}: Omit<LibraryDatabaseOptions, 'readOnly'>): Connection | null {
  if (!existsSync(file)) return null;
  const connection = new Connection({
    ...{ file, dataDir, readonly: true, busyTimeoutMs: BUSY_TIMEOUT_MS },
  });
  try {
    if (connection.pragma('user_version') === LIBRARY_VERSION) return connection;
  } catch (error) {
    connection.close();
    if (isDamage(error)) return null;
    throw error;
  }
  connection.close();
  return null;
}

/** Whether an index is unreadable and has to be rebuilt. */
export function isDamage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'DATABASE_CORRUPT';
}

/** Deletes the index. Nothing may have it open. */
export function discardLibraryDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}

function openForWriting({ file, dataDir }: LibraryDatabaseOptions): Connection {
  const connection = new Connection({ file, dataDir, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    // Set before the first page is written. Deleted text is overwritten, and its space is freed.
    connection.pragma('auto_vacuum = INCREMENTAL');
    connection.pragma('secure_delete = FAST');
    connection.pragma('journal_mode = WAL');
    // What a power cut takes from the index is read again from the files.
    connection.pragma('synchronous = NORMAL');
    connection.pragma('foreign_keys = ON');
    connection.pragma('cache_size = -8000');
    const version = connection.pragma('user_version');
    if (version === 0) makeSchema(connection);
    else if (version !== LIBRARY_VERSION) {
      throw new AppError('DATABASE_CORRUPT', 'The index of the library has another version.');
    }
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function makeSchema(connection: Connection): void {
  connection.transaction(() => {
    connection.exec(LIBRARY_SCHEMA);
    connection.pragma(`user_version = ${LIBRARY_VERSION}`);
  });
}

function emptyIndex(dataDir: string): Connection {
  const connection = new Connection({ file: ':memory:', dataDir, busyTimeoutMs: 0 });
  makeSchema(connection);
  return connection;
}
