import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { raceAbort } from '../../base/abort.ts';
import { failed } from '../image-errors.ts';
import type { ImageHttp } from '../image-http.ts';
import type { ImageJob } from '../image-job.ts';
import { imagesOf, type JobImages, Queue, Queued, refusalOf } from './comfyui-answers.ts';
import { ComfyuiEvents } from './comfyui-events.ts';
import type { Workflow } from './comfyui-workflows.ts';

/** Of an entry in the history: an error quotes the inputs of its node. */
const MOST_HISTORY_BYTES = 16 * 1024 * 1024;

/** One workflow on the server, from its order to its pictures. */
export class ComfyuiJob {
  readonly #http: ImageHttp;
  readonly #workflow: Workflow;
  /** Given by the client, so that the job can be cancelled before the server has answered. */
  #id: string = randomUUID();
  #events: ComfyuiEvents | null = null;
  #state: 'new' | 'ordering' | 'ordered' | 'over' = 'new';
  #ordering: Promise<void> = Promise.resolve();
  readonly #endOrdering = new AbortController();

  constructor(http: ImageHttp, workflow: Workflow) {
    this.#http = http;
    this.#workflow = workflow;
  }

  /** Orders the job and waits for its pictures. Rejects with the job's signal's reason, `IMAGE_FAILED`, `IMAGE_UNAVAILABLE`. */
  async run(job: ImageJob): Promise<JobImages> {
    const { signal } = job;
    // One client id for each job: a second socket with the same would take its messages.
    const socket = this.#http.socket(`/ws?clientId=${encodeURIComponent(this.#id)}`);
    using events = new ComfyuiEvents(socket, this.#id, {
      label: this.#http.label,
      sampling: this.#workflow.sampling,
      onProgress: job.progress,
    });
    this.#events = events;
    await events.opened(signal);
    signal.throwIfAborted();
    this.#state = 'ordering';
    this.#ordering = this.#order();
    await raceAbort(this.#ordering, signal);
    try {
      return await this.#follow(events, job);
    } catch (error) {
      // Nobody fetches it any more. After an abort `cancel` is called anyway.
      const isLeftBehind = !signal.aborted && events.failure === null && !events.hasEnded;
      if (isLeftBehind) await this.#cancelAfterError();
      throw error;
    } finally {
      this.#state = 'over';
    }
  }

  /** Cancels it on the server, wherever it is. */
  async cancel(signal: AbortSignal): Promise<void> {
    if (this.#state === 'new' || this.#state === 'over') return;
    const wasOrdered = this.#state === 'ordered';
    try {
      await this.#cancelOnServer(signal);
      if (wasOrdered) return;
      // The order may have arrived after the cancel.
      await raceAbort(this.#ordering, signal);
      await this.#cancelOnServer(signal);
    } finally {
      this.#endOrdering.abort();
    }
  }

  /** Has a signal of its own: what becomes of an order that is cancelled meanwhile must be known. */
  async #order(): Promise<void> {
    const { status, value } = await this.#http.json({
      ...{ method: 'POST', path: '/prompt', signal: this.#endOrdering.signal, timeoutMs: null },
      json: { prompt: this.#workflow.graph, client_id: this.#id, prompt_id: this.#id },
    });
    const queued = safeParse(Queued, value);
    if (status !== 200 || !queued.success) throw refusalOf(this.#http.label, status, value);
    // Old servers give ids of their own.
    this.#id = queued.data.prompt_id;
    if (this.#events !== null) this.#events.jobId = this.#id;
    this.#state = 'ordered';
  }

  async #follow(events: ComfyuiEvents, job: ImageJob): Promise<JobImages> {
    for (;;) {
      if (events.failure !== null) throw events.failure;
      if (events.hasEnded || !events.isRunning || !events.isConnected) {
        const images = await this.#look(events, job);
        if (images !== null) return images;
      }
      await events.next(this.#http.limits.pollMs, job.signal);
    }
  }

  /** Asks where the job is: its pictures if it is finished, null if it waits or runs. */
  async #look(events: ComfyuiEvents, { signal, progress }: ImageJob): Promise<JobImages | null> {
    const { label } = this.#http;
    try {
      if (events.hasEnded) {
        const images = await this.#finished(signal);
        if (images !== null) return images;
      }
      const place = await this.#place(signal);
      if (place === null) {
        // It left the queue for the history, or for nowhere.
        const images = await this.#finished(signal);
        if (images !== null) return images;
        throw failed(
          events.isConnected
            ? `The job was taken out of the queue of ${label}. Order the picture again if you want it.`
            : `${label} was restarted while it worked, and the job is lost. Order the picture again.`,
        );
      }
      if (place === 'running') events.markRunning();
      else if (!events.isRunning)
        progress({ queue: place, step: null, steps: null, preview: null });
      return null;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'IMAGE_UNAVAILABLE')) throw error;
      throw failed(
        `${label} stopped while it worked. Start it again; if it stopped because memory ran out, make the picture smaller.`,
        error,
      );
    }
  }

