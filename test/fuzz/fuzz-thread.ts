import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FuzzMessage, FuzzOrder } from './worker.ts';

export interface FuzzProblem {
  readonly index: number;
  readonly problem: string;
}

export interface FuzzResult {
  readonly name: string;
  readonly inputs: number;
  /** Refused with an error that says so. */
  readonly typed: number;
  /** Whatever else was thrown: a run would have ended as INTERNAL, or the app. */
  readonly internal: readonly FuzzProblem[];
  readonly hangs: readonly FuzzProblem[];
  /** Longest block, ms of CPU, and the input that took it. */
  readonly longestMs: number;
  readonly longestAt: number;
}

/** About what the main thread has, on all systems. */
const STACK_MB = 1;
const LOOK_EVERY_MS = 250;

/** One thread for parsers, watched from outside: one that hangs is ended, noted, and begun again behind that input. */
export class FuzzThread implements AsyncDisposable {
  readonly #at = new Int32Array(new SharedArrayBuffer(4));
  readonly #hangMs: number;
  #worker: Worker | null = null;

  /** `hangMs`: no input takes as long, however busy the machine is. */
  constructor(hangMs: number) {
    this.#hangMs = hangMs;
  }

  async run(order: Omit<FuzzOrder, 'from'> & { readonly from?: number }): Promise<FuzzResult> {
    const { name, count, from: first = 0, until = count } = order;
    const internal: FuzzProblem[] = [];
    const hangs: FuzzProblem[] = [];
    let typed = 0;
    let longest = { ms: 0, index: first };
    const take = (message: FuzzMessage): void => {
      if (message.kind === 'typed') typed += 1;
      else if (message.kind === 'internal') internal.push(message);
      else if (message.kind === 'slower' && message.ms > longest.ms) longest = message;
    };
    for (let from = first; from < until; ) {
      const ended = await this.#runUntilStopped({ ...order, from, until }, take);
      if (ended === null) break;
      (ended.isHang ? hangs : internal).push(ended);
      from = ended.index + 1;
    }
    return {
      ...{ name, inputs: until - first, typed, internal, hangs },
      ...{ longestMs: longest.ms, longestAt: longest.index },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  /** Null where all inputs were through; else which one stopped the thread. */
  async #runUntilStopped(
    order: FuzzOrder,
    take: (message: FuzzMessage) => void,
  ): Promise<(FuzzProblem & { readonly isHang: boolean }) | null> {
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    Atomics.store(this.#at, 0, order.from);
    const over = new AbortController();
    let death: string | null = null;
    const onMessage = (message: FuzzMessage): void => {
      if (message.kind === 'done') over.abort();
      else take(message);
    };
    const onError = (error: Error): void => {
      death = error.message;
      over.abort();
    };
    worker.on('message', onMessage).once('error', onError);
    worker.postMessage(order);
    const hungAt = await this.#watch(over.signal);
    worker.off('message', onMessage).off('error', onError);
    if (hungAt === null && death === null) return null;
    worker.on('error', () => undefined);
    await worker.terminate();
    this.#worker = null;
    const problem = death ?? `no end within ${this.#hangMs / 1000} s`;
    return { index: Atomics.load(this.#at, 0), problem, isHang: death === null };
  }

  /** The index that stood for too long; null where `over` came first. */
  async #watch(over: AbortSignal): Promise<number | null> {
    let seen = -1;
    let since = performance.now();
    while (!over.aborted) {
      await pause(LOOK_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
      const now = Atomics.load(this.#at, 0);
      if (now !== seen) {
        seen = now;
        since = performance.now();
      } else if (!over.aborted && performance.now() - since > this.#hangMs) return now;
    }
    return null;
  }

  #start(): Worker {
    return new Worker(join(import.meta.dirname, 'worker.ts'), {
      workerData: { at: this.#at.buffer },
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: 1_500 },
      env: { ...process.env, NODE_ENV: 'production' },
    });
  }
}
