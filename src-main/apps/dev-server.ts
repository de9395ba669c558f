import type { Duplex } from 'node:stream';
import { AppError } from '#contract/errors.ts';
import type { SandboxLevel } from '#contract/vocabulary.ts';
import { raceAbort } from '../base/abort.ts';
import { CALL_PORT, PROXY_PORT } from '../sandbox/inside.ts';
import { networkReady } from '../sandbox/relay/network-ready.ts';
import type { CommandResult, SandboxRuntime, TaskSandbox } from '../sandbox/types.ts';
import type { ServerLog } from './server-log.ts';
import {
  type ListeningPort,
  PortReports,
  type ServerScriptParts,
  serverScript,
} from './server-script.ts';

export interface DevServerParts {
  /** A shell of its own: nothing else runs there. Disposed with the server. */
  readonly shell: TaskSandbox & AsyncDisposable;
  readonly script: ServerScriptParts;
  readonly log: ServerLog;
  readonly onChange: () => void;
}

/** The state of a server. `stopped`: from outside, by the user or with the programs of a run. */
export type ServerState =
  /** `problem`: its program broke off, and waits for a change of its files to try again. */
  | { readonly kind: 'starting'; readonly problem?: string }
  | { readonly kind: 'running'; readonly ports: readonly number[] }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly problem: string };

const NO_PREVIEW: Readonly<Record<SandboxLevel, string | null>> = {
  docker: null,
  bubblewrap: null,
  seatbelt:
    'Apps are not shown from the sandbox of macOS: programs in it cannot listen on a port. Start Docker, and select it in Settings.',
  landlock:
    'Apps are not shown from this sandbox: programs in it cannot listen on a port. Install bubblewrap, or start Docker.',
  e2b: 'Apps are not shown from a cloud sandbox. Select a sandbox of this computer in Settings.',
};

/** Why an app has no preview in a sandbox of this level, and what to do; null where it has one. */
export function noPreview(level: SandboxLevel): string | null {
  return NO_PREVIEW[level];
}

const ANSWER_MS = 10_000;
/** Between two questions to a port that listens and does not answer yet. */
const AGAIN_MS = 200;
const ANSWER_BYTES = 16 * 1024;

/** What programs print that start a server again when its files change, where it broke off. */
const BROKE_OFF = /Failed running '|app crashed - waiting for file changes/;
const WAITS = 'It broke off, and waits for a change of its files.';

/** A server of an app, as one long command in the sandbox of its task. */
export class DevServer implements AsyncDisposable {
  readonly #parts: DevServerParts;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #runtime: SandboxRuntime | null = null;
  #state: ServerState = { kind: 'starting' };
  /** Listening, whether they answer or not: the sockets of each port. */
  #listening: ReadonlyMap<number, string> = new Map();
  #since: number | null = null;
  /** Those that answer, and whether with a page. */
  readonly #answers = new Map<number, boolean>();
  readonly #settled = Promise.withResolvers<void>();

