import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import type { Connector, ConnectorState } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { raceAbort, withTimeLimit } from '../base/abort.ts';
import { RunningTime } from '../base/running-time.ts';
import type { ConnectionParts, ConnectorClientTransport, WantedOffer } from './connection-parts.ts';
import { IdleLimit } from './idle-limit.ts';
import { makeClient } from './server-client.ts';
import { isClosed, isTimeout, plainMessage, ServerEnded } from './server-errors.ts';
import { listAll, listOffers } from './server-lists.ts';
import { ServerQuestions } from './server-questions.ts';
import { SIGN_IN_PROBLEM } from './sign-in.ts';
import type { ToolDefinitionText } from './tool-definition.ts';
import type { CallOptions } from './types.ts';
import { unavailable } from './unavailable.ts';

/** Failures in a row after which only the user starts it again. */
const MOST_FAILURES = 5;
/** A server may say so often that its lists changed, in one connection. */
const MOST_LIST_CHANGES = 20;
const LIST_CHANGE_PAUSE_MS = 2_000;

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
  #offersRead = Promise.resolve();
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

  /** Asks a running server for its tools and what else it offers, or starts it. */
  async refresh(signal: AbortSignal): Promise<void> {
    const wasOpen = this.#open !== null;
    const open = await this.#ensure(signal);
    if (wasOpen) {
      try {
        await this.#readTools(open, signal);
      } catch (error) {
        this.#endIfSignInIsNeeded(open);
        throw this.#failure('CONNECTOR_UNAVAILABLE', 'did not list its tools', error, open);
      }
      this.#beginOffers(open);
    }
    await raceAbort(this.#offersRead, signal);
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
    const { limits } = this.#parts;
    using idle = new IdleLimit(limits.callMs);
    const questions = new ServerQuestions(
      ask === undefined ? null : (question) => idle.during(ask(question)),
    );
    this.#asking.add(questions);
    try {
      return await this.#ask(open, { name, problem: 'did not do this', signal }, () =>
        open.client.callTool(
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
        ),
      );
    } finally {
      this.#asking.delete(questions);
    }
  }

  /** A resource or a prompt, as the server gives it. Throws like `call`. */
  async offered(wanted: WantedOffer, signal: AbortSignal): Promise<unknown> {
    const open = await this.#ensure(signal);
    const { callMs } = this.#parts.limits;
    const options = { signal, timeout: callMs, maxTotalTimeout: callMs };
    const name = wanted.kind === 'resource' ? wanted.uri : wanted.name;
    const problem = `could not provide ${makeVisible(name.slice(0, 300))}`;
    return await this.#ask<unknown>(open, { name, problem, signal }, () =>
      wanted.kind === 'resource'
        ? open.client.readResource({ uri: name }, options)
        : open.client.getPrompt({ name, arguments: { ...wanted.arguments } }, options),
    );
  }

  async #ask<T>(
    open: Open,
    asked: { readonly name: string; readonly problem: string; readonly signal: AbortSignal },
    request: () => Promise<T>,
  ): Promise<T> {
    const { name, problem, signal } = asked;
    const { log } = this.#parts;
    using time = new RunningTime();
    try {
      const result = await request();
      this.#failures = 0;
      const isError = (result as { readonly isError?: unknown }).isError === true;
      const how = isError ? 'answered with an error' : 'answered';
      log('call', `${name} ${how} after ${Math.round(time.passedMs)} ms`);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const failure = this.#failure('CONNECTOR_FAILED', problem, error, open);
      log('call', `${name} failed after ${Math.round(time.passedMs)} ms: ${failure.message}`);
      if (isTimeout(error)) await this.#checkLife(open);
      this.#endIfSignInIsNeeded(open);
      throw failure;
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
    const refuse = (why: string): AppError => unavailable(name, why);
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
      this.#beginOffers(open);
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
    const { log, limits, version } = this.#parts;
    const transport = await this.#parts.open();
    const client = makeClient({
      ...{ version, log, isLegacy: this.#isLegacy },
      probeMs: Math.min(10_000, limits.startMs / 2),
      // Which call a question belongs to is not said: with several it is nobody's.
      asking: () => (this.#asking.size === 1 ? ([...this.#asking][0] ?? null) : null),
      onListChanged: () => this.#onListChanged(),
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
    onTools(await listAll(client, 'tools', withTimeLimit(signal, limits.listMs)));
  }

  /** Reads resources and prompts in the background; calls do not wait for it. */
  #beginOffers(open: Open): void {
    this.#offersRead = this.#readOffers(open).catch((error: unknown) =>
      this.#parts.log(
        'problem',
        `its resources and prompts were not stored: ${plainMessage(error)}`,
      ),
    );
  }

  /** A list that cannot be read is logged; the server stays usable. */
  async #readOffers({ client }: Open): Promise<void> {
    const { limits, log, onOffers } = this.#parts;
    const offers = await listOffers(client, AbortSignal.timeout(limits.listMs));
    if (this.#open?.client !== client) return;
    for (const problem of offers.problems) log('problem', problem);
    await onOffers(offers);
  }

  #onListChanged(): void {
    const open = this.#open;
    this.#listChanges += 1;
    if (open === null || this.#relist !== null || this.#listChanges > MOST_LIST_CHANGES) return;
    this.#relist = setTimeout(() => {
      this.#relist = null;
      this.#beginOffers(open);
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
