import { setTimeout as wait } from 'node:timers/promises';
import type { Run } from '#contract/entities.ts';
import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { RunApi } from '../ipc/types.ts';
import type { Printer } from './printer.ts';

const LOOK_AGAIN_MS = 200;
/** How long the app that is open has to take a run up. */
const TAKE_UP_MS = 10_000;

/** Prints what another process does with a run, from the log on disk, until it rests or ended. */
export async function followSecondary(
  before: Run,
  runs: Pick<RunApi, 'get' | 'events' | 'waiting'>,
  { printer, signal }: { readonly printer: Printer; readonly signal: AbortSignal },
): Promise<Run> {
  let seq = before.lastSeq;
  const began = performance.now();
  while (!signal.aborted) {
    for (const event of runs.events(before.id, seq, EVENT_PAGE_SIZE)) {
      printer.print(event);
      seq = event.seq;
    }
    const run = runs.get(before.id);
    const isOver = run.endedAt !== null && run.lastSeq === seq;
    const asks = run.status === 'waiting' && runs.waiting().some(({ runId }) => runId === run.id);
    const isParked = run.status !== 'running' && performance.now() - began > TAKE_UP_MS;
    if (isOver || asks || isParked) return run;
    await wait(LOOK_AGAIN_MS);
  }
  return runs.get(before.id);
}
