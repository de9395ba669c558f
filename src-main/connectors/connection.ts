import {
  type CallToolResult,
  Client,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Connector, ConnectorState } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { raceAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { RunningTime } from '../base/running-time.ts';
import { IdleLimit } from './idle-limit.ts';
import { isClosed, isTimeout, plainMessage, ServerEnded } from './server-errors.ts';
import { boundedValidator, listTools } from './server-lists.ts';
import { ServerQuestions } from './server-questions.ts';
import { SIGN_IN_PROBLEM } from './sign-in.ts';
import type { ToolDefinitionText } from './tool-definition.ts';
import type { CallOptions } from './types.ts';

export interface ConnectionLimits {
  /** From the start of a server to its first answer. */
  readonly startMs: number;
  /** Without an answer and without news of progress. */
  readonly callMs: number;
  /** However much news there is. */
  readonly wholeCallMs: number;
  readonly listMs: number;
  /** Before the second start after a failure; four times as long before each later one. */
  readonly retryMs: number;
}

export const LIMITS: ConnectionLimits = {
  startMs: 120_000,
  callMs: 60_000,
  wholeCallMs: 600_000,
  listMs: 20_000,
  retryMs: 1_000,
};

/** Failures in a row after which only the user starts it again. */
const MOST_FAILURES = 5;
/** A server may say so often that its tools changed, in one connection. */
const MOST_LIST_CHANGES = 20;
const LIST_CHANGE_PAUSE_MS = 2_000;

export interface ConnectionParts {
  readonly name: string;
  /** Of the app, for servers to see. */
  readonly version: string;
  /** A transport that was not started. */
  readonly open: () => Promise<ConnectorClientTransport>;
  readonly limits: ConnectionLimits;
  readonly clock: Clock;
  readonly log: (kind: 'state' | 'call' | 'message' | 'problem', text: string) => void;
  readonly onServer: (server: NonNullable<Connector['server']>) => void;
  /** The tools as the server listed them, not checked. */
  readonly onTools: (tools: readonly unknown[]) => void;
  readonly onChange: () => void;
}

export type ConnectorClientTransport = Transport & { readonly problem?: string | null };

interface Open {
  readonly client: Client;
  readonly transport: ConnectorClientTransport;
}

/**
 * The connection to one server: started when first needed, one at a time, started again after a pause when it ended,
 * and no more after too many failures. Nobody waits longer than the limits.
 */
export class ConnectorConnection implements AsyncDisposable {
  readonly #parts: ConnectionParts;
  #state: Exclude<ConnectorState, 'off'> = 'idle';
  #problem: string | null = null;
  #retryAt: number | null = null;
  #failures = 0;
  #opening: Promise<Open> | null = null;
  #open: Open | null = null;
  #listChanges = 0;
  #relist: NodeJS.Timeout | null = null;
  /** It cannot be spoken to before it is started by the older handshake. */
  #isLegacy = false;
  #isClosed = false;
  /** Calls that the server works on, and may ask about. */
  readonly #asking = new Set<ServerQuestions>();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  get status(): Pick<Connector, 'state' | 'problem' | 'retryAt'> {
    return { state: this.#state, problem: this.#problem, retryAt: this.#retryAt };
  }

  /** Forgets failures: the user wants it started. */
  forgive(): void {
    this.#failures = 0;
    this.#retryAt = null;
    if (this.#state === 'failed' || this.#state === 'stopped') this.#become('idle', null);
  }

  /** Starts the server if it does not run, and reads its tools. Throws `CONNECTOR_UNAVAILABLE`. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#ensure(signal);
  }

  /** Asks a running server for its tools, or starts it. */
  async refresh(signal: AbortSignal): Promise<void> {
    const wasOpen = this.#open !== null;
    const open = await this.#ensure(signal);
    if (!wasOpen) return;
    try {
      await this.#readTools(open, signal);
    } catch (error) {
      this.#endIfSignInIsNeeded(open);
      throw this.#failure('CONNECTOR_UNAVAILABLE', 'did not list its tools', error, open);
    }
  }

  /** Throws `CONNECTOR_UNAVAILABLE`, `CONNECTOR_FAILED`, or the reason of `signal`. */
  async call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    {
      signal,
      onProgress,
      ask,
      definition,
    }: CallOptions & { readonly definition: ToolDefinitionText },
  ): Promise<CallToolResult> {
    const open = await this.#ensure(signal);
    const { limits, log } = this.#parts;
    using time = new RunningTime();
    using idle = new IdleLimit(limits.callMs);
    const questions = new ServerQuestions(
      ask === undefined ? null : (question) => idle.during(ask(question)),
    );
    this.#asking.add(questions);
    try {
      const result = await open.client.callTool(
        { name, arguments: { ...given } },
        {
          signal: AbortSignal.any([signal, idle.signal]),
          // What was approved, not what the server says meanwhile.
          toolDefinition: definition as Tool,
          timeout: limits.wholeCallMs,
          maxTotalTimeout: limits.wholeCallMs,
          onprogress: ({ progress, total, message }) => {
            idle.reset();
            const part = total === undefined ? `${progress}` : `${progress} of ${total}`;
            onProgress?.(message === undefined ? part : `${part}: ${message.slice(0, 200)}`);
          },
        },
      );
      this.#failures = 0;
      const how = result.isError === true ? 'answered with an error' : 'answered';
      log('call', `${name} ${how} after ${Math.round(time.passedMs)} ms`);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const failure = this.#failure('CONNECTOR_FAILED', 'did not do this', error, open);
      log('call', `${name} failed after ${Math.round(time.passedMs)} ms: ${failure.message}`);
      if (isTimeout(error)) await this.#checkLife(open);
      this.#endIfSignInIsNeeded(open);
      throw failure;
    } finally {
      this.#asking.delete(questions);
    }
  }

  /** Ends the server with everything that it started. It starts again when it is needed. */
  async stop(): Promise<void> {
    const opening = this.#opening;
    const open = this.#open ?? (await opening?.catch(() => null)) ?? null;
    this.#forget();
    await open?.client.close().catch(() => undefined);
    await open?.transport.close().catch(() => undefined);
    this.#become('idle', null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  #ensure(signal: AbortSignal): Promise<Open> {
    if (this.#open !== null) return Promise.resolve(this.#open);
    if (this.#opening === null) {
      const refusal = this.#whyNot();
      if (refusal !== null) return Promise.reject(refusal);
      this.#become('starting', null);
      const opening = this.#openNow();
      this.#opening = opening;
      const done = (): void => {
        if (this.#opening === opening) this.#opening = null;
      };
      opening.then(done, done);
    }
    return raceAbort(this.#opening, signal);
  }

  #whyNot(): AppError | null {
    const { name, clock } = this.#parts;
    const refuse = (why: string): AppError =>
      new AppError('CONNECTOR_UNAVAILABLE', `The connector "${name}" ${why}`, {
        details: { connector: name },
      });
    if (this.#isClosed) return refuse('was closed.');
    if (this.#state === 'stopped') {
      return refuse(
        `failed ${MOST_FAILURES} times and is stopped. ${this.#problem ?? ''} Start it again under Connectors, or with: hyperagent mcp restart ${name}`,
      );
    }
    const left = (this.#retryAt ?? 0) - clock.now();
    if (left <= 0) return null;
    return refuse(
      `failed: ${this.#problem ?? ''} It can start again in ${Math.ceil(left / 1000)} s.`,
    );
  }

  async #openNow(): Promise<Open> {
    const { name, limits, log } = this.#parts;
    const stop = new AbortController();
    const timer = setTimeout(
      () => stop.abort(new Error(`It did not answer within ${limits.startMs / 1000} s.`)),
      limits.startMs,
    );
    try {
      const open = await this.#connect(stop.signal).catch(async (error: unknown) => {
        // A server of the older revision may end at a message that it does not know.
        const mayBeLegacy = isClosed(error) && plainMessage(error) !== SIGN_IN_PROBLEM;
        if (this.#isLegacy || stop.signal.aborted || !mayBeLegacy) throw error;
        this.#isLegacy = true;
        return await this.#connect(stop.signal);
      });
      this.#open = open;
      this.#listChanges = 0;
      open.client.onclose = () => this.#ended(open);
      const server = open.client.getServerVersion();
      this.#parts.onServer({
        name: String(server?.name ?? '').slice(0, 200),
        version: String(server?.version ?? '').slice(0, 100),
        revision: String(open.client.getNegotiatedProtocolVersion() ?? ''),
      });
      await this.#readTools(open, stop.signal);
      this.#become('running', null);
      log('state', 'running');
      return open;
    } catch (error) {
      const open = this.#open;
      this.#forget();
      await open?.transport.close().catch(() => undefined);
      const why = stop.signal.aborted
        ? String((stop.signal.reason as Error).message)
        : this.#explain(error, open);
      this.#failed(why);
      throw new AppError('CONNECTOR_UNAVAILABLE', `The connector "${name}" did not start: ${why}`, {
        details: { connector: name },
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async #connect(signal: AbortSignal): Promise<Open> {
    const { log, limits } = this.#parts;
    const transport = await this.#parts.open();
    const client = new Client(
      { name: 'hyperagent', version: this.#parts.version },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: {
          mode: this.#isLegacy ? 'legacy' : 'auto',
          probe: { timeoutMs: Math.min(10_000, limits.startMs / 2) },
        },
        jsonSchemaValidator: { getValidator: boundedValidator },
      },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      // Which call a question belongs to is not said: with several it is nobody's.
      const [only, ...others] = this.#asking;
      const isForm = params.mode === undefined || params.mode === 'form';
      if (only === undefined || others.length > 0 || !isForm) return { action: 'cancel' as const };
      log('message', `asks: ${params.message.slice(0, 200)}`);
      return only.answer(params);
    });
    client.onerror = (error) => log('problem', error.message.slice(0, 500));
    client.setNotificationHandler('notifications/tools/list_changed', () => this.#onListChanged());
    client.setNotificationHandler('notifications/message', ({ params }) => {
      const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
      log('message', `${params.level}: ${(text ?? '').slice(0, 500)}`);
    });
    try {
      await raceAbort(client.connect(transport, { timeout: limits.startMs }), signal);
      return { client, transport };
    } catch (error) {
      await transport.close().catch(() => undefined);
      const problem = transport.problem ?? null;
      throw problem === null || signal.aborted ? error : new ServerEnded(problem, error);
    }
  }

  async #readTools({ client }: Open, signal: AbortSignal): Promise<void> {
    const { limits, onTools } = this.#parts;
    if (client.getServerCapabilities()?.tools === undefined) {
      onTools([]);
      return;
    }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limits.listMs)]);
    onTools(await listTools(client, limit));
  }

  #onListChanged(): void {
    const open = this.#open;
    this.#listChanges += 1;
    if (open === null || this.#relist !== null || this.#listChanges > MOST_LIST_CHANGES) return;
    this.#relist = setTimeout(() => {
      this.#relist = null;
      this.#readTools(open, AbortSignal.timeout(this.#parts.limits.listMs)).catch(
        (error: unknown) =>
          this.#parts.log('problem', `its tools could not be read: ${this.#explain(error, open)}`),
      );
    }, LIST_CHANGE_PAUSE_MS).unref();
  }

  /** Without the user nothing works any more. */
  #endIfSignInIsNeeded(open: Open): void {
    if (open.transport.problem !== SIGN_IN_PROBLEM || this.#open !== open) return;
    this.#forget();
    void open.client.close().catch(() => undefined);
    this.#failed(SIGN_IN_PROBLEM);
  }

  #failure(
    code: 'CONNECTOR_FAILED' | 'CONNECTOR_UNAVAILABLE',
    what: string,
    error: unknown,
    open: Open | null,
  ): AppError {
    const { name } = this.#parts;
    return new AppError(code, `The connector "${name}" ${what}: ${this.#explain(error, open)}`, {
      details: { connector: name },
      cause: error,
    });
  }

  /** After a call without an answer: a server that does not even answer this is ended, with its program. */
  async #checkLife(open: Open): Promise<void> {
    try {
      await open.client.listTools(undefined, {
        timeout: Math.min(5_000, this.#parts.limits.callMs),
        cacheMode: 'bypass',
      });
    } catch {
      // It hangs, or is gone: either way it is ended.
      await open.transport.close().catch(() => undefined);
    }
  }

  #ended(open: Open): void {
    if (this.#open !== open) return;
    this.#forget();
    this.#failed(open.transport.problem ?? 'Its connection ended.');
  }

  #failed(why: string): void {
    const { clock, limits, log } = this.#parts;
    this.#failures += 1;
    this.#retryAt = clock.now() + limits.retryMs * 4 ** (this.#failures - 1);
    log('problem', why);
    this.#become(this.#failures >= MOST_FAILURES ? 'stopped' : 'failed', why);
  }

  #forget(): void {
    this.#open = null;
    this.#opening = null;
    if (this.#relist !== null) clearTimeout(this.#relist);
    this.#relist = null;
  }

  #become(state: Exclude<ConnectorState, 'off'>, problem: string | null): void {
    this.#state = state;
    this.#problem = problem;
    if (state !== 'failed') this.#retryAt = null;
    this.#parts.onChange();
  }

  #explain(error: unknown, open: Open | null): string {
    const problem = open?.transport.problem ?? null;
    if (problem === SIGN_IN_PROBLEM) return problem;
    if (isTimeout(error)) return 'it did not answer in time.';
    if (isClosed(error) && problem !== null) return problem;
    return plainMessage(error);
  }
}
