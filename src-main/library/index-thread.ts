import { Worker } from 'node:worker_threads';
import { AppError, ERROR_CODES, type ErrorCode } from '#contract/errors.ts';
import { workerFile } from '../base/worker-file.ts';
import type { ReadScans } from '../documents/types.ts';
import type { FolderProgress } from './folder-index.ts';
import type {
  Failure,
  FromIndex,
  IndexCall,
  IndexInput,
  IndexOutput,
  IndexPlace,
  ToIndex,
} from './index-messages.ts';
import { ScanAnswers } from './scan-answers.ts';

/** An idle thread costs memory, mostly for the embeddings that it has loaded. */
const IDLE_MS = 5 * 60_000;

export interface IndexThreadParts extends IndexPlace {
  /** A file could not be read. */
  readonly onUnread: (file: string, why: string) => void;
  readonly readScans: ReadScans;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: FolderProgress) => void;
}

interface Pending {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: FolderProgress) => void) | undefined;
}

/** The thread that owns the index: started by the first call, ended when idle or disposed. */
export class IndexThread implements AsyncDisposable {
  readonly #parts: IndexThreadParts;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #ending: Promise<void> | null = null;
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;
  #isDisposed = false;

  constructor(parts: IndexThreadParts) {
    this.#parts = parts;
  }

  /** Throws what the call throws, and `CANCELLED` once disposed. After an abort it rejects once the work has stopped. */
  async call<Name extends IndexCall>(
    name: Name,
    input: IndexInput<Name>,
    { signal, onProgress }: CallOptions,
  ): Promise<IndexOutput<Name>> {
    signal.throwIfAborted();
    // Otherwise two threads would write to one file.
    while (this.#ending !== null) await this.#ending;
    if (this.#isDisposed) throw new AppError('CANCELLED', 'The app is closing.');
    const worker = this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { resolve, reject, onProgress });
    const post = (message: ToIndex): void => worker.postMessage(message);
    const onAbort = (): void => post({ kind: 'abort', id });
    try {
      post({ kind: 'call', id, name, input });
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      return (await promise) as IndexOutput<Name>;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#pending.delete(id);
      this.#startIdleTimer();
    }
  }

  /** Stops the running calls, then ends the thread; the next call starts another one. */
  async end(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker !== null) {
      this.#worker = null;
      const { promise, resolve } = Promise.withResolvers<void>();
      worker.ref();
      worker.once('exit', () => resolve());
      worker.postMessage({ kind: 'close' } satisfies ToIndex);
      this.#ending = promise.finally(() => {
        this.#ending = null;
      });
    }
    await this.#ending;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.end();
  }

  #start(): Worker {
    if (this.#idle !== null) clearTimeout(this.#idle);
    if (this.#worker !== null) {
      // A running thread keeps the process alive.
      this.#worker.ref();
      return this.#worker;
    }
    const { file, dataDir, readOnly, root, readScans } = this.#parts;
    const script = workerFile('index-worker', { sourceDir: import.meta.dirname, root });
    const worker = new Worker(script, {
      workerData: { file, dataDir, readOnly, root } satisfies IndexPlace,
      env: {},
      execArgv: [],
      name: 'library',
    });
    const scans = new ScanAnswers(readScans, (reply) =>
      worker.postMessage(reply satisfies ToIndex),
    );
    worker.on('exit', () => scans[Symbol.dispose]());
    worker.on('message', (message: FromIndex) => this.#receive(message, scans));
    worker.on('error', (error) => this.#onWorkerEnd(worker, error));
    worker.on('exit', () => this.#onWorkerEnd(worker, new Error('The library thread ended.')));
    this.#worker = worker;
    return worker;
  }

  #receive(message: FromIndex, scans: ScanAnswers): void {
    switch (message.kind) {
      case 'done':
        this.#pending.get(message.id)?.resolve(message.output);
        return;
      case 'failed':
        this.#pending.get(message.id)?.reject(asError(message.failure));
        return;
      case 'progress':
        this.#pending.get(message.id)?.onProgress?.(message.progress);
        return;
      case 'scan':
        void scans.answer(message);
        return;
      case 'scan_abort':
        scans.abort(message.id);
        return;
      case 'unread':
        this.#parts.onUnread(message.file, message.why);
        return;
    }
  }

  #onWorkerEnd(worker: Worker, error: unknown): void {
    if (this.#worker === worker) this.#worker = null;
    else if (this.#worker !== null) return;
    for (const { reject } of this.#pending.values()) reject(error);
  }

  #startIdleTimer(): void {
    if (this.#pending.size > 0 || this.#worker === null) return;
    this.#worker.unref();
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.end(), IDLE_MS);
    this.#idle.unref();
  }
}

function asError({ code, message, details, stack }: Failure): Error {
  const isOurs = code !== null && code in ERROR_CODES;
  const error = isOurs ? new AppError(code as ErrorCode, message, { details }) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