  constructor(parts: DevServerParts) {
    this.#parts = parts;
    this.#ended = this.#run().then(
      (state) => this.#become(state),
      (error: unknown) =>
        this.#become(
          this.#closing.signal.aborted
            ? { kind: 'stopped' }
            : { kind: 'failed', problem: error instanceof Error ? error.message : String(error) },
        ),
    );
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Since when it answers, in ms since the epoch, or answers again after it was restarted; null before that. */
  get since(): number | null {
    return this.#since;
  }

  /** Resolves once it answers or has ended, or when `signal` fires. */
  async settled(signal: AbortSignal): Promise<void> {
    // A caller that no longer waits looks at the state.
    await raceAbort(this.#settled.promise, signal).catch(() => undefined);
  }

  /** A connection to a port of it; it ends with an error where nothing listens. */
  connect(port: number): Duplex {
    const { network } = this.#runtime ?? {};
    if (network == null) throw new AppError('CONFLICT', 'The server of this app is not running.');
    return network.connect(port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#ended;
    await this.#parts.shell[Symbol.asyncDispose]();
  }

  async #run(): Promise<ServerState> {
    const { shell, script, log } = this.#parts;
    const { signal } = this.#closing;
    const runtime = await shell.runtime({ signal, onProgress: (line) => log.add(`${line}\n`) });
    const refusal = noPreview(runtime.level);
    if (refusal !== null) return { kind: 'failed', problem: refusal };
    await networkReady(runtime.network, signal);
    this.#runtime = runtime;
    const reports = new PortReports((ports) => this.#listens(ports));
    const result = await runtime.run(
      {
        commandId: 'app-server',
        language: 'bash',
        code: serverScript(script),
        timeoutMs: Number.POSITIVE_INFINITY,
        keepsOutput: false,
      },
      {
        signal,
        onOutput: ({ stream, text }) => {
          log.add(stream === 'stderr' ? reports.take(text) : text);
          const { kind } = this.#state;
          if (kind === 'starting' && BROKE_OFF.test(text)) {
            this.#become({ kind, problem: WAITS });
          }
        },
      },
    );
    return endOf(result);
  }

  #listens(ports: readonly ListeningPort[]): void {
    const own = new Map<number, string>();
    for (const { port, id } of ports) {
      if (port === PROXY_PORT || port === CALL_PORT) continue;
      own.set(port, `${own.get(port) ?? ''} ${id}`);
    }
    const fresh = [...own].filter(([port, id]) => this.#listening.get(port) !== id);
    this.#listening = own;
    for (const port of this.#answers.keys()) if (!own.has(port)) this.#answers.delete(port);
    this.#update();
    for (const [port] of fresh) void this.#ask(port);
  }

  /** Asks a port until it answers, or no longer listens. */
  async #ask(port: number): Promise<void> {
    while (this.#listening.has(port) && !this.#closing.signal.aborted) {
      const answer = await firstAnswer(this.connect(port), port).catch(() => null);
      if (answer !== null) {
        if (this.#listening.has(port)) this.#answers.set(port, answer.isPage);
        this.#since = Date.now();
        this.#update();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
    }
  }

  #update(): void {
    if (this.#state.kind === 'stopped' || this.#state.kind === 'failed') return;
    // Pages first; among equals in the order in which they answered.
    const ports = [...this.#answers]
      .sort(([, a], [, b]) => Number(b) - Number(a))
      .map(([port]) => port);
    if (ports.length > 0) this.#become({ kind: 'running', ports });
    else if (this.#state.kind === 'running') this.#become({ kind: 'starting' });
  }

  #become(state: ServerState): void {
    this.#state = state;
    // A start is over, one way or the other.
    if (state.kind !== 'starting' || state.problem !== undefined) this.#settled.resolve();
    this.#parts.onChange();
  }
}

function endOf(result: CommandResult): ServerState {
  if (result.outcome === 'cancelled') return { kind: 'stopped' };
  return { kind: 'failed', problem: howItEnded(result) };
}

/** How a command in the folder of an app ended. */
export function howItEnded({ outcome, exitCode }: CommandResult): string {
  switch (outcome) {
    case 'completed':
      if (exitCode === 97) return 'Its folder is not there.';
      if (exitCode === 98) return 'Its packages could not be copied.';
      return `It ended with exit code ${exitCode}.`;
    case 'out_of_memory':
      return 'It used more memory than the sandbox has.';
    case 'out_of_disk':
      return 'It took more of the disk than the sandbox may.';
    case 'timed_out':
      return 'It took too long.';
    case 'cancelled':
      return 'It was stopped.';
    case 'sandbox_lost':
      return 'The sandbox was lost.';
  }
}

/** The head of the answer to `GET /`; null for what is no HTTP. Rejects where nothing answers in time. */
async function firstAnswer(
  connection: Duplex,
  port: number,
): Promise<{ readonly isPage: boolean } | null> {
  const timer = setTimeout(() => connection.destroy(new Error('no answer')), ANSWER_MS).unref();
  try {
    connection.write(
      `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: text/html,*/*\r\nConnection: close\r\n\r\n`,
    );
    let head = '';
    for await (const chunk of connection) {
      head += (chunk as Buffer).toString('latin1');
      if (!head.startsWith('HTTP/1.'.slice(0, head.length))) return null;
      if (head.includes('\r\n\r\n') || head.length > ANSWER_BYTES) break;
    }
    if (head === '') return null;
    return { isPage: /^content-type:\s*text\/html/im.test(head) };
  } finally {
    clearTimeout(timer);
    connection.destroy();
  }
}
