import { setTimeout as wait } from 'node:timers/promises';
import type { Run } from '#contract/entities.ts';
import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { App } from '../compose/app.ts';
import type { Printer } from './printer.ts';

const POLL_MS = 200;
/** How long the running app may take to pick up a run. */
const PICK_UP_MS = 10_000;

/** Prints a run that another process carries out, from the log on disk, until it ends, asks or pauses. */
export async function followSecondary(
  before: Run,
  { api, runs }: Pick<App, 'api' | 'runs'>,
  { printer, signal }: { readonly printer: Printer; readonly signal: AbortSignal },
): Promise<Run> {
  let seq = before.lastSeq;
  const startedAt = performance.now();
  while (!signal.aborted) {
    for (const event of runs.events(before.id, seq, EVENT_PAGE_SIZE)) {
      printer.print(event);
      seq = event.seq;
    }
    const run = runs.get(before.id);
    const isOver = run.endedAt !== null && run.lastSeq === seq;
    const asks =
      run.status === 'waiting' &&
      api['runs.waiting']().questions.some(({ runId }) => runId === run.id);
    const isParked = run.status !== 'running' && performance.now() - startedAt > PICK_UP_MS;
    if (isOver || asks || isParked) return run;
    await wait(POLL_MS);
  }
  return runs.get(before.id);
}
