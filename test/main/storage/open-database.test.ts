import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '#main/base/logger.ts';
import { readEvents, writeEvents } from '#main/storage/event-store.ts';
import type { Migration } from '#main/storage/migrate.ts';
import { migrations } from '#main/storage/migrations/all.ts';
import { openDatabase, openDatabaseForReading } from '#main/storage/open-database.ts';
import { readThreads, writeThreads } from '#main/storage/thread-store.ts';
import { fakeThread } from '../../fakes/fake-thread.ts';
import { HandClock, insertRun, open, recordingLogger, temporaryDir, thrownBy } from './support.ts';

const latest = migrations.at(-1)?.version ?? 0;

function step(version: number, sql: string): Migration {
  return { version, name: `step ${version}`, sql };
}

describe('a new data folder', () => {
  test('is created for its owner only, with a database that survives a power cut', () => {
    const dataDir = join(temporaryDir(), 'deep', 'data');
    const { connection } = open(dataDir);
    expect({
      folder: statSync(dataDir).mode & 0o777,
      journal: connection.pragma('journal_mode'),
      synchronous: connection.pragma('synchronous'),
      foreignKeys: connection.pragma('foreign_keys'),
      busyTimeout: connection.pragma('busy_timeout'),
      version: connection.pragma('user_version'),
    }).toEqual({
      folder: 0o700,
      journal: 'wal',
      synchronous: 2,
      foreignKeys: 1,
      busyTimeout: 5000,
      version: latest,
    });
  });

  test('that others could read is closed to them, with a warning', () => {
    const dataDir = temporaryDir();
    chmodSync(dataDir, 0o755);
    const logger = recordingLogger();
    open(dataDir, { logger }).close();
    open(dataDir, { logger }).close();
    const said = logger.lines.flatMap(({ level, message }) => (level === 'warn' ? [message] : []));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(said).toEqual([expect.stringContaining('could read the data folder')]);
  });

  test('that is shared by all, like /tmp, keeps its rights', () => {
    const dataDir = temporaryDir();
    chmodSync(dataDir, 0o1777);
    open(dataDir);
    expect(statSync(dataDir).mode & 0o7777).toBe(0o1777);
  });

  test('leaves one file of data and no lock when it is closed', () => {
    const dataDir = temporaryDir();
    const database = open(dataDir);
    insertRun(database);
    database.close();
    database.close();
    expect(readdirSync(dataDir).sort()).toEqual(['hyperagent.db', 'lock.db']);
  });
});

