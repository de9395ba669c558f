import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { ConnectorConfig } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { raceAbort } from '../base/abort.ts';
import type { EgressClient } from '../egress/types.ts';
import { CALL_PORT } from '../sandbox/inside.ts';
import { networkReady } from '../sandbox/relay/network-ready.ts';
import { quote } from '../sandbox/shell/shell-text.ts';
import type { CommandResult, TaskSandbox } from '../sandbox/types.ts';
import type { ConnectorValues } from '../storage/connector-store.ts';
import { type ConnectorTransport, type LinesProblem, MessageLines } from './message-lines.ts';

export interface ProgramParts {
  /** A sandbox of its own. */
  readonly sandbox: TaskSandbox;
  readonly config: Extract<ConnectorConfig, { kind: 'program' }>;
  /** The whole environment besides that of the sandbox. */
  readonly values: ConnectorValues;
  readonly egress: EgressClient;
  readonly onStderr: (text: string) => void;
  /** What the sandbox does before the program starts, and lines of the program that are no messages. */
  readonly onLine: (line: string) => void;
  /** Ends the sandbox with all that runs in it. */
  readonly release: () => Promise<void>;
}

/** For a program that closed its output to end by itself. */
const END_MS = 1_000;

const PROBLEMS: Readonly<Record<LinesProblem, string>> = {
  too_long: 'It sent a message of more than 8 MB.',
  noise: 'It prints other things than messages to its standard output.',
};

/**
 * A program in a sandbox of its own, whose standard input and output are one connection to the app: the one that the
 * shell opens before it becomes the program. Nothing listens for it inside.
 */
export class ProgramTransport implements ConnectorTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #parts: ProgramParts;
  readonly #closing = new AbortController();
  #lines: MessageLines | null = null;
  #problem: string | null = null;
  #ended: Promise<void> = Promise.resolve();
  #closed: Promise<void> | null = null;

  constructor(parts: ProgramParts) {
    this.#parts = parts;
  }

  get problem(): string | null {
    return this.#problem;
  }

  async start(): Promise<void> {
    const { sandbox, egress, onLine } = this.#parts;
    const { signal } = this.#closing;
    const runtime = await sandbox.runtime({ signal, onProgress: onLine });
    await networkReady(runtime.network, signal);
    if (runtime.network === null) {
      throw new AppError(
        'CONNECTOR_UNAVAILABLE',
        'Programs in this sandbox have no connection to the app. Install python3, or start Docker.',
      );
    }
    const connected = Promise.withResolvers<void>();
    const calls = sandbox.takeCalls((stream) => {
      // Only the first: what the program opens later gets no answer.
      if (this.#lines !== null || signal.aborted) {
        stream.destroy();
        return;
      }
      this.#lines = new MessageLines(stream, {
        onMessage: (message) => this.onmessage?.(message),
        onNoise: (line) => onLine(`not a message: ${line}`),
        onEnd: (problem) => {
          if (problem !== null) this.#problem = PROBLEMS[problem];
          void this.#closeAfterEnd();
        },
      });
      connected.resolve();
    });
    const open = sandbox.openNetwork(egress);
    this.#ended = runtime
      .run(
        {
          commandId: 'connector',
          language: 'bash',
          code: programScript(this.#parts),
          timeoutMs: Number.POSITIVE_INFINITY,
          keepsOutput: false,
        },
        { signal, onOutput: ({ text }) => this.#parts.onStderr(text) },
      )
      .then(
        (result) => {
          this.#problem ??= describeEnd(result);
        },
        (error: unknown) => {
          this.#problem ??= error instanceof Error ? error.message : String(error);
        },
      )
      .finally(() => {
        calls[Symbol.dispose]();
        open[Symbol.dispose]();
        connected.reject(new Error(this.#problem ?? 'It ended.'));
        void this.close();
      });
    await connected.promise;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#lines === null) throw new Error('The program does not run.');
    await this.#lines.send(message);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** A program that closed its output is about to end: how it did is worth a moment. */
  async #closeAfterEnd(): Promise<void> {
    if (this.#problem === null) {
      await raceAbort(this.#ended, AbortSignal.timeout(END_MS)).catch(() => undefined);
    }
    await this.close();
  }

  async #close(): Promise<void> {
    this.#lines?.close();
    this.#closing.abort(new AppError('CANCELLED', 'The connector was stopped.'));
    await this.#ended;
    await this.#parts.release();
    this.onclose?.();
  }
}

/** Opens the connection, and becomes the program. Its packages are kept in its own folder, for its next start. */
function programScript({ config, values }: Pick<ProgramParts, 'config' | 'values'>): string {
  const environment = Object.entries({ ...CACHES, ...values }).map(
    ([name, value]) => `export ${name}=${value === CACHES[name] ? value : quote(value)}`,
  );
  const words = [config.command, ...config.args].map(quote).join(' ');
  return [
    `exec 3<>/dev/tcp/127.0.0.1/${CALL_PORT} || exit 96`,
    `( ${environment.join('; ')}; exec ${words} <&3 >&3 3>&- )`,
    'code=$?; exec 3>&-; ( exit "$code" )',
  ].join('\n');
}

const CACHES: Readonly<Record<string, string>> = {
  npm_config_cache: '"$PWD/.npm"',
  npm_config_update_notifier: 'false',
  UV_CACHE_DIR: '"$PWD/.uv"',
};

function describeEnd({ outcome, exitCode }: CommandResult): string {
  switch (outcome) {
    case 'cancelled':
      return 'It was stopped.';
    case 'completed':
      if (exitCode === 127) return 'Its command was not found in the sandbox (exit code 127).';
      return `It ended with exit code ${exitCode}.`;
    case 'out_of_memory':
      return 'It used more memory than the sandbox has.';
    case 'out_of_disk':
      return 'It took more of the disk than the sandbox may.';
    case 'timed_out':
    case 'sandbox_lost':
      return 'Its sandbox was lost.';
  }
}
