import { withTimeLimit } from '../../base/abort.ts';
import type { Fetch } from '../../egress/fetch-through.ts';
import { encodeFrame, readMessages } from './connect-stream.ts';
import { E2bError, E2bUnreachableError, readJson, send, unreachable } from './e2b-http.ts';
import { type ProcessEvent, parseProcessEvent } from './process-events.ts';

/** Users that every machine has; programs of the agent always run as the first. */
export type MachineUser = 'user' | 'root';

export interface StartRequest {
  readonly user: MachineUser;
  /** The full path of the program, and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly stdin: boolean;
}

export interface StartedProcess {
  readonly pid: number;
  /** Its output and its end. Fails as `readMessages` does. */
  readonly events: AsyncIterable<ProcessEvent>;
}

export interface ProcessResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** Its beginning, for the log. */
  readonly stderr: string;
}

const ANSWER_MS = 20_000;
/** How often the machine must send a sign of life, and how long it may be silent. */
const PING_SECONDS = 20;
const SILENCE_MS = 60_000;
const MAX_STDERR_BYTES = 2_000;
/** The documented port of the machine's daemon. */
export const ENVD_PORT = 49_983;

export interface EnvdClientParts {
  readonly baseUrl: string;
  readonly machineId: string;
  readonly accessToken: string | null;
  readonly fetch: Fetch | undefined;
}

/** Programs and files of one machine, over the public API of its daemon. Throws as `send` does. */
export class EnvdClient {
  readonly #parts: EnvdClientParts;

  constructor(parts: EnvdClientParts) {
    this.#parts = parts;
  }

  /** Starts a program. Aborting `signal` ends the stream of events, not the program. */
  async start(request: StartRequest, signal: AbortSignal): Promise<StartedProcess> {
    const [cmd, ...args] = request.command;
    const handshake = new AbortController();
    const timer = setTimeout(() => {
      handshake.abort(new DOMException('no answer', 'TimeoutError'));
    }, ANSWER_MS);
    const whole = AbortSignal.any([signal, handshake.signal]);
    try {
      const response = await this.#send({
        path: '/process.Process/Start',
        headers: {
          ...this.#as(request.user),
          'Content-Type': 'application/connect+json',
          'Keepalive-Ping-Interval': `${PING_SECONDS}`,
        },
        body: encodeFrame({ process: { cmd, args, cwd: '/' }, stdin: request.stdin }),
        signal: whole,
      });
      const events = this.#events(response, whole);
      const first = await events.next();
      if (first.done === true || first.value.type !== 'start') {
        await events.return(undefined);
        throw new E2bUnreachableError('the start of a program was not confirmed');
      }
      return { pid: first.value.pid, events };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs a program to its end and returns its output, up to `maxBytes`. */
  async run(
    command: StartRequest['command'],
    options: {
      readonly user: MachineUser;
      readonly signal: AbortSignal;
      readonly maxBytes?: number;
    },
  ): Promise<ProcessResult> {
    const { user, signal, maxBytes = MAX_STDERR_BYTES } = options;
    const { events } = await this.start({ user, command, stdin: false }, signal);
    const stdout: Buffer[] = [];
    let stdoutBytes = 0;
    let stderr = '';
    for await (const event of events) {
      if (event.type === 'end') {
        return { exitCode: event.exitCode, stdout: Buffer.concat(stdout), stderr };
      }
      if (event.type !== 'output') continue;
      if (event.stream === 'stderr') {
        if (stderr.length < MAX_STDERR_BYTES) stderr += event.bytes.toString('utf8');
        continue;
      }
      stdoutBytes += event.bytes.length;
      if (stdoutBytes > maxBytes) throw new E2bUnreachableError('a program printed too much');
      stdout.push(event.bytes);
    }
    throw new E2bUnreachableError('the end of a program was not reported');
  }

  /** Writes to the standard input of a program. Calls must not overlap, or bytes arrive out of order. */
  async sendInput(pid: number, bytes: Buffer, signal: AbortSignal): Promise<void> {
    const limited = withTimeLimit(signal, ANSWER_MS);
    const response = await this.#send({
      path: '/process.Process/SendInput',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ process: { pid }, input: { stdin: bytes.toString('base64') } }),
      signal: limited,
    });
    await readJson(response, limited);
  }

  /** Writes a file as the ordinary user; creates the folders above it. */
  async upload(path: string, data: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<void> {
    const form = new FormData();
    form.append('file', new Blob([data]), 'file');
    const query = new URLSearchParams({ path, username: 'user' });
    const response = await this.#send({ path: `/files?${query}`, headers: {}, body: form, signal });
    await readJson(response, signal);
  }

  /** The bytes of a file that the ordinary user may read. */
  async download(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const query = new URLSearchParams({ path, username: 'user' });
    const response = await this.#send({ path: `/files?${query}`, headers: {}, signal });
    if (response.body === null) throw new E2bUnreachableError('a file arrived without content');
    return response.body;
  }

  async *#events(response: Response, signal: AbortSignal): AsyncGenerator<ProcessEvent> {
    if (response.body === null) throw new E2bUnreachableError('the stream was empty');
    try {
      for await (const message of readMessages(response.body, SILENCE_MS)) {
        const event = parseProcessEvent(message);
        if (event !== null) yield event;
      }
    } catch (error) {
      throw error instanceof E2bError ? error : unreachable(error, signal);
    }
  }

  #as(user: MachineUser): Record<string, string> {
    return { Authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}` };
  }

  #send(request: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: NonNullable<RequestInit['body']>;
    readonly signal: AbortSignal;
  }): Promise<Response> {
    const { baseUrl, machineId, accessToken, fetch } = this.#parts;
    const { path, headers, body, signal } = request;
    return send(
      {
        method: body === undefined ? 'GET' : 'POST',
        url: `${baseUrl}${path}`,
        headers: {
          ...headers,
          'Connect-Protocol-Version': '1',
          'E2b-Sandbox-Id': machineId,
          'E2b-Sandbox-Port': `${ENVD_PORT}`,
          ...(accessToken === null ? {} : { 'X-Access-Token': accessToken }),
        },
        ...(body === undefined ? {} : { body }),
        signal,
      },
      fetch,
    );
  }
}
