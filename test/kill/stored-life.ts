import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { migrations } from '#main/storage/migrations/all.ts';

type Value = string | number | null | { readonly base64: string };

/** What a killed life left in its data folder: rows of its database, and files of its tasks. */
export interface StoredLife {
  /** Where it was killed. */
  readonly boundary: string;
  /** Of the schema. */
  readonly version: number;
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;
  /** By their path below `workspaces`, as base64. */
  readonly files: Readonly<Record<string, string>>;
}

/** Texts of this machine, and what stands for them in a stored life. */
export type Places = Readonly<Record<string, string>>;

/** Reads what a life left; `places` are replaced by their names. */
export function readLife(dataDir: string, boundary: string, places: Places): StoredLife {
  const database = new BetterSqlite3(join(dataDir, 'hyperagent.db'), { fileMustExist: true });
  try {
    const names = database
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    const life: StoredLife = {
      boundary,
      version: Number(database.pragma('user_version', { simple: true })),
      tables: Object.fromEntries(
        names.map(({ name }) => [
          name,
          database
            .prepare<[], Record<string, string | number | null | Buffer>>(`SELECT * FROM ${name}`)
            .all()
            .map((row) => mapValues(row, toValue)),
        ]),
      ),
      files: readFiles(join(dataDir, 'workspaces')),
    };
    return JSON.parse(replaceAll(JSON.stringify(life), places)) as StoredLife;
  } finally {
    database.close();
  }
}

/** Writes a stored life into a data folder, as the version of the app that left it would have. */
export function writeLife(dataDir: string, life: StoredLife, places: Places): void {
  const back = Object.fromEntries(Object.entries(places).map(([text, name]) => [name, text]));
  const { version, tables, files } = JSON.parse(
    replaceAll(JSON.stringify(life), back),
  ) as StoredLife;
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(join(dataDir, `hyperagent.db${suffix}`), { force: true });
  }
  const database = new BetterSqlite3(join(dataDir, 'hyperagent.db'));
  try {
    database.pragma('foreign_keys = OFF');
    for (const { sql } of migrations.slice(0, version)) database.exec(sql);
    database.pragma(`user_version = ${version}`);
    for (const [table, rows] of Object.entries(tables)) {
      database.exec(`DELETE FROM ${table}`);
      for (const row of rows) {
        const columns = Object.keys(row);
        const marks = columns.map(() => '?').join(', ');
        database
          .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
          .run(...Object.values(row).map(fromValue));
      }
    }
  } finally {
    database.close();
  }
  for (const [name, content] of Object.entries(files)) {
    const file = join(dataDir, 'workspaces', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(content, 'base64'));
    // Programs of a sandbox may run as another user than the one who writes this.
    chmodSync(file, 0o666);
    for (let dir = dirname(file); dir !== dataDir; dir = dirname(dir)) chmodSync(dir, 0o777);
  }
}

export function packLives(lives: readonly StoredLife[]): Buffer {
  return gzipSync(JSON.stringify(lives), { level: 9 });
}

export function unpackLives(file: string): StoredLife[] {
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as StoredLife[];
}

function readFiles(dir: string): Record<string, string> {
  try {
    return Object.fromEntries(
      readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const file = join(entry.parentPath, entry.name);
          return [file.slice(dir.length + 1), readFileSync(file).toString('base64')];
        }),
    );
  } catch {
    return {};
  }
}

function toValue(value: string | number | null | Buffer): Value {
  return Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value;
}

function fromValue(value: Value): string | number | null | Buffer {
  return typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value;
}

function mapValues<From, To>(
  row: Record<string, From>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, map(value)]));
}

/** Bytes are text as well, where they are JSON: places within them are replaced too. */
function replaceAll(text: string, texts: Places): string {
  const replaced = Object.entries(texts).reduce(
    (all, [from, to]) => all.replaceAll(from, to),
    text,
  );
  return replaced.replace(/\{"base64":"([^"]+)"\}/g, (_, base64: string) => {
    const inner = Object.entries(texts).reduce(
      (all, [from, to]) => all.replaceAll(from, to),
      Buffer.from(base64, 'base64').toString('latin1'),
    );
    return JSON.stringify({ base64: Buffer.from(inner, 'latin1').toString('base64') });
  });
}