describe('a data folder from before', () => {
  test('has everything again, and commits are synced again', () => {
    const dataDir = temporaryDir();
    const first = open(dataDir);
    insertRun(first);
    first.close();
    const { connection } = open(dataDir);
    expect(readThreads(connection).list()).toEqual([
      fakeThread({ id: 'thr_1', title: 'A task', at: 1, status: 'running' }),
    ]);
    expect(connection.pragma('synchronous')).toBe(2);
  });

  test('that a later version wrote is refused and not touched', () => {
    const dataDir = temporaryDir();
    open(dataDir).close();
    const file = join(dataDir, 'hyperagent.db');
    const later = new BetterSqlite3(file);
    later.pragma('journal_mode = DELETE');
    later.pragma(`user_version = ${latest + 1}`);
    later.close();
    const before = readFileSync(file);
    expect(thrownBy(() => open(dataDir))).toMatchObject({
      code: 'DATABASE_TOO_NEW',
      details: { version: latest + 1, latest },
    });
    expect(thrownBy(() => openDatabaseForReading(dataDir))).toMatchObject({
      code: 'DATABASE_TOO_NEW',
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dataDir)).not.toContain('lock.json');
  });

  test('that is not a database is refused, and stays refused', () => {
    const dataDir = temporaryDir();
    writeFileSync(join(dataDir, 'hyperagent.db'), 'not a database at all '.repeat(100));
    for (const _attempt of [1, 2]) {
      expect(thrownBy(() => open(dataDir))).toMatchObject({ code: 'DATABASE_CORRUPT' });
    }
  });

  test('with a damaged page is found out at the start', () => {
    const dataDir = temporaryDir();
    const database = open(dataDir);
    insertRun(database);
    fillEvents(database.connection, 200);
    database.close();
    const file = join(dataDir, 'hyperagent.db');
    truncateSync(file, statSync(file).size - 3 * 4096);
    const error = thrownBy(() => open(dataDir));
    expect(error).toMatchObject({ code: 'DATABASE_CORRUPT' });
    expect(String(error)).toContain('hyperagent restore');
  });

  test('is checked in full after a crash, and once only', () => {
    const dataDir = temporaryDir();
    open(dataDir).close();
    writeFileSync(join(dataDir, 'lock.json'), '{"pid":1,"entryPoint":"terminal"}');
    const checked = recordingLogger();
    open(dataDir, { logger: checked }).close();
    const again = recordingLogger();
    open(dataDir, { logger: again }).close();
    expect([checked.lines.map((line) => line.message), again.lines]).toEqual([
      ['The last process did not close the database; it is sound'],
      [],
    ]);
  });

  test('is checked in full when its log was never written back', () => {
    const dataDir = temporaryDir();
    const database = open(dataDir);
    insertRun(database);
    // As a power cut leaves it: the log of the writes, but not the file that names the holder.
    const cut = temporaryDir();
    for (const name of ['hyperagent.db', 'hyperagent.db-wal']) {
      writeFileSync(join(cut, name), readFileSync(join(dataDir, name)));
    }
    const logger = recordingLogger();
    const { connection } = open(cut, { logger });
    expect(logger.lines).toMatchObject([{ level: 'warn' }]);
    expect(readThreads(connection).list()).toHaveLength(1);
  });

  test('stays suspect after a crash until one start has checked it', () => {
    const dataDir = temporaryDir();
    open(dataDir).close();
    writeFileSync(join(dataDir, 'lock.json'), '{"pid":1,"entryPoint":"terminal"}');
    const failing = [...migrations, step(latest + 1, 'nonsense')];
    thrownBy(() => open(dataDir, { migrations: failing }));
    const logger = recordingLogger();
    open(dataDir, { logger });
    expect(logger.lines).toMatchObject([{ level: 'warn' }]);
  });
});

describe('migrations', () => {
  const one = step(1, 'CREATE TABLE note (text TEXT)');
  const two = step(2, 'ALTER TABLE note ADD COLUMN at INTEGER');

  test('bring an older database up to date, after a backup of it', () => {
    const dataDir = temporaryDir();
    const older = open(dataDir, { migrations: [one] });
    older.connection.sql('INSERT INTO note VALUES (?)').run('kept');
    older.close();
    const newer = open(dataDir, { migrations: [one, two] });
    expect(newer.connection.sql('SELECT * FROM note').all()).toEqual([{ text: 'kept', at: null }]);
    const [backup = ''] = readdirSync(join(dataDir, 'backups'));
    const copy = new BetterSqlite3(join(dataDir, 'backups', backup), { readonly: true });
    expect([
      backup,
      copy.prepare('SELECT * FROM note').all(),
      copy.pragma('user_version', { simple: true }),
    ]).toEqual(['hyperagent-v1-2026-01-01T00-00-00-000Z.db', [{ text: 'kept' }], 1]);
    copy.close();
  });

  test('take no backup of a new database, and none when nothing is due', () => {
    const dataDir = temporaryDir();
    open(dataDir, { migrations: [one, two] }).close();
    open(dataDir, { migrations: [one, two] }).close();
    expect(readdirSync(dataDir)).not.toContain('backups');
  });

  test('keep the last three backups', () => {
    const dataDir = temporaryDir();
    const clock = new HandClock();
    const steps = Array.from({ length: 12 }, (_, i) => step(i + 1, `CREATE TABLE t${i} (x)`));
    for (let count = 1; count <= steps.length; count += 1) {
      clock.time += 1000;
      open(dataDir, { migrations: steps.slice(0, count), clock }).close();
    }
    const versions = readdirSync(join(dataDir, 'backups')).map((name) => name.split('-')[1]);
    expect(versions.sort()).toEqual(['v10', 'v11', 'v9']);
  });

  test('that fail leave the version before them, and the data', () => {
    const dataDir = temporaryDir();
    const older = open(dataDir, { migrations: [one] });
    older.connection.sql('INSERT INTO note VALUES (?)').run('kept');
    older.close();
    const broken = step(3, 'CREATE TABLE half (x); INSERT INTO nowhere VALUES (1)');
    thrownBy(() => open(dataDir, { migrations: [one, two, broken] }));
    const { connection } = open(dataDir, { migrations: [one, two] });
    expect([
      connection.pragma('user_version'),
      connection.sql('SELECT text FROM note').all(),
      connection.sql("SELECT name FROM sqlite_schema WHERE type = 'table'").all(),
    ]).toEqual([2, [{ text: 'kept' }], [{ name: 'note' }]]);
  });

  test('are numbered from 1 without gaps', () => {
    // 15 is reserved for a part that is built at the same time as 16, and may not be here yet.
    const versions = migrations.map(({ version }) => version).filter((version) => version !== 15);
    const numbers = Array.from({ length: latest }, (_, i) => i + 1);
    expect(versions).toEqual(numbers.filter((number) => number !== 15));
  });
});

