import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '#main/base/logger.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { writeMessages } from '#main/storage/message-store.ts';
import { openDatabase } from '#main/storage/open-database.ts';
import { writeThreads } from '#main/storage/thread-store.ts';
import { DAMAGE } from './damage.ts';
import { HandClock, insertRun, temporaryDir } from './support.ts';

const template = mkdtempSync(join(tmpdir(), 'hyperagent-damage-'));

beforeAll(() => {
  const database = openDatabase({
    ...{ dataDir: template, logger: silentLogger, clock: new HandClock(), door: 'terminal' },
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

/** What a start says of the folder. */
function start(dataDir: string): string {
  try {
    const clock = new HandClock();
    openDatabase({ dataDir, logger: silentLogger, clock, door: 'terminal' }).close();
    return 'starts';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

describe('a database that is damaged', () => {
  test.each(DAMAGE)('is not taken for a sound one, nor replaced: $name', ({ apply }) => {
    const dataDir = temporaryDir();
    cpSync(template, dataDir, { recursive: true });
    const file = join(dataDir, 'hyperagent.db');
    apply(file);
    const before = existsSync(file) ? readFileSync(file) : null;
    expect([start(dataDir), start(dataDir)]).toEqual(['DATABASE_CORRUPT', 'DATABASE_CORRUPT']);
    expect(existsSync(file) ? readFileSync(file) : null).toEqual(before);
    expect(readdirSync(dataDir).sort()).toEqual(expect.arrayContaining(['workspaces']));
  });

  test('is none that was closed properly', () => {
    const dataDir = temporaryDir();
    cpSync(template, dataDir, { recursive: true });
    expect([start(dataDir), start(dataDir)]).toEqual(['starts', 'starts']);
  });
});
