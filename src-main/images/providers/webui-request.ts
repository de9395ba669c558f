import { delay } from '../../base/abort.ts';
import type { ImageHttp } from '../image-http.ts';
import type { ImageJob } from '../image-job.ts';
import type { ImageProgress } from '../types.ts';
import { fromBase64 } from './read-answers.ts';
import { API, ask, ProgressAnswer, refusalOf, type State } from './webui-answers.ts';

/** Milliseconds between two looks whether an interrupt worked. */
const INTERRUPT_MS = 100;
/** Of a progress with an unfinished picture. */
const PREVIEW_BYTES = 16 * 1024 * 1024;
/** How jobs of the server's own window are named. */
const JOB_OF_WINDOW = 'task(';

/** A request that is answered when a picture is there. */
export interface WebuiCall {
  readonly path: 'txt2img' | 'img2img' | 'extra-single-image';
  readonly json: unknown;
}

interface Look {
  readonly state: State;
  readonly preview: Uint8Array | null;
}

/** What the server does now, for anyone. */
export async function lookAtServer(
  http: ImageHttp,
  signal: AbortSignal,
  withPreview = false,
): Promise<Look> {
  const path = `progress?skip_current_image=${!withPreview}`;
  const found = await ask(http, ProgressAnswer, { path, signal, maxBytes: PREVIEW_BYTES });
  const { state, current_image: image } = found;
  return { state, preview: image == null ? null : fromBase64(image) };
}

/**
 * One request that draws, and its job. The server names no owner of a job and interrupts whatever runs, so the job is recognised by when
 * it began: what began before the request is of others, and so is what its own window started. What another program sends at the
 * same moment cannot be distinguished.
 */
export class WebuiRequest {
  readonly #http: ImageHttp;
  /** Not the signal of the order: the answer says when an interrupt has worked. */
  readonly #sending = new AbortController();
  readonly #answered = new AbortController();
  /** When the newest job of others began. */
  #others: string;
  /** No job ran since then: one that began within the same second is not theirs. */
  #wasIdle: boolean;
  #own: string | null = null;
  #isInterrupted = false;
  /** Jobs that someone stopped, by when they began. */
  readonly #stopped = new Set<string>();

  constructor(http: ImageHttp, before: State) {
    this.#http = http;
    this.#others = before.job_timestamp;
    this.#wasIdle = before.job_count === 0;
  }

  /** The answer. Reports how far the job is until then. */
  async send({ path, json }: WebuiCall, job: ImageJob): Promise<unknown> {
    const until = AbortSignal.any([job.signal, this.#answered.signal]);
    // Whatever fails while it reports ends the request: nobody would wait for it.
    const reports = this.#report(job, until).catch((error) => this.#sending.abort(error));
    try {
      const call = { method: 'POST', path: `${API}/${path}`, json, timeoutMs: null } as const;
      const { status, value } = await this.#http.json({ ...call, signal: this.#sending.signal });
      if (status !== 200) throw refusalOf(this.#http, path, { status, value });
      return value;
    } finally {
      this.#answered.abort();
      await reports;
    }
  }

  /** Interrupts the job until the request is answered; one that still waits starts later, and cannot be stopped then. */
  async cancel(limit: AbortSignal): Promise<void> {
    const until = AbortSignal.any([limit, this.#answered.signal]);
    try {
      if (this.#own !== null) await this.#interrupt(until);
      while (!until.aborted) {
        const state = (await this.#look(until))?.state;
        // An interrupt is lost when the server's window ends something at that moment.
        if (state !== undefined && this.#isOwn(state) && !state.interrupted) {
          await this.#interrupt(until);
        }
        await delay(INTERRUPT_MS, until);
      }
    } catch (error) {
      if (!until.aborted) throw error;
    } finally {
      this.#sending.abort();
    }
  }

  /** Whether someone else stopped the job of this time. */
  async wasStopped(jobTimestamp: string, signal: AbortSignal): Promise<boolean> {
    await this.#look(signal);
    return this.#stopped.has(jobTimestamp);
  }

  async #report(job: ImageJob, until: AbortSignal): Promise<void> {
    const { pollMs } = this.#http.limits;
    try {
      for (;;) {
        await delay(pollMs, until);
        const found = await this.#look(until, true);
        if (found !== null) job.progress(this.#progressOf(found));
      }
    } catch (error) {
      if (!until.aborted) throw error;
    }
  }

  /** A job of others is shown to nobody. */
  #progressOf({ state, preview }: Look): ImageProgress {
    const { job_count, job_no, sampling_step, sampling_steps } = state;
    if (!this.#isOwn(state)) {
      const isWaiting = job_count !== 0;
      // One runs, and how many wait is not known.
      return { queue: isWaiting ? 1 : null, step: null, steps: null, preview: null };
    }
    if (sampling_steps <= 0) return { queue: 0, step: null, steps: null, preview };
    const steps = Math.max(job_count, 1) * sampling_steps;
    const step = Math.min(Math.max(job_no * sampling_steps + sampling_step, 0), steps);
    return { queue: 0, step, steps, preview };
  }

  /** Null where it fails: the request itself says what is wrong. */
  async #look(signal: AbortSignal, withPreview = false): Promise<Look | null> {
    const found = await lookAtServer(this.#http, signal, withPreview).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return null;
    });
    if (found !== null) this.#learn(found.state);
    return found;
  }

  #learn({ job, job_count, job_timestamp, interrupted, skipped }: State): void {
    if (interrupted || skipped) this.#stopped.add(job_timestamp);
    // What begins after the interrupt is of others: the request has had its job.
    if (this.#isInterrupted || job_timestamp === this.#own) return;
    if (job?.startsWith(JOB_OF_WINDOW)) {
      this.#others = job_timestamp;
      this.#wasIdle = false;
      return;
    }
    // Not by the number of jobs alone: the window sets it to 0 while a job of others still runs.
    const isNew = job_timestamp !== this.#others || (job_count !== 0 && this.#wasIdle);
    if (isNew) this.#own = job_timestamp;
    if (job_count === 0) this.#wasIdle = true;
  }

  #isOwn({ job_timestamp }: State): boolean {
    return job_timestamp === this.#own;
  }

  async #interrupt(signal: AbortSignal): Promise<void> {
    this.#isInterrupted = true;
    await this.#http.send({ method: 'POST', path: `${API}/interrupt`, json: {}, signal });
  }
}
