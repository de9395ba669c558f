import { expect, it } from 'vitest';
import type { RunEventOf } from '#contract/events/run-event.ts';
import { openAppBench } from '../fakes/app-bench.ts';

/** What models cost, from the logs of real runs. */

function totalOf(events: readonly RunEventOf<'usage'>[]) {
  const sum = (value: (event: RunEventOf<'usage'>) => number | undefined): number =>
    events.reduce((all, event) => all + (value(event) ?? 0), 0);
  return {
    ...{ model: 'ollama:x', requests: events.length },
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    durationMs: expect.closeTo(
      sum(({ durationMs }) => durationMs),
      3,
    ),
    estimated: 0,
  };
}

it('a copy of a task costs only what is asked in it', async () => {
  const bench = await openAppBench(({ results }) =>
    results.length > 0
      ? { content: 'Nothing is there.' }
      : { calls: [{ name: 'sandbox_file', arguments: { operation: 'list', path: '.' } }] },
  );
  const { api } = bench.app;
  const first = await bench.play('What is in the workspace?');
  const cost = totalOf(first.of('usage'));
  expect(cost.requests).toBe(2);
  expect(cost.promptTokens).toBeGreaterThan(0);
  expect(await api['usage.get']({})).toEqual({ all: [cost], recent: [cost] });

  const { run } = await api['runs.fork']({ runId: first.run.id, seq: first.run.lastSeq });
  expect((await api['usage.get']({ threadId: run.threadId })).all).toEqual([]);
  expect((await api['usage.get']({})).all).toEqual([cost]);

  api['runs.resume']({ runId: run.id });
  const fork = await bench.settled(run.id);
  const own = fork.of('usage').filter(({ at }) => at >= run.createdAt);
  expect(own.length).toBeGreaterThan(0);
  const all = totalOf([...first.of('usage'), ...own]);
  expect((await api['usage.get']({ threadId: run.threadId })).all).toEqual([totalOf(own)]);
  expect((await api['usage.get']({})).all).toEqual([all]);
});
