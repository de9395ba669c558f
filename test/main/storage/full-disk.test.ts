import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { AttachmentStore } from '#main/storage/attachment-store.ts';
import { DiskReserve } from '#main/storage/disk-reserve.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import type { Migration } from '#main/storage/migrate.ts';
import { migrations } from '#main/storage/migrations/all.ts';
import type { OpenDatabase } from '#main/storage/open-database.ts';
import type { EventWriter } from '#main/storage/types.ts';
import { canMount, smallDisk, whyNoDisk } from '../../setup/small-disk.ts';
import { HandClock, insertRun, open, recordingLogger, temporaryDir, thrownBy } from './support.ts';

function batch(from: number): RunEvent[] {
  return Array.from({ length: 10 }, (_, i) => ({
    type: 'token',
    runId: 'run_1',
    seq: from + i,
    at: 1,
    messageId: 'm',
    text: 'x'.repeat(2_000),
  }));
}

function countOf({ connection }: OpenDatabase, table: string): number {
  return connection.sql<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
}

/** The stored version: what these migrations lead to, or a later one. */
function versionOf(dataDir: string, known: readonly Migration[]): number {
  try {
    open(dataDir, { migrations: known }).close();
    return known.length;
  } catch (error) {
    expect(error).toMatchObject({ code: 'DATABASE_TOO_NEW' });
    return Number((error as AppError).details.version);
  }
}

/** Appends until it fails; returns the last stored seq and the error. */
function appendUntilFull(events: EventWriter): { stored: number; error: unknown } {
  for (let stored = events.lastSeq('run_1'); ; stored += 10) {
    try {
      events.append(batch(stored + 1));
    } catch (error) {
      return { stored, error };
    }
  }
}

test('a database that may not grow says DISK_FULL, keeps what it has, and works again with space', () => {
  const dataDir = temporaryDir();
  const database = open(dataDir);
  insertRun(database);
  const { connection } = database;
  connection.pragma('max_page_count = 200');
  const events = writeEvents(connection);
  const { stored, error } = appendUntilFull(events);
  expect([error, events.lastSeq('run_1'), stored > 0]).toEqual([
    expect.objectContaining({ code: 'DISK_FULL' }),
    stored,
    true,
  ]);
  connection.pragma('max_page_count = 2000');
  events.append(batch(stored + 1));
  expect(events.lastSeq('run_1')).toBe(stored + 10);
  expect(connection.pragma('integrity_check')).toBe('ok');
});

describe.skipIf(!canMount)(`a disk that is really full${whyNoDisk}`, () => {
  test('is DISK_FULL; what was stored is there at the next start', () => {
    const dataDir = smallDisk(2_000);
    const database = open(dataDir);
    insertRun(database);
    const { stored, error } = appendUntilFull(writeEvents(database.connection));
    expect([error, stored > 0]).toEqual([expect.objectContaining({ code: 'DISK_FULL' }), true]);
    database.close();
    const again = open(dataDir);
    const kept = writeEvents(again.connection).page('run_1', 0, 100_000);
    expect(kept.map(({ seq }) => seq)).toEqual(Array.from({ length: stored }, (_, i) => i + 1));
    expect(again.connection.pragma('integrity_check')).toBe('ok');
  });

  test('during the migration of a large database is DISK_FULL, and leaves what the steps before it made', () => {
    const older = migrations.slice(0, 9);
    const messages = 400;
    const ends = new Set<string>();
    for (let kilobytes = 2_400; !ends.has('migrated'); kilobytes += 400) {
      const dataDir = smallDisk(kilobytes);
      const database = open(dataDir, { migrations: older });
      insertRun(database);
      const insert = database.connection.sql(
        "INSERT INTO transcript (thread_id, run_id, message) VALUES ('thr_1', 'run_1', ?)",
      );
      database.connection.transaction(() => {
        for (let i = 0; i < messages; i += 1) {
          insert.run(JSON.stringify({ role: 'user', content: 'x'.repeat(2_000) }));
        }
      });
      database.close();
      try {
        const migrated = open(dataDir);
        expect(countOf(migrated, 'run_journal')).toBe(messages);
        migrated.close();
        ends.add('migrated');
      } catch (error) {
        expect(error).toMatchObject({ code: 'DISK_FULL' });
        const backups = join(dataDir, 'backups');
        const hasBackup = existsSync(backups) && readdirSync(backups).length > 0;
        ends.add(hasBackup ? 'full while it moves' : 'full in its backup');
        // Each step is complete or not begun: the disk may be full before any of them.
        const reached = versionOf(dataDir, older);
        const old = open(dataDir, { migrations: migrations.slice(0, reached) });
        expect(old.connection.pragma('user_version')).toBe(reached);
        expect(countOf(old, reached < 10 ? 'transcript' : 'run_journal')).toBe(messages);
        old.close();
      }
    }
    expect([...ends]).toEqual(['full in its backup', 'full while it moves', 'migrated']);
  });

  test('is DISK_FULL at the start as well', () => {
    const dataDir = smallDisk(64);
    writeFileSync(join(dataDir, 'ballast'), Buffer.alloc(56 * 1024, 1));
    expect(thrownBy(() => open(dataDir))).toMatchObject({ code: 'DISK_FULL' });
  });

  test('has space for the last events once the reserve is freed', async () => {
    const dataDir = smallDisk(6_000);
    const database = open(dataDir);
    insertRun(database);
    const reserve = new DiskReserve(database.paths.reserve, recordingLogger());
    await reserve.take();
    const events = writeEvents(database.connection);
    const { stored, error } = appendUntilFull(events);
    reserve.release();
    events.append(batch(stored + 1));
    expect([error, events.lastSeq('run_1')]).toEqual([
      expect.objectContaining({ code: 'DISK_FULL' }),
      stored + 10,
    ]);
  });

  test('allows a smaller reserve, or none, without failing', async () => {
    const sizes: unknown[] = [];
    for (const kilobytes of [500, 100]) {
      const file = join(smallDisk(kilobytes), 'reserve');
      const logger = recordingLogger();
      const reserve = new DiskReserve(file, logger);
      await reserve.take();
      sizes.push([existsSync(file) ? statSync(file).size : null, logger.lines.length]);
      reserve.release();
    }
    expect(sizes).toEqual([
      [256 * 1024, 1],
      [null, 2],
    ]);
  });

  test('refuses attachments, and says so', async () => {
    const store = new AttachmentStore(join(smallDisk(500), 'attachments'), new HandClock());
    await expect(store.add('big.bin', Buffer.alloc(1_000_000, 1))).rejects.toMatchObject({
      code: 'DISK_FULL',
    });
  });
});

test('the reserve is taken once and freed once', async () => {
  const file = join(temporaryDir(), 'reserve');
  const reserve = new DiskReserve(file, recordingLogger());
  await reserve.take();
  const { size, mtimeMs } = statSync(file);
  await reserve.take();
  expect([size, statSync(file).mtimeMs]).toEqual([2 * 1024 * 1024, mtimeMs]);
  reserve.release();
  reserve.release();
  expect(existsSync(file)).toBe(false);
});

test('the reserve is written to its end before the app has closed, and not after it', async () => {
  const file = join(temporaryDir(), 'reserve');
  const reserve = new DiskReserve(file, recordingLogger());
  reserve.take();
  // It has begun.
  await Promise.resolve();
  await reserve[Symbol.asyncDispose]();
  expect(statSync(file).size).toBe(2 * 1024 * 1024);
  rmSync(file);
  await reserve.take();
  expect(existsSync(file)).toBe(false);
});
