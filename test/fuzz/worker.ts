import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#contract/errors.ts';
import { makeInput } from './inputs.ts';
import { findTarget } from './targets.ts';
import type { FuzzInput, FuzzTarget } from './types.ts';

/** The thread on which parsers run as main runs them. `fuzz-thread.ts` watches it from outside. */

/** What is asked of it: the inputs from `from` on, of `count` in all. */
export interface FuzzOrder {
  readonly name: string;
  readonly seed: number;
  readonly count: number;
  readonly from: number;
  /** Most bytes of an input. */
  readonly longest?: number;
  /** Past this index nothing is run; `count` unless given. */
  readonly until?: number;
}

export type FuzzMessage =
  | { readonly kind: 'typed'; readonly code: string }
  | { readonly kind: 'internal'; readonly index: number; readonly problem: string }
  | { readonly kind: 'slower'; readonly index: number; readonly ms: number }
  | { readonly kind: 'done' };

/** Shared with the watch: the index at work. */
const at = new Int32Array((workerData as { at: SharedArrayBuffer }).at);
/**
 * A block that seems longer is measured again, alone, and the shortest counts: garbage of inputs before it,
 * and code that is compiled meanwhile, are no fault of a parser.
 */
const SUSPECT_MS = 50;
const TRIES_AGAIN = 3;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let index = -1;
const send = (message: FuzzMessage): void => parentPort?.postMessage(message);
/** Would have ended the app. */
const onCrash = (error: unknown): void =>
  send({ kind: 'internal', index, problem: `CRASH ${describe(error)}` });

if (!isMainThread) {
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
  parentPort?.on('message', (order: FuzzOrder) => void carryOut(order));
}

async function carryOut({ name, from, until, ...run }: FuzzOrder): Promise<void> {
  const target = findTarget(name);
  let longest = 0;
  for (index = from; index < (until ?? run.count); index += 1) {
    Atomics.store(at, 0, index);
    const place = { ...run, index };
    let ms = await tryOne(target, makeInput(target, place));
    for (let again = 0; ms > SUSPECT_MS && ms > longest && again < TRIES_AGAIN; again += 1) {
      const input = makeInput(target, place);
      collectGarbage();
      ms = Math.min(ms, await tryOne(target, input, true));
    }
    if (ms <= longest) continue;
    longest = ms;
    send({ kind: 'slower', index, ms });
  }
  send({ kind: 'done' });
}

/** The longest block of one input, in ms of this thread's own work. */
async function tryOne(target: FuzzTarget, input: FuzzInput, isAgain = false): Promise<number> {
  let longest = 0;
  let since = workedMs();
  const note = (): void => {
    const now = workedMs();
    longest = Math.max(longest, now - since);
    since = now;
  };
  try {
    const result = target.run(input);
    note();
    if (result instanceof Promise) await beating(result, note);
  } catch (error) {
    note();
    if (isAgain) return longest;
    if (target.isTyped?.(error) === true) send({ kind: 'typed', code: nameOf(error) });
    else if (error instanceof AppError && error.code !== 'INTERNAL')
      send({ kind: 'typed', code: error.code });
    else send({ kind: 'internal', index, problem: describe(error) });
  }
  return longest;
}

/** Waits for `work` and notes every turn of the loop meanwhile. */
async function beating(work: Promise<unknown>, note: () => void): Promise<void> {
  let isOver = false;
  const beat = (): void => {
    note();
    if (!isOver) setImmediate(beat);
  };
  setImmediate(beat);
  try {
    await work;
  } finally {
    isOver = true;
    note();
  }
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 300);
  const where = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6);
  return `${error.name}: ${error.message.slice(0, 200)}\n${where.join('\n')}`;
}
