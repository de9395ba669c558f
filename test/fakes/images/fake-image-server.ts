import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer, listen } from '../addresses/listeners.ts';
import { blackPng, noisePng } from './png.ts';

/**
 * What is wrong with a fake server. `dies`: the process is gone in the middle of a job, until another
 * fault is set (cloud fakes only cut that connection). `hangs`: a job never goes on. `black`: an
 * all-black picture. `html`: 200 with a page. `huge`: a body of 500 MB. `wrong_json`: JSON of another
 * shape. `not_a_picture`: text where the picture should be. `out_of_memory`: as this server reports it.
 */
export type ImageFault =
  | 'none'
  | 'dies'
  | 'hangs'
  | 'black'
  | 'html'
  | 'huge'
  | 'wrong_json'
  | 'not_a_picture'
  | 'out_of_memory';

export interface FakeRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, a `MultipartBody`, the text of anything else; undefined for none. */
  readonly body: unknown;
}

export interface UploadedFile {
  readonly field: string;
  readonly filename: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface MultipartBody {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly UploadedFile[];
}

/** What a test sees of a fake image server, and what it may change while that runs. */
export interface FakeImageServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** `performance.now()` of each cancel or interrupt that reached it; cloud fakes: of each hang-up. */
  readonly cancels: readonly number[];
  /** `performance.now()` of each request whose client closed before it had the whole answer. */
  readonly hangUps: readonly number[];
  jobsRunning(): number;
  jobsWaiting(): number;
  /** Sampling steps since the start, over all jobs. */
  stepsDone(): number;
  /** Bytes of `huge` bodies that left the process: what a client took, and up to a few MB in sockets. */
  bytesSent(): number;
  fault: ImageFault;
  /** Duration of one sampling step. */
  stepMs: number;
}

/** One request, with what is needed to answer it. */
export interface Call extends FakeRequest {
  /** The body as it came. */
  readonly raw: Buffer;
  readonly response: ServerResponse;
}

export type JobEnd = 'done' | 'interrupted' | 'removed' | 'died';

export interface JobPlan {
  /** A function is asked when the job has started. */
  readonly steps: number | (() => number);
  readonly started?: () => void;
  /** After each step, with how many are done. */
  readonly stepped?: (done: number) => void;
  /** Before the next job starts; not of a job that was removed or died. */
  readonly finished?: (end: JobEnd) => Promise<void>;
  /** Instead of the death of the whole process. */
  readonly dies?: () => void;
}

export interface Job {
  readonly plan: JobPlan;
  readonly ended: Promise<JobEnd>;
  state: 'waiting' | 'running' | 'ended';
  stepsDone: number;
  isInterrupted: boolean;
}

const HUGE_BYTES = 500 * 1024 * 1024;

/** The parts that all fake image servers share: requests, faults, steps, and jobs in a row. */
export class ImageServerCore implements FakeImageServer {
  readonly requests: FakeRequest[] = [];
  readonly cancels: number[] = [];
  readonly hangUps: number[] = [];
  readonly server: Server;
  stepMs = 5;
  url = '';
  /** Called when the process dies: what it knew is lost. */
  onDeath: () => void = () => undefined;
  readonly #sockets = new Set<Socket>();
  readonly #closing = new AbortController();
  readonly #ends = new Map<Job, (end: JobEnd) => void>();
  readonly #parallel: number;
  #waiting: Job[] = [];
  #running: Job[] = [];
  #fault: ImageFault = 'none';
  #isDead = false;
  #stepsDone = 0;
  #bytesSent = 0;

