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
  const feed = new RunFeed(store, logger);
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
  return { feed, append, store };
}

const upTo = (last: number, after = 0): number[] =>
  Array.from({ length: last - after }, (_, i) => after + i + 1);

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('a reader who was away gets all of it once, in order, while the run goes on', async () => {
  const { feed, append } = setUp();
  append(2_345);
  const readers = [0, 1, 499, 500, 2_344, 2_345].map((after) => {
    const seen: number[] = [];
    feed.subscribe('run_1', after, (events) => seen.push(...events.map(({ seq }) => seq)));
    return { after, seen };
  });
  // Live batches fall before, between and after the pages of the backlog.
  for (let i = 0; i < 40; i += 1) {
    append((i % 7) + 1);
    if (i % 3 === 0) await Promise.resolve();
    if (i % 2 === 0) await turns(1);
  }
  await turns(20);
  append(5);
  const last =
    2_345 + Array.from({ length: 40 }, (_, i) => (i % 7) + 1).reduce((a, b) => a + b) + 5;
  for (const { after, seen } of readers) expect(seen).toEqual(upTo(last, after));
});

test('readers who come at random moments of a racing run miss nothing and see nothing twice', async () => {
  const { feed, append, store } = setUp();
  const readers: number[][] = [];
  for (let i = 0; i < 200; i += 1) {
    append(((i * 7919) % 23) + 1);
    if (i % 10 === 3) {
      const seen: number[] = [];
      readers.push(seen);
      feed.subscribe('run_1', 0, (events) => seen.push(...events.map(({ seq }) => seq)));
    }
    if (i % 4 === 1) await turns((i * 31) % 3);
  }
  await turns(30);
  expect(readers.map((seen) => seen.join() === upTo(store.lastSeq('run_1')).join())).toEqual(
    readers.map(() => true),
  );
});

test('a reader who comes while a batch is being published gets that batch once', async () => {
  const { feed, append } = setUp();
  const seen: number[] = [];
  let isFirst = true;
  feed.listen('run_1', () => {
    if (isFirst) feed.subscribe('run_1', 0, (events) => seen.push(...events.map(({ seq }) => seq)));
    isFirst = false;
  });
  append(3);
  append(2);
  await turns(3);
  expect(seen).toEqual(upTo(5));
});

test('a reader who is ahead of the log gets only what comes after', async () => {
  const { feed, append } = setUp();
  append(3);
  const seen: number[] = [];
  feed.subscribe('run_1', 5, (events) => seen.push(...events.map(({ seq }) => seq)));
  await turns(2);
  append(1);
  append(3);
  expect(seen).toEqual([6, 7]);
});

test('nothing is delivered before subscribe returns, and nothing after it was cancelled', async () => {
  const { feed, append } = setUp();
  append(1_200);
  const seen: number[] = [];
  const stop = feed.subscribe('run_1', 0, (events) => {
    seen.push(...events.map(({ seq }) => seq));
    if (seen.length === 500) stop();
  });
  expect(seen).toEqual([]);
  await turns(5);
  append(1);
  await turns(5);
  expect(seen).toEqual(upTo(500));
});

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
