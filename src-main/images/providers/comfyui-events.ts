import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { delay, raceAbort } from '../../base/abort.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import type { ImageProgress } from '../types.ts';
import { executionFailure, interruptedInServer } from './comfyui-answers.ts';
import type { Sampling } from './comfyui-workflows.ts';

/** Of a message or an unfinished picture; larger ones are dropped. */
const MOST_FRAME_BYTES = 4 * 1024 * 1024;
const MOST_STEPS = 1_000_000;
/** Kinds of binary frames. */
const [PREVIEW, PREVIEW_WITH_METADATA] = [1, 4];

const Message = z.object({ type: z.string(), data: z.looseObject({ prompt_id: z.string() }) });
const Cached = z.object({ nodes: z.array(z.string()) });
const Executing = z.object({ node: z.string().nullable() });
const Steps = z.object({ value: z.number().nonnegative(), max: z.number().min(1).max(MOST_STEPS) });
const Progress = Steps.extend({ node: z.string() });
const ProgressState = z.object({ nodes: z.record(z.string(), z.unknown()) });
const NodeState = Steps.extend({ state: z.string() });

export interface EventOptions {
  readonly label: string;
  readonly sampling: Sampling | null;
  readonly onProgress: (progress: ImageProgress) => void;
}

/** What the web socket tells about one job. It may break at any time: then nothing new comes, and `isConnected` is false. */
export class ComfyuiEvents implements Disposable {
  /** The job whose messages count. */
  jobId: string;
  readonly #socket: WebSocket;
  readonly #options: EventOptions;
  readonly #stepsDone = new Map<string, number>();
  #state: 'waiting' | 'running' | 'ended' = 'waiting';
  #failure: AppError | null = null;
  #progress: ImageProgress = { queue: 0, step: null, steps: null, preview: null };
  #news = Promise.withResolvers<void>();

  constructor(socket: WebSocket, jobId: string, options: EventOptions) {
    this.jobId = jobId;
    this.#socket = socket;
    this.#options = options;
    // `close` follows, which is all that counts.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#news.resolve());
    socket.on('message', (data, isBinary) => this.#read(data, isBinary));
  }

  get isConnected(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get isRunning(): boolean {
    return this.#state !== 'waiting';
  }

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Why the job failed; null while nothing says so. */
  get failure(): AppError | null {
    return this.#failure;
  }

  /** Resolves when the socket is open, or cannot be opened. Rejects with the signal's reason. */
  async opened(signal: AbortSignal): Promise<void> {
    const settled = new Promise<void>((resolve) => {
      this.#socket.once('open', resolve);
      this.#socket.once('close', () => resolve());
    });
    await raceAbort(settled, signal);
    if (!this.isConnected) return;
    // It must be the first message. Previews then say which job they are of.
    const data = { supports_preview_metadata: true };
    this.#socket.send(JSON.stringify({ type: 'feature_flags', data }));
  }

  /** Resolves at news of the job or of the connection since the last call, or after `ms`. Rejects with the signal's reason. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    try {
      const time = delay(ms, AbortSignal.any([signal, done.signal]));
      await Promise.race([time, this.#news.promise]);
    } finally {
      done.abort();
    }
    this.#news = Promise.withResolvers<void>();
  }

  /** For what was learned otherwise. */
  markRunning(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'running';
    this.#report({});
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }

  #read(data: RawData, isBinary: boolean): void {
    if (!Buffer.isBuffer(data) || data.length > MOST_FRAME_BYTES) return;
    if (isBinary) {
      const preview = this.#state === 'running' ? previewIn(data, this.jobId) : null;
      if (preview !== null) this.#report({ preview });
      return;
    }
    const message = safeParse(Message, jsonIn(data));
    if (!message.success || message.data.data.prompt_id !== this.jobId) return;
    this.#follow(message.data.type, message.data.data);
  }

  #follow(type: string, data: unknown): void {
    switch (type) {
      case 'execution_start':
        this.markRunning();
        break;
      case 'execution_cached': {
        const { success, data: cached } = safeParse(Cached, data);
        if (success) for (const node of cached.nodes) this.#count(node, { value: 1, max: 1 });
        break;
      }
      case 'progress': {
        const { success, data: progress } = safeParse(Progress, data);
        if (success) this.#count(progress.node, progress);
        break;
      }
      case 'progress_state': {
        const { success, data: state } = safeParse(ProgressState, data);
        if (success) this.#countAll(state.nodes);
        break;
      }
      case 'executing': {
        const { success, data: executing } = safeParse(Executing, data);
        if (success && executing.node === null) this.#end(null);
        break;
      }
      case 'execution_success':
        this.#end(null);
        break;
      case 'execution_error':
        this.#end(executionFailure(this.#options.label, data));
        break;
      case 'execution_interrupted':
        this.#end(interruptedInServer(this.#options.label));
        break;
    }
  }

  #end(failure: AppError | null): void {
    this.#state = 'ended';
    this.#failure ??= failure;
    this.#news.resolve();
  }

  #countAll(nodes: Readonly<Record<string, unknown>>): void {
    for (const [node, value] of Object.entries(nodes)) {
      const { success, data } = safeParse(NodeState, value);
      // The finished ones are listed until the end.
      const isNews = this.#options.sampling !== null || data?.state === 'running';
      if (success && isNews) this.#count(node, data);
    }
  }

  #count(node: string, { value, max }: z.infer<typeof Steps>): void {
    const { sampling } = this.#options;
    const share = Math.min(1, value / max);
    if (sampling === null) {
      // Nodes that do their work in one go say 1 of 1.
      if (max > 1) this.#report({ step: Math.floor(share * max), steps: Math.floor(max) });
      return;
    }
    if (!sampling.nodes.includes(node)) return;
    this.#stepsDone.set(node, Math.floor(share * sampling.steps));
    const step = [...this.#stepsDone.values()].reduce((sum, steps) => sum + steps, 0);
    this.#report({ step, steps: sampling.nodes.length * sampling.steps });
  }

  #report(news: Partial<ImageProgress>): void {
    if (this.#state === 'ended') return;
    this.#state = 'running';
    this.#progress = { ...this.#progress, ...news };
    this.#options.onProgress(this.#progress);
  }
}

function jsonIn(data: Buffer): unknown {
  try {
    return parseOutsideJson(data.toString('utf8'));
  } catch {
    // What is no JSON says nothing about the job.
    return null;
  }
}

/** The unfinished picture in a binary frame; null if there is none, or it is of another job. */
function previewIn(frame: Buffer, jobId: string): Uint8Array | null {
  if (frame.length <= 8) return null;
  const kind = frame.readUInt32BE(0);
  const head = frame.readUInt32BE(4);
  if (kind === PREVIEW) return frame.subarray(8);
  if (kind !== PREVIEW_WITH_METADATA || 8 + head >= frame.length) return null;
  const metadata = safeParse(
    z.object({ prompt_id: z.string() }),
    jsonIn(frame.subarray(8, 8 + head)),
  );
  return metadata.success && metadata.data.prompt_id === jobId ? frame.subarray(8 + head) : null;
}
