import { realpathSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import { RunningTime } from '../base/running-time.ts';
import { workerFile } from '../base/worker-file.ts';
import {
  type HostProcess,
  type StartHostProcess,
  startNodeHost,
} from '../models/embedded/host-process.ts';
import { tooLargePicture, unreadablePicture } from './picture-errors.ts';
import { pictureKind } from './picture-kind.ts';
import {
  type DecodedPicture,
  type DecodeJob,
  PICTURE_LIMITS,
  type PictureLimits,
  type ProcessAnswer,
  type ProcessJob,
} from './types.ts';

/** An idle process costs some 100 MB. */
const IDLE_MS = 30_000;
const HEAP_MB = 512;

interface Running {
  readonly child: HostProcess;
  idle: NodeJS.Timeout | null;
}

interface Current {
  readonly id: number;
  readonly child: HostProcess;
  readonly resolve: (picture: DecodedPicture) => void;
  readonly reject: (error: unknown) => void;
}

/** Decodes pictures, one at a time, in a process that is started on demand and ended when idle or over a limit. */
export class PictureDecoder implements AsyncDisposable {
  readonly #root: string;
  readonly #start: StartHostProcess;
  readonly #limits: PictureLimits;
  readonly #closed = new AbortController();
  #running: Running | null = null;
  #current: Current | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #lastId = 0;

  /** `root` is the app's folder. */
  constructor(
    root: string,
    {
      start = startNodeHost,
      limits = {},
    }: {
      readonly start?: StartHostProcess | undefined;
      readonly limits?: Partial<PictureLimits>;
    } = {},
  ) {
    this.#root = root;
    this.#start = start;
    this.#limits = { ...PICTURE_LIMITS, ...limits };
  }

  /**
   * Throws `PICTURE_UNREADABLE` for what is not a picture or a damaged one, `PICTURE_TOO_LARGE` for one beyond a
   * limit of bytes, pixels, time or memory.
   */
  async decode(
    bytes: Uint8Array,
    job: Omit<DecodeJob, 'kind'>,
    signal?: AbortSignal,
  ): Promise<DecodedPicture> {
    signal?.throwIfAborted();
    const kind = pictureKind(bytes);
    if (kind === null) {
      throw unreadablePicture(
        'It is not a picture of a kind that can be read (png, jpeg, webp, gif, bmp, tiff, svg, heic, avif).',
      );
    }
    const { bytes: most } = this.#limits;
    if (bytes.length > most) {
      throw tooLargePicture(`The picture has over ${Math.floor(most / 1024 / 1024)} MB.`);
    }
    const turn = this.#queue.then(() => this.#run(bytes, { ...job, kind }, signal));
    // The next picture waits for this one, however this one ends.
    this.#queue = turn.catch(() => undefined);
    return await turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new AppError('CANCELLED', 'The app is closing.'));
    await this.#queue;
    this.#end();
  }

  async #run(
    bytes: Uint8Array,
    job: DecodeJob,
    given: AbortSignal | undefined,
  ): Promise<DecodedPicture> {
    const signals = [this.#closed.signal, ...(given === undefined ? [] : [given])];
    const signal = AbortSignal.any(signals);
    signal.throwIfAborted();
    const { child } = this.#ready();
    const { promise, resolve, reject } = Promise.withResolvers<DecodedPicture>();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#current = { id, child, resolve, reject };
    const stop = (reason: unknown): void => {
      reject(reason);
      this.#end();
    };
    const onAbort = (): void => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const { timeMs } = this.#limits;
    using _limit = new RunningTime({ ms: timeMs, onReached: () => stop(timeExceeded(timeMs)) });
    child.setBusy(true);
    try {
      child.send({ ...job, id, bytes } satisfies ProcessJob);
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#current = null;
      this.#rest();
    }
  }

  #ready(): Running {
    if (this.#running !== null) {
      if (this.#running.idle !== null) clearTimeout(this.#running.idle);
      return this.#running;
    }
    const file = workerFile('picture-process', {
      sourceDir: import.meta.dirname,
      root: this.#root,
    });
    const child = this.#start(file, [JSON.stringify(this.#limits)], {
      heapMb: HEAP_MB,
      readsOnly: foldersOf(this.#root),
    });
    const running: Running = { child, idle: null };
    child.onMessage((message) => this.#receive(message as ProcessAnswer));
    // Read, so that a full pipe does not stop it.
    child.onErrorText(() => undefined);
    child.onEnd(() => this.#onEnd(child));
    this.#running = running;
    return running;
  }

  #receive(answer: ProcessAnswer): void {
    if (answer.id !== this.#current?.id) return;
    if (answer.ok) this.#current.resolve(answer.picture);
    else this.#current.reject(asError(answer.error));
  }

  /** A picture that ends the process counts as unreadable. */
  #onEnd(child: HostProcess): void {
    if (this.#running?.child === child) this.#running = null;
    if (this.#current?.child !== child) return;
    this.#current.reject(unreadablePicture('The decoder for its format failed.'));
  }

  #rest(): void {
    const running = this.#running;
    if (running === null) return;
    running.child.setBusy(false);
    running.idle = setTimeout(() => this.#end(), IDLE_MS);
    running.idle.unref();
  }

  #end(): void {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    if (running.idle !== null) clearTimeout(running.idle);
    running.child.kill();
  }
}

/** Where the program and its libraries are: libraries may be linked from elsewhere. */
function foldersOf(root: string): string[] {
  return [root, realpathSync(path.join(root, 'node_modules'))];
}

function asError({ code, message, details }: (ProcessAnswer & { ok: false })['error']): AppError {
  // An error without a code of ours comes from a library that met unexpected input.
  return code === 'INTERNAL'
    ? unreadablePicture('It is damaged: the decoder for its format failed.', new Error(message))
    : new AppError(code, message, { details });
}

function timeExceeded(timeMs: number): AppError {
  return tooLargePicture(`Reading it took longer than ${Math.round(timeMs / 100) / 10} seconds.`);
}
