import { expect, test } from 'vitest';
import type { RunEvent } from '#contract/events/run-event.ts';
import { silentLogger } from '#main/base/logger.ts';
import { RunFeed } from '#main/run/run-feed.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { insertRun, open, recordingLogger, temporaryDir } from '../storage/support.ts';

function setUp(logger = silentLogger) {
  const database = open(temporaryDir());
  insertRun(database);
  const store = writeEvents(database.connection);
  const feed = new RunFeed(logger);
  const append = (count: number): void => {
    const from = store.lastSeq('run_1') + 1;
    const events = Array.from(
      { length: count },
      (_, i): RunEvent => ({
        type: 'token',
        runId: 'run_1',
        seq: from + i,
        at: 1,
        messageId: 'm',
        text: 'x',
      }),
    );
    store.append(events);
    feed.publish('run_1', events);
  };
  return { feed, append };
}

test('a listener that throws affects no other, and is logged', () => {
  const logger = recordingLogger();
  const { feed, append } = setUp(logger);
  const seen: number[] = [];
  feed.listen('run_1', () => {
    throw new Error('bug');
  });
  feed.listen('run_1', (events) => seen.push(events.length));
  append(2);
  expect([seen, logger.lines.map(({ message }) => message)]).toEqual([
    [2],
    ['A listener of run events threw'],
  ]);
});

test('listening delivers new events only, to each listener separately', () => {
  const { feed, append } = setUp();
  append(2);
  const seen: number[] = [];
  const listener = (events: readonly RunEvent[]): void => {
    seen.push(...events.map(({ seq }) => seq));
  };
  const stopFirst = feed.listen('run_1', listener);
  const stopSecond = feed.listen('run_1', listener);
  append(1);
  stopFirst();
  stopFirst();
  append(1);
  stopSecond();
  append(1);
  expect(seen).toEqual([3, 3, 4]);
});
