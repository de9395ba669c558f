import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { MAX_EVENT_TEXT } from '#main/run/coalesce.ts';
import { RunLog, type RunLogParts } from '#main/run/run-log.ts';
import { HandClock } from '../storage/support.ts';
import { plain, question, token } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const end: RunEventDraft = { type: 'error', code: 'INTERNAL', message: 'x', details: {} };
const full = new AppError('DISK_FULL', 'full');

function setUp(changes: Partial<RunLogParts> = {}) {
  const clock = new HandClock();
  const stored: RunEvent[][] = [];
  const published: RunEvent[][] = [];
  const failures: unknown[] = [];
  const log = new RunLog({
    runId: 'run_1',
    lastSeq: 0,
    clock,
    store: (events) => stored.push([...events]),
    publish: (events) => published.push([...events]),
    onFailure: (error) => failures.push(error),
    ...changes,
  });
  return { log, clock, stored, published, failures };
}

describe('within a frame', () => {
  test('pieces are joined, order is kept, and everything is stored at once', () => {
    const { log, stored, published } = setUp();
    for (const text of ['He', 'll', 'o']) log.emit(token(text));
    log.emit({ type: 'terminal_output', commandId: 'x', offset: 0, text: 'a' });
    log.emit({ type: 'terminal_output', commandId: 'x', offset: 1, text: 'b' });
    log.emit(question);
    log.emit(token(' you'));
    vi.advanceTimersByTime(15);
    const early = stored.length;
    vi.advanceTimersByTime(1);
    expect([early, stored.length]).toEqual([0, 1]);
    expect(plain(stored.flat())).toEqual([
      { ...token('Hello'), seq: 1 },
      { type: 'terminal_output', commandId: 'x', offset: 0, text: 'ab', seq: 2 },
      { ...question, seq: 3 },
      { ...token(' you'), seq: 4 },
    ]);
    expect(published).toEqual(stored);
  });

  test('events keep the time at which they came', () => {
    const { log, clock, stored } = setUp();
    const start = clock.time;
    log.emit(token('a'));
    clock.time += 5;
    log.emit(question);
    vi.advanceTimersByTime(16);
    expect(stored.flat().map(({ at }) => at - start)).toEqual([0, 5]);
  });

  test('duplicates and empty pieces leave no trace, not even a frame', () => {
    const { log, stored } = setUp();
    log.emit(token(''));
    expect(vi.getTimerCount()).toBe(0);
    log.emit(question);
    log.emit(question);
    vi.advanceTimersByTime(16);
    log.emit(question);
    vi.advanceTimersByTime(16);
    expect(plain(stored.flat())).toEqual([{ ...question, seq: 1 }]);
  });
});

describe('numbers', () => {
  test('continue from what is stored, without gaps, over frames', () => {
    const { log, stored } = setUp({ lastSeq: 7 });
    for (let frame = 0; frame < 3; frame += 1) {
      log.emit(token('a', `m${frame}`));
      log.emit({ type: 'reasoning', messageId: 'm', text: 'b' });
      vi.advanceTimersByTime(16);
    }
    expect(stored.flat().map(({ seq }) => seq)).toEqual([8, 9, 10, 11, 12, 13]);
    expect(log.lastSeq).toBe(13);
  });
});

describe('a burst', () => {
  test('is stored before the frame is over, in batches', () => {
    const { log, stored } = setUp();
    for (let i = 0; i < 1_250; i += 1) log.emit(token('a', `m${i}`));
    expect(stored.map((batch) => batch.length)).toEqual([500, 500]);
    vi.advanceTimersByTime(16);
    expect(stored.flat().map(({ seq }) => seq)).toEqual(
      Array.from({ length: 1_250 }, (_, i) => i + 1),
    );
  });

  test('of text is bounded by the event and by what waits', () => {
    const { log, stored } = setUp();
    const text = 'x'.repeat(10 * 1024 * 1024 + 7);
    log.emit({ type: 'terminal_output', commandId: 'x', offset: 0, text });
    vi.advanceTimersByTime(16);
    const pieces = stored.flat().map((event) => ('text' in event ? event.text : ''));
    expect([pieces.join('') === text, Math.max(...pieces.map((piece) => piece.length))]).toEqual([
      true,
      MAX_EVENT_TEXT,
    ]);
    for (let i = 0; i < 64; i += 1) log.emit(token('y'.repeat(32 * 1024), `m${i}`));
    expect(stored.length).toBeGreaterThanOrEqual(3);
  });
});