  /** How many jobs come before it, or that it runs; null if it does neither. */
  async #place(signal: AbortSignal): Promise<number | 'running' | null> {
    // Without a time limit: a server that loads a model answers late. The job as a whole has one.
    const { status, value } = await this.#http.json({ path: '/queue', signal, timeoutMs: null });
    const parsed = safeParse(Queue, value);
    if (status !== 200 || !parsed.success) {
      throw failed(
        `${this.#http.label} described its queue in an unknown form (status ${status}). Update ${this.#http.label}.`,
      );
    }
    const { queue_running, queue_pending } = parsed.data;
    if (queue_running.some(([, id]) => id === this.#id)) return 'running';
    const own = queue_pending.find(([, id]) => id === this.#id);
    if (own === undefined) return null;
    // They are listed in no order.
    return queue_running.length + queue_pending.filter(([number]) => number < own[0]).length;
  }

  /** Its pictures; null if it is not in the history. */
  async #finished(signal: AbortSignal): Promise<JobImages | null> {
    const { label } = this.#http;
    const path = `/history/${encodeURIComponent(this.#id)}`;
    const { status, value } = await this.#http.json({
      ...{ path, signal, timeoutMs: null, maxBytes: MOST_HISTORY_BYTES },
    });
    const parsed = safeParse(z.record(z.string(), z.unknown()), value);
    if (status !== 200 || !parsed.success) {
      throw failed(
        `${label} described its history in an unknown form (status ${status}). Update ${label}.`,
      );
    }
    const entry = parsed.data[this.#id];
    return entry === undefined ? null : imagesOf(label, entry);
  }

  async #cancelAfterError(): Promise<void> {
    try {
      await this.#cancelOnServer(AbortSignal.timeout(this.#http.limits.cancelMs));
    } catch {
      // The first error says what is wrong.
    }
  }

  async #cancelOnServer(signal: AbortSignal): Promise<void> {
    const { status } = await this.#post(`/api/jobs/${encodeURIComponent(this.#id)}/cancel`, {
      signal,
    });
    // Older servers answer 404 or 405.
    if (status < 300) return;
    const remove = (): Promise<unknown> =>
      this.#post('/queue', { json: { delete: [this.#id] }, signal });
    const interrupt = (): Promise<unknown> =>
      this.#post('/interrupt', { json: { prompt_id: this.#id }, signal });
    if (this.#events?.isRunning === true) {
      await Promise.all([remove(), interrupt()]);
      return;
    }
    // Servers before 0.3.50 interrupt whatever runs, which may be the work of someone else.
    await remove();
    if ((await this.#place(signal)) === 'running') await interrupt();
  }

  async #post(
    path: string,
    call: { readonly json?: unknown; readonly signal: AbortSignal },
  ): Promise<{ readonly status: number }> {
    return await this.#http.send({ method: 'POST', path, ...call });
  }
}