describe('an unusable data folder', () => {
  test('is a file', () => {
    const path = join(temporaryDir(), 'file');
    writeFileSync(path, '');
    expect(thrownBy(() => open(path))).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
  });

  test('lies below a file', () => {
    const path = join(temporaryDir(), 'file');
    writeFileSync(path, '');
    expect(thrownBy(() => open(join(path, 'below')))).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
  });

  const isRoot = process.getuid?.() === 0;
  test.skipIf(isRoot)(
    `cannot be written${isRoot ? ' (skipped: root may write anywhere; another account runs it)' : ''}`,
    () => {
      const dataDir = temporaryDir();
      chmodSync(dataDir, 0o500);
      expect(thrownBy(() => open(dataDir))).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
    },
  );

  test('holds a folder where the database should be', () => {
    const dataDir = temporaryDir();
    mkdirSync(join(dataDir, 'hyperagent.db'));
    expect(thrownBy(() => open(dataDir))).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
  });
});

describe('reading beside another process', () => {
  test('sees what is committed, takes no lock and writes nothing', () => {
    const dataDir = temporaryDir();
    const writer = open(dataDir);
    insertRun(writer);
    const reader = openDatabaseForReading(dataDir);
    fillEvents(writer.connection, 3);
    expect([
      readEvents(reader).lastSeq('run_1'),
      thrownBy(() => writeThreads(reader).rename('thr_1', 'x')),
    ]).toEqual([3, expect.objectContaining({ code: 'DATA_DIR_UNUSABLE' })]);
    // The writer closes first, and opens again while the reader is still open.
    writer.close();
    fillEvents(open(dataDir).connection, 5);
    expect(readEvents(reader).lastSeq('run_1')).toBe(5);
    reader.close();
  });

  test('works if no other process is running', () => {
    const dataDir = temporaryDir();
    const writer = open(dataDir);
    insertRun(writer);
    writer.close();
    const reader = openDatabaseForReading(dataDir);
    expect(readThreads(reader).list()).toHaveLength(1);
    reader.close();
  });

  test.skipIf(process.platform === 'win32')('does not wait for a named pipe', () => {
    const dataDir = temporaryDir();
    execFileSync('mkfifo', [join(dataDir, 'hyperagent.db')]);
    const message = expect.stringContaining('hyperagent.db is not a regular file');
    expect([
      thrownBy(() => openDatabaseForReading(dataDir)),
      thrownBy(() => open(dataDir)),
    ]).toMatchObject([
      { code: 'DATA_DIR_UNUSABLE', message },
      { code: 'DATA_DIR_UNUSABLE', message },
    ]);
  });

  test('says when there is nothing, or nothing that it can read', () => {
    const dataDir = temporaryDir();
    const nothing = thrownBy(() => openDatabaseForReading(dataDir));
    const older = openDatabase({
      dataDir,
      logger: silentLogger,
      clock: new HandClock(),
      entryPoint: 'terminal',
      migrations: [],
    });
    older.close();
    writeFileSync(join(dataDir, 'hyperagent.db'), '');
    expect([nothing, thrownBy(() => openDatabaseForReading(dataDir))]).toMatchObject([
      { code: 'NOT_FOUND' },
      { code: 'CONFLICT' },
    ]);
  });
});

function fillEvents(connection: Parameters<typeof writeEvents>[0], upTo: number): void {
  const events = writeEvents(connection);
  const from = events.lastSeq('run_1') + 1;
  events.append(
    Array.from({ length: upTo - from + 1 }, (_, i) => ({
      type: 'token',
      runId: 'run_1',
      seq: from + i,
      at: 1,
      messageId: 'm',
      text: 'x'.repeat(900),
    })),
  );
}