describe('the end', () => {
  test('stores what is pending with it, at once, and nothing after it', () => {
    const { log, stored } = setUp();
    log.emit(token('last'));
    log.close(end);
    log.emit(token('too late'));
    log.flush();
    log.close(end);
    vi.advanceTimersByTime(100);
    expect(stored.map(plain)).toEqual([
      [
        { ...token('last'), seq: 1 },
        { ...end, seq: 2 },
      ],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a disk that fails', () => {
  function failing(times: number) {
    let left = times;
    const stored: RunEvent[] = [];
    const store = (events: readonly RunEvent[]): void => {
      left -= 1;
      if (left >= 0) throw full;
      stored.push(...events);
    };
    return { ...setUp({ store }), stored };
  }

  test('is reported once; nothing is published, and nothing more is accepted', () => {
    const { log, published, failures } = failing(1);
    log.emit(token('a'));
    vi.advanceTimersByTime(16);
    log.emit(token('b'));
    vi.advanceTimersByTime(100);
    expect([published, failures]).toEqual([[], [full]]);
  });

  test('gets what was pending together with the end once it works, without a gap', () => {
    const { log, stored, published } = failing(2);
    log.emit(token('a'));
    vi.advanceTimersByTime(16);
    expect(() => log.close(end)).toThrow(full);
    log.close(end);
    expect(plain(stored)).toEqual([
      { ...token('a'), seq: 1 },
      { ...end, seq: 2 },
    ]);
    expect(published.flat()).toEqual(stored);
  });

  test('does not keep the end from being published', () => {
    const { log, published } = failing(9);
    log.emit(token('a'));
    vi.advanceTimersByTime(16);
    const events = log.closeUnstored(end);
    log.close(end);
    expect([plain(events), published]).toEqual([[{ ...end, seq: 1 }], [events]]);
  });

  test('can be given the end alone', () => {
    const { log, stored } = failing(1);
    log.emit(token('a'));
    vi.advanceTimersByTime(16);
    log.close(end, { onlyEnd: true });
    expect(plain(stored)).toEqual([{ ...end, seq: 1 }]);
  });
});

test('emit never throws, not even for what cannot be written as JSON', () => {
  const { log, failures } = setUp({ store: (events) => void JSON.stringify(events) });
  const output = { size: 10n };
  log.emit({ type: 'skill_output', skillId: 's', executionId: 'e', output });
  expect(failures).toMatchObject([{ name: 'TypeError' }]);
  const { log: other, failures: later } = setUp({
    store: (events) => void JSON.stringify(events),
  });
  other.emit({
    type: 'tool_call',
    toolCallId: 'c',
    name: 'n',
    arguments: output,
    risk: 'low',
    effect: 'read',
    agent: 'executor',
    round: 1,
  });
  vi.advanceTimersByTime(16);
  expect(later).toMatchObject([{ name: 'TypeError' }]);
});

test('what a listener emits comes after what it receives', () => {
  const heard: number[] = [];
  let once = true;
  const { log } = setUp({
    publish: (events) => {
      if (once) {
        once = false;
        for (let i = 0; i < 600; i += 1) log.emit(token('b', `n${i}`));
      }
      heard.push(...events.map(({ seq }) => seq));
    },
  });
  log.emit(token('a'));
  vi.advanceTimersByTime(40);
  expect(heard).toEqual(Array.from({ length: 601 }, (_, i) => i + 1));
});

describe('writes', () => {
  function withWrites() {
    const batches: string[][] = [];
    const written: string[] = [];
    const made = setUp({
      store: (events, writes) => {
        for (const write of writes) write();
        batches.push([...written.splice(0), ...events.map(({ type }) => type)]);
      },
    });
    return { ...made, batches, write: (name: string) => () => void written.push(name) };
  }

  test('go with the events of their frame, in one batch, and without any after a frame', () => {
    const { log, batches, write } = withWrites();
    log.persist(write('a'));
    log.emit(question);
    log.persist(write('b'));
    vi.advanceTimersByTime(16);
    log.persist(write('c'));
    vi.advanceTimersByTime(16);
    expect(batches).toEqual([['a', 'b', question.type], ['c']]);
  });

  test('that are committed take along all that waits, and are stored when that returns', () => {
    const { log, batches, write } = withWrites();
    log.emit(question);
    log.persist(write('a'));
    log.commit(write('b'));
    expect(batches).toEqual([['a', 'b', question.type]]);
    log.commit(write('c'));
    expect([batches.length, vi.getTimerCount()]).toEqual([2, 0]);
  });

  test('that cannot be stored throw, and go alone: what waited is stored with the end', () => {
    let isFull = true;
    const batches: number[] = [];
    const { log, failures } = setUp({
      store: (_events, writes) => {
        if (isFull) throw full;
        batches.push(writes.length);
      },
    });
    log.persist(() => undefined);
    expect(() => log.commit(() => undefined)).toThrow(full);
    expect(() => log.commit(() => undefined)).toThrow('closed');
    expect(failures).toEqual([full]);
    isFull = false;
    log.close(end);
    expect(batches).toEqual([1]);
  });
});
