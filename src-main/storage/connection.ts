import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { AppError } from '#contract/errors.ts';
import { toStorageError } from './storage-error.ts';

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface ConnectionOptions {
  readonly file: string;
  /** Named in error messages. */
  readonly dataDir: string;
  readonly readonly?: boolean;
  /** Milliseconds to wait for another process's lock. */
  readonly busyTimeoutMs: number;
}

/**
 * One SQLite connection with typed failures: `DISK_FULL`, `STORAGE_FAILED`, `DATABASE_CORRUPT` or
 * `DATA_DIR_UNUSABLE`.
 */
export class Connection {
  readonly dataDir: string;
  readonly #raw: BetterSqlite3.Database;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  #clean: (text: string) => string = (text) => text;

  constructor({ file, dataDir, readonly = false, busyTimeoutMs }: ConnectionOptions) {
    this.dataDir = dataDir;
    this.#raw = this.#typed(() => {
      checkRegular(file);
      return new BetterSqlite3(file, { readonly, fileMustExist: readonly, timeout: busyTimeoutMs });
    });
    this.#begin = this.sql('BEGIN IMMEDIATE');
    this.#commit = this.sql('COMMIT');
    this.#rollback = this.sql('ROLLBACK');
  }

  /**
   * A statement, compiled on first use. `Row` is the type of its rows. An `exact` statement gets its values
   * unchanged, without `cleanWith`: for the user's own settings and the app's own data.
   */
  sql<Row = never>(text: string, { exact = false } = {}): Statement<Row> {
    let compiled: BetterSqlite3.Statement<SqlValue[], Row> | null = null;
    const clean = (values: SqlValue[]): SqlValue[] =>
      exact ? values : values.map((value) => this.#cleaned(value));
    const statement = (): BetterSqlite3.Statement<SqlValue[], Row> => {
      compiled ??= this.#raw.prepare<SqlValue[], Row>(text);
      return compiled;
    };
    return {
      run: (...values) => this.#typed(() => statement().run(...clean(values)).changes),
      get: (...values) => this.#typed(() => statement().get(...clean(values))),
      all: (...values) => this.#typed(() => statement().all(...clean(values))),
    };
  }

  /** From now on applies `clean` to every text passed to a statement that is not `exact`. */
  cleanWith(clean: (text: string) => string): void {
    this.#clean = clean;
  }

  /** Runs statements that take no values, such as a migration. */
  exec(text: string): void {
    this.#typed(() => this.#raw.exec(text));
  }

  /** The first column of a pragma's first row. */
  pragma(text: string): unknown {
    return this.#typed(() => this.#raw.pragma(text, { simple: true }));
  }

  /** Stores all of `work`, or nothing if it throws. Nested in another transaction, it becomes part of that. */
  transaction<T>(work: () => T): T {
    if (this.#raw.inTransaction) return work();
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (error) {
      // On a full disk, SQLite may already have rolled back.
      if (this.#raw.inTransaction) this.#rollback.run();
      throw error;
    }
  }

  close(): void {
    this.#typed(() => this.#raw.close());
  }

  #cleaned(value: SqlValue): SqlValue {
    if (typeof value === 'string') return this.#clean(value);
    if (!(value instanceof Uint8Array)) return value;
    const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8');
    const clean = this.#clean(text);
    return clean === text ? value : Buffer.from(clean);
  }

  #typed<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw toStorageError(error, this.dataDir);
    }
  }
}

/** A statement with its failures typed. */
export interface Statement<Row = never> {
  /** Returns how many rows it changed. */
  run(...values: SqlValue[]): number;
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

/** A named pipe would be waited for, and no signal could end that. */
function checkRegular(file: string): void {
  const info = statSync(file, { throwIfNoEntry: false });
  if (info === undefined || info.isFile()) return;
  throw new AppError(
    'DATA_DIR_UNUSABLE',
    `${file} is not a regular file. Move it away, or choose another data folder.`,
    { details: { path: file } },
  );
}
