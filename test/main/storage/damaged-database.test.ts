import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '#main/base/logger.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { writeMessages } from '#main/storage/message-store.ts';
import { openDatabase } from '#main/storage/open-database.ts';
import { findBackup, restoreDatabase } from '#main/storage/restore-database.ts';
import { readThreads, writeThreads } from '#main/storage/thread-store.ts';
import { DAMAGE } from './damage.ts';
import { HandClock, insertRun, open, temporaryDir } from './support.ts';

const template = mkdtempSync(join(tmpdir(), 'hyperagent-damage-'));

beforeAll(() => {
  const database = openDatabase({
    ...{ dataDir: template, logger: silentLogger, clock: new HandClock(), entryPoint: 'terminal' },
  });
  const { connection } = database;
  const [threads, events, messages] = [
    writeThreads(connection),
    writeEvents(connection),
    writeMessages(connection),
  ];
  for (let task = 1; task <= 5; task += 1) {
    const runId = `run_${task}`;
    insertRun(database, runId, `thr_${task}`);
    events.append(
      Array.from({ length: 400 }, (_, i) => ({
        ...{ type: 'token', runId, seq: i + 1, at: 1, messageId: 'm' },
        text: `${task} ${i} `.repeat(60),
      })),
    );
    for (let i = 0; i < 60; i += 1) {
      messages.insert({
        ...{ id: `msg_${task}_${i}`, threadId: `thr_${task}`, runId, role: 'assistant' },
        ...{ content: 'words '.repeat(i % 10 === 0 ? 3_000 : 20), attachments: [], createdAt: i },
      });
    }
  }
  // Pages that are free.
  threads.delete('thr_2');
  database.close();
  mkdirSync(join(template, 'workspaces', 'thr_1'), { recursive: true });
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

/** What a start says about the folder. */
function start(dataDir: string): string {
  try {
    const clock = new HandClock();
    openDatabase({ dataDir, logger: silentLogger, clock, entryPoint: 'terminal' }).close();
    return 'starts';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

describe('a database that is damaged', () => {
  test.each(DAMAGE)('is neither accepted as sound nor replaced: $name', ({ apply }) => {
    const dataDir = temporaryDir();
    cpSync(template, dataDir, { recursive: true });
    const file = join(dataDir, 'hyperagent.db');
    apply(file);
    const before = existsSync(file) ? readFileSync(file) : null;
    expect([start(dataDir), start(dataDir)]).toEqual(['DATABASE_CORRUPT', 'DATABASE_CORRUPT']);
    expect(existsSync(file) ? readFileSync(file) : null).toEqual(before);
    expect(readdirSync(dataDir).sort()).toEqual(expect.arrayContaining(['workspaces']));
  });

  test('is not one that was closed properly', () => {
    const dataDir = temporaryDir();
    cpSync(template, dataDir, { recursive: true });
    expect([start(dataDir), start(dataDir)]).toEqual(['starts', 'starts']);
  });
});

describe('a log that a crash left', () => {
  /** A database as `kill -9` leaves it, with ten commits in its log. */
  function crashed(): { dataDir: string; log: string } {
    const [from, dataDir] = [temporaryDir(), temporaryDir()];
    const { connection } = open(from);
    for (let i = 0; i < 10; i += 1)
      writeThreads(connection).insert({ id: `thr_${i}`, title: 'A task', createdAt: i });
    for (const name of ['hyperagent.db', 'hyperagent.db-wal'])
      copyFileSync(join(from, name), join(dataDir, name));
    return { dataDir, log: join(dataDir, 'hyperagent.db-wal') };
  }
  const FRAME = 24 + 4096;
  const change = (log: string, at: number): void => {
    const data = readFileSync(log);
    data[at] = (data[at] ?? 0) ^ 255;
    writeFileSync(log, data);
  };

  test('is read if it is complete, or was cut off in its last transaction', () => {
    expect(start(crashed().dataDir)).toBe('starts');
    const cut = crashed();
    truncateSync(cut.log, statSync(cut.log).size - 100);
    expect(start(cut.dataDir)).toBe('starts');
    const torn = crashed();
    change(torn.log, statSync(torn.log).size - 50);
    expect(start(torn.dataDir)).toBe('starts');
  });

  test.each([
    ['a page', 24 + 500],
    ['the number of a page', 2],
    ['a checksum', 17],
    ['a salt', 9],
  ])('is not cut short without a word where %s in its middle is damaged', (_what, offset) => {
    const { dataDir, log } = crashed();
    const frames = Math.floor((statSync(log).size - 32) / FRAME);
    // Behind the tables, and before the last of the tasks.
    change(log, 32 + FRAME * (frames - 12) + offset);
    const before = readFileSync(log);
    expect([start(dataDir), start(dataDir)]).toEqual(['DATABASE_CORRUPT', 'DATABASE_CORRUPT']);
    expect(readFileSync(log).equals(before)).toBe(true);
    // What can still be read is more than any earlier backup has.
    restoreDatabase(findBackup(dataDir), {
      dataDir,
      entryPoint: 'terminal',
      clock: new HandClock(),
    });
    const { length } = readThreads(open(dataDir).connection).list();
    expect([length > 0, length < 10]).toEqual([true, true]);
  });
});
