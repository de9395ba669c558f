import { expect, it, onTestFinished } from 'vitest';
import { firstSourceNumber } from '#main/agents/research/source-numbers.ts';
import { runSources } from '#main/agents/run-sources.ts';
import { branchStep, RUN_STEP } from '#main/base/step-path.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import type { FoundSource } from '#main/tools/types.ts';
import { HandClock, insertRun, open, temporaryDir } from '../storage/support.ts';

/** Two runs of a task, over the real journal; `again` opens what a process after a crash has. */
function setUp() {
  const database = open(temporaryDir());
  insertRun(database, 'run_1');
  insertRun(database, 'run_2');
  onTestFinished(() => database.close());
  const again = (runId = 'run_1') => {
    const journal = openJournal(database.connection, new HandClock());
    const scope = { runId, threadId: 'thr_1', commit: (work: () => void) => work() };
    const add = (found: readonly FoundSource[], call = 'call_1') =>
      runSources(journal, scope).add(found, call);
    const research = () =>
      firstSourceNumber(journal, { ...scope, branch: branchStep(RUN_STEP, 'research') });
    return { add, research };
  };
  const store = (runId: string, events: ReturnType<ReturnType<typeof again>['add']>['events']) =>
    writeEvents(database.connection).append(
      events.map((event, i) => ({ runId, seq: i + 1, at: i, ...event })),
    );
  return { again, store };
}

const page = (path: string, more: Partial<FoundSource> = {}): FoundSource => ({
  ...{ url: `https://a.example/${path}`, title: `Title of ${path}`, snippet: `About ${path}` },
  ...more,
});

it('numbers an address once, whatever finds it again, and also after a crash', () => {
  const { again } = setUp();
  const first = again().add([page('tides'), page('sea', { foundBy: 'brave' })]);
  expect(first).toEqual({
    numbers: [1, 2],
    events: [
      {
        ...{ type: 'source', index: 1, url: 'https://a.example/tides', title: 'Title of tides' },
        ...{ toolCallId: 'call_1', snippet: 'About tides' },
      },
      {
        ...{ type: 'source', index: 2, url: 'https://a.example/sea', title: 'Title of sea' },
        ...{ toolCallId: 'call_1', snippet: 'About sea', foundBy: 'brave' },
      },
    ],
  });
  const later = again();
  expect(later.add([page('moon'), page('sea')]).numbers).toEqual([3, 2]);
  const read = { url: 'https://a.example/sea?utm_source=x#top', title: 'Log in', isRead: true };
  expect(later.add([read], 'call_2').events).toEqual([
    {
      ...{ type: 'source', index: 2, url: read.url, title: 'Title of sea' },
      ...{ toolCallId: 'call_2', isRead: true },
    },
  ]);
});

it('shares the numbers of a run with its research, and uses none that the task has shown', () => {
  const { again, store } = setUp();
  const one = again();
  store('run_1', one.add([page('a'), page('b')]).events);
  expect(one.research()).toBe(101);
  expect(one.add([page('c')]).numbers).toEqual([3]);
  const two = again('run_2');
  expect(two.add([page('a'), page('d')]).numbers).toEqual([3, 4]);
  expect(two.research()).toBe(103);
});

it('goes on in another hundred, and ends at five hundred', () => {
  const { again } = setUp();
  const run = again();
  const many = Array.from({ length: 99 }, (_, i) => page(`p${i}`));
  run.add(many);
  expect(run.research()).toBe(101);
  expect(run.add([page('x'), page('y')]).numbers).toEqual([100, 201]);
  const rest = run.add(Array.from({ length: 400 }, (_, i) => page(`q${i}`)));
  expect(rest.numbers.filter((number) => number === null).length).toBe(1);
  expect(rest.events.length).toBe(399);
});

it('takes no address that is too long, and cuts titles between characters', () => {
  const { again } = setUp();
  const long = page('x'.repeat(5_000));
  const title = `${'a'.repeat(299)}😀`;
  const { numbers, events } = again().add([long, page('a', { title, snippet: 'b'.repeat(900) })]);
  expect(numbers).toEqual([null, 1]);
  expect(events).toMatchObject([{ title: 'a'.repeat(299), snippet: 'b'.repeat(400) }]);
});