  /** `parallel`: how many jobs run at once. */
  constructor(answer: (call: Call) => void | Promise<void>, parallel = 1) {
    this.#parallel = parallel;
    this.server = createServer(async (request, response) => {
      response.once('close', () => {
        if (!response.writableFinished && this.#fault !== 'dies')
          this.hangUps.push(performance.now());
      });
      try {
        const raw = await buffer(request);
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
        const seen: FakeRequest = {
          method: request.method ?? 'GET',
          path: pathname,
          query: Object.fromEntries(searchParams),
          headers: request.headers,
          body: await readBody(raw, request.headers['content-type'] ?? ''),
        };
        this.requests.push(seen);
        await answer({ ...seen, raw, response });
      } catch (error) {
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
        response.end(`The fake failed: ${error instanceof Error ? error.stack : String(error)}`);
      }
    });
    this.server.on('connection', (socket: Socket) => {
      if (this.#isDead) {
        socket.destroy();
        return;
      }
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  async start(): Promise<this> {
    this.url = `http://127.0.0.1:${await listen(this.server, '127.0.0.1')}`;
    return this;
  }

  get fault(): ImageFault {
    return this.#fault;
  }

  set fault(fault: ImageFault) {
    this.#fault = fault;
    this.#isDead = false;
  }

  jobsRunning(): number {
    return this.#running.length;
  }

  jobsWaiting(): number {
    return this.#waiting.length;
  }

  stepsDone(): number {
    return this.#stepsDone;
  }

  bytesSent(): number {
    return this.#bytesSent;
  }

  /** The process is gone: every connection breaks, every job is lost, nothing can connect. */
  die(): void {
    this.#isDead = true;
    const jobs = [...this.#running, ...this.#waiting];
    this.#running = [];
    this.#waiting = [];
    for (const job of jobs) this.#end(job, 'died');
    this.onDeath();
    for (const socket of this.#sockets) socket.destroy();
  }

  addJob(plan: JobPlan): Job {
    const { promise, resolve } = Promise.withResolvers<JobEnd>();
    const job: Job = { plan, ended: promise, state: 'waiting', stepsDone: 0, isInterrupted: false };
    this.#ends.set(job, resolve);
    this.#waiting.push(job);
    this.#runNext();
    return job;
  }

  /** Takes a job that waits out of the row; false if it runs or is over. */
  removeJob(job: Job): boolean {
    if (job.state !== 'waiting') return false;
    this.#waiting = this.#waiting.filter((one) => one !== job);
    this.#end(job, 'removed');
    return true;
  }

  /** Ends a job that runs after its current step, as samplers do. */
  interruptJob(job: Job): boolean {
    if (job.state !== 'running') return false;
    job.isInterrupted = true;
    return true;
  }

  get runningJobs(): readonly Job[] {
    return this.#running;
  }

  /** A picture that follows from these parts, or what the fault makes of it. */
  picture(width: number, height: number, ...parts: readonly unknown[]): Buffer {
    if (this.#fault === 'black') return blackPng(width, height);
    if (this.#fault === 'not_a_picture') return Buffer.from('This is not a picture.');
    return noisePng(width, height, hashOf(...parts));
  }

  /** Answers as the fault has it; false if the fault is not about answers. */
  spoil(call: Call, wrong: { readonly json: unknown; readonly opening: string }): boolean {
    if (this.#fault === 'html') {
      call.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      call.response.end('<!doctype html><title>Sign in</title><p>Sign in to go on.');
      return true;
    }
    if (this.#fault === 'wrong_json') {
      sendJson(call, 200, wrong.json);
      return true;
    }
    if (this.#fault === 'huge') void this.flood(call, 'application/json', wrong.opening);
    return this.#fault === 'huge';
  }

  /** Sends 500 MB as fast as the client takes them. */
  async flood({ response }: Call, type: string, opening: string): Promise<void> {
    response.writeHead(200, { 'content-type': type });
    await this.pour(response, opening);
  }

  /** The same, where the head is already sent. */
  async pour(response: ServerResponse, opening: string): Promise<void> {
    response.write(opening);
    const chunk = Buffer.alloc(64 * 1024, 'A');
    for (let sent = 0; sent < HUGE_BYTES && !response.destroyed; sent += chunk.length) {
      const isSent = await new Promise<boolean>((resolve) => {
        const gone = (): void => resolve(false);
        response.once('close', gone);
        response.write(chunk, (error) => {
          response.off('close', gone);
          resolve(!error);
        });
      });
      if (isSent) this.#bytesSent += chunk.length;
    }
    response.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    for (const socket of this.#sockets) socket.destroy();
    await closeServer(this.server);
  }

  #runNext(): void {
    while (this.#running.length < this.#parallel) {
      const job = this.#waiting.shift();
      if (!job) return;
      this.#running.push(job);
      job.state = 'running';
      void this.#run(job).then(async (end) => {
        if (end !== 'died') await job.plan.finished?.(end);
        this.#running = this.#running.filter((one) => one !== job);
        this.#end(job, end);
        this.#runNext();
      });
    }
  }

  async #run(job: Job): Promise<JobEnd> {
    const { plan } = job;
    // Whoever adds a job has it before it starts.
    await null;
    plan.started?.();
    const steps = typeof plan.steps === 'function' ? plan.steps() : plan.steps;
    const deadAt = Math.max(1, Math.floor(steps / 2));
    for (let done = 1; done <= steps; done += 1) {
      if (!(await this.#pause(this.stepMs))) return 'died';
      while (this.#fault === 'hangs') {
        if (!(await this.#pause(20))) return 'died';
        // A process that hangs hears of no interrupt; a job that is its connection ends with it.
        if (job.isInterrupted && plan.dies) break;
      }
      if (job.state === 'ended') return 'died';
      if (job.isInterrupted) return 'interrupted';
      job.stepsDone = done;
      this.#stepsDone += 1;
      plan.stepped?.(done);
      if (this.#fault === 'dies' && done >= deadAt) {
        if (plan.dies) plan.dies();
        else this.die();
        return 'died';
      }
    }
    return job.isInterrupted ? 'interrupted' : 'done';
  }

  #end(job: Job, end: JobEnd): void {
    job.state = 'ended';
    this.#ends.get(job)?.(end);
    this.#ends.delete(job);
  }

  /** False when the fake is closed. */
  async #pause(ms: number): Promise<boolean> {
    return sleep(ms, true, { signal: this.#closing.signal }).catch(() => false);
  }
}

/** A number of 32 bits that follows from these parts. */
export function hashOf(...parts: readonly unknown[]): number {
  const hash = createHash('sha256');
  for (const part of parts)
    hash.update(Buffer.isBuffer(part) ? part : JSON.stringify(part ?? null));
  return hash.digest().readUInt32BE(0);
}

export function sendJson(
  { response }: Pick<Call, 'response'>,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON of a body; undefined if it is none. */
export function jsonOf({ raw }: Call): unknown {
  try {
    return JSON.parse(raw.toString()) as unknown;
  } catch {
    // What each server makes of bad JSON is its own affair.
    return undefined;
  }
}

async function readBody(raw: Buffer, type: string): Promise<unknown> {
  if (raw.length === 0) return undefined;
  if (!type.startsWith('multipart/form-data')) {
    const text = raw.toString();
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  const fields: Record<string, string> = {};
  const files: UploadedFile[] = [];
  const form = await new Response(new Uint8Array(raw), {
    headers: { 'content-type': type },
  }).formData();
  for (const [field, value] of form) {
    if (typeof value === 'string') fields[field] = value;
    else {
      const bytes = Buffer.from(await value.arrayBuffer());
      files.push({ field, filename: value.name, type: value.type, bytes });
    }
  }
  return { fields, files } satisfies MultipartBody;
}
