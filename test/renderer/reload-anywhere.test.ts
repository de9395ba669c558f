import { describe, expect, it } from 'vitest';
import type { RunEvent } from '#contract/events/run-event.ts';
import { foldEvents } from '#renderer/store/fold-events.ts';
import { emptyRunView, type RunView } from '#renderer/store/run-view.ts';
import { CSV_RUN } from '../fakes/csv-run.ts';
import { FakeBridge } from '../fakes/fake-bridge.ts';
import { addQuestions } from '../fakes/fake-questions.ts';
import { addHistory, fakeState } from '../fakes/fake-state.ts';
import { addPlans } from '../fakes/planned-run.ts';

/** All visible data of a view, as plain data. */
function screen(view: RunView): unknown {
  return JSON.parse(
    JSON.stringify(view, (_key, value: unknown) => {
      if (value instanceof Map) return ['map', ...value];
      if (value instanceof Set) return ['set', ...value];
      return value;
    }),
  );
}

const fold = (runId: string, batches: readonly (readonly RunEvent[])[]): RunView =>
  batches.reduce((view, batch) => foldEvents(view, batch), emptyRunView(runId));

/** The logs of every recorded run of the fakes, and one with every type of event. */
async function recordedRuns(): Promise<[string, readonly RunEvent[]][]> {
  const bridge = new FakeBridge(fakeState(0), CSV_RUN, 0);
  addHistory(bridge, 0);
  addQuestions(bridge, 0);
  addPlans(bridge, 0);
  const runs: [string, readonly RunEvent[]][] = [];
  for (const { id } of bridge.state.runs) {
    const result = await bridge.request('runs.events', { runId: id, afterSeq: 0 });
    if (result.ok) runs.push([id, result.data.events]);
  }
  return runs;
}

describe.each(await recordedRuns())('the log of %s', (runId, events) => {
  it('gives the same screen from one batch, from single events, and with a reload at any event', () => {
    const live = screen(fold(runId, [events]));
    const oneByOne = screen(
      fold(
        runId,
        events.map((event) => [event]),
      ),
    );
    expect(oneByOne).toEqual(live);
    for (let at = 0; at <= events.length; at += 1) {
      // A window that reloads reads stored events in pages, then gets the rest pushed.
      const seen = screen(fold(runId, [events.slice(0, at)]));
      const stepwise = screen(
        fold(
          runId,
          events.slice(0, at).map((event) => [event]),
        ),
      );
      expect({ at, screen: seen }).toEqual({ at, screen: stepwise });
      const resumed = fold(runId, [
        events.slice(0, at),
        ...events.slice(at).map((event) => [event]),
      ]);
      expect({ at, screen: screen(resumed) }).toEqual({ at, screen: live });
    }
  });
});
