import { existsSync, statSync } from 'node:fs';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { checkDatabase, checkLog, checkNotLost } from './check-database.ts';
import { Connection } from './connection.ts';
import { DataLock, type LockHolder } from './data-lock.ts';
import { type DataPaths, dataPaths, makeDataDir } from './data-paths.ts';
import { latestVersion, type Migration, migrate, readVersion } from './migrate.ts';
import { migrations as allMigrations } from './migrations/all.ts';

export interface OpenDatabaseOptions {
  readonly dataDir: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Which entry point opens it, for the message to a second process. */
  readonly entryPoint: string;
  /** Tests pass older or newer ones. */
  readonly migrations?: readonly Migration[];
}

/** The database of a data folder, which no other process may write while it is open. */
export interface OpenDatabase {
  readonly connection: Connection;
  readonly paths: DataPaths;
  /** The last process here was killed or lost power. */
  readonly afterCrash: boolean;
  /** Publishes where the web UI can be reached, for a second process; without its token. */
  announce(address: string): void;
  /** Writes everything into the one file and releases the folder. */
  close(): void;
}

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the database for work: takes the folder's lock, checks the file, brings the schema up to
 * date. Throws `DATA_DIR_IN_USE`, `DATA_DIR_UNUSABLE`, `DATABASE_CORRUPT`, `DATABASE_TOO_NEW`,
 * `DISK_FULL`, `STORAGE_FAILED`.
 */
export function openDatabase(options: OpenDatabaseOptions): OpenDatabase {
  const { dataDir, logger, clock, entryPoint, migrations = allMigrations } = options;
  const paths = dataPaths(dataDir);
  if (makeDataDir(dataDir)) {
    logger.warn('Other users of this computer could read the data folder; now only you can', {
      dataDir,
    });
  }
  const holder: LockHolder = { pid: process.pid, entryPoint };
  const lock = DataLock.acquire(paths, holder);
  // A log that was not written back means a power cut, after which lock.json may be missing.
  const afterCrash = lock.leftBehind || sizeOf(`${paths.database}-wal`) > 0;
  let connection: Connection | null = null;
  try {
    checkNotLost(paths);
    // Before SQLite reads the log and truncates it at the first bad frame.
    checkLog(paths);
    const isNew = sizeOf(paths.database) === 0;
    connection = new Connection({
      file: paths.database,
      dataDir,
      busyTimeoutMs: BUSY_TIMEOUT_MS,
    });
    // Before anything is written: the database of a later version stays as it is.
    readVersion(connection, migrations);
    if (!isNew) checkDatabase(connection, { paths, clock, logger, afterCrash });
    configure(connection, logger);
    migrate(connection, { paths, migrations, clock, logger });
    return handle({ connection, paths, lock, holder, logger, afterCrash });
  } catch (error) {
    connection?.close();
    // After a crash, the next start must still do the full check.
    lock.release(!afterCrash);
    throw error;
  }
}

interface Opened {
  readonly connection: Connection;
  readonly paths: DataPaths;
  readonly lock: DataLock;
  readonly holder: LockHolder;
  readonly logger: Logger;
  readonly afterCrash: boolean;
}

function handle(opened: Opened): OpenDatabase {
  const { connection, paths, lock, holder, logger, afterCrash } = opened;
  let closed = false;
  return {
    connection,
    paths,
    afterCrash,
    announce: (address) => lock.describe({ ...holder, address }),
    close: () => {
      if (closed) return;
      closed = true;
      try {
        connection.pragma('wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // Nothing is lost: the log is written back at the next start.
        logger.warn('The log of the database was not written back at close', { error });
      }
      connection.close();
      lock.release(true);
    },
  };
}

/**
 * Makes committed transactions survive a power cut. Set on every open, because SQLite stores only the first
 * of these.
 */
function configure(connection: Connection, logger: Logger): void {
  const mode = connection.pragma('journal_mode = WAL');
  if (mode !== 'wal') logger.warn('The file system does not allow write-ahead logging', { mode });
  connection.pragma('synchronous = FULL');
  connection.pragma('checkpoint_fullfsync = ON');
  connection.pragma('foreign_keys = ON');
  // Logs are appended to and read in order: a larger cache would waste memory.
  connection.pragma('cache_size = -4000');
}

/**
 * Opens the database for single small writes while another process works on it: SQLite's own locks keep the
 * two apart. Throws what `openDatabaseForReading` throws.
 */
export function openDatabaseSecondary(dataDir: string): Connection {
  openDatabaseForReading(dataDir).close();
  const { database } = dataPaths(dataDir);
  const connection = new Connection({ file: database, dataDir, busyTimeoutMs: BUSY_TIMEOUT_MS });
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  return connection;
}

/**
 * Opens the database for reading, also while another process uses the folder. Takes no lock, checks and
 * migrates nothing. Throws `NOT_FOUND` if there is no database yet, `DATABASE_CORRUPT` if there was one, and
 * `CONFLICT` if its schema is older than this program.
 */
export function openDatabaseForReading(dataDir: string): Connection {
  const paths = dataPaths(dataDir);
  const { database } = paths;
  checkNotLost(paths);
  if (!existsSync(database)) {
    throw new AppError('NOT_FOUND', `There is no data in ${dataDir} yet.`, {
      details: { dataDir },
    });
  }
  const connection = new Connection({
    file: database,
    dataDir,
    readonly: true,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
  });
  try {
    if (readVersion(connection, allMigrations) < latestVersion(allMigrations)) {
      throw new AppError(
        'CONFLICT',
        `The data in ${dataDir} was written by an earlier version. Start the app once with that folder to update it.`,
        { details: { dataDir } },
      );
    }
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
