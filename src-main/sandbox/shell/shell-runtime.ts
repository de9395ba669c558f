import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import type { ExecutionOutcome, SandboxLevel } from '#contract/vocabulary.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { RunningTime } from '../../base/running-time.ts';
import { networkReady } from '../relay/network-ready.ts';
import { RelayMux } from '../relay/relay-mux.ts';
import type {
  Command,
  CommandOptions,
  CommandResult,
  RuntimeChannel,
  SandboxNetwork,
  SandboxRuntime,
} from '../types.ts';
import { type DiskLimit, type DiskWatch, watchDisk } from './disk-watch.ts';
import {
  DEFAULT_OUTPUT_LIMITS,
  OutputCapture,
  type OutputLimits,
  STREAM_ONLY,
} from './output-capture.ts';
import type { SeenProcess, ShellEnd, ShellProcess } from './shell-process.ts';
import { type SessionEnd, ShellSession } from './shell-session.ts';
import { CANNOT_START, type ShellLayout } from './shell-text.ts';

/** A provider's part of a runtime: starts shells in the sandbox, one after the other. */
export interface ShellLauncher {
  /** A fresh shell. Throws `SANDBOX_LOST` or `SANDBOX_UNAVAILABLE` with what to do. */
  launch(signal: AbortSignal): Promise<ShellProcess>;
  /** Releases what outlives a shell (container, control group, folders). */
  dispose(): Promise<void>;
}

export interface ShellRuntimeParts {
  readonly level: SandboxLevel;
  readonly launcher: ShellLauncher;
  readonly layout: ShellLayout;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly outputLimits?: OutputLimits;
  readonly channel?: RuntimeChannel | undefined;
  readonly disk?: DiskLimit | null;
}

interface OpenSession {
  readonly shell: ShellSession;
  readonly process: ShellProcess;
  /** Null if there is no relay. */
  readonly mux: RelayMux | null;
  /** Out-of-memory kills counted before the current command. */
  memoryKills: number;
  /**
   * Processes that existed before the first command: the app's own. Undefined before it; null if they cannot
   * be distinguished from others.
   */
  own: ReadonlySet<string> | null | undefined;
  /** Watches the disk usage of the last command and its background programs. */
  disk: DiskWatch | null;
  /** Ends the current command; null between commands. */
  stop: ((end: CommandEnd) => void) | null;
}

/** What ended a command: itself, a limit, or its caller. */
type CommandEnd =
  | SessionEnd
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'out_of_disk' }
  | { readonly kind: 'cancelled' };

/** A sandbox runtime over a persistent shell; the same for every provider. */
export class ShellRuntime implements SandboxRuntime {
  readonly level: SandboxLevel;
  readonly #parts: ShellRuntimeParts;
  #session: OpenSession | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  /** The shell was lost; the next result reports it. */
  #lossUnreported = false;
  #backgroundEnd: CommandResult['backgroundEnd'];
  #disposed = false;
  #hasOpened = false;

  constructor(parts: ShellRuntimeParts) {
    this.level = parts.level;
    this.#parts = parts;
  }

  get network(): SandboxNetwork | null {
    return this.#session?.mux ?? null;
  }

  /** Starts the first shell, so that it is warm for the first command, and checks that the workspace is writable. */
  async open(signal: AbortSignal): Promise<void> {
    const code = `[ -w ${this.#parts.layout.workspaceDir} ]`;
    const command: Command = { commandId: 'open', language: 'bash', code, timeoutMs: 30_000 };
    const options = { signal, onOutput: () => undefined };
    const result = await this.#runNow(command, options, { isOwn: true });
    if (result.outcome === 'cancelled') signal.throwIfAborted();
    if (result.outcome === 'completed' && result.exitCode === 0) return;
    const problem =
      result.outcome === 'completed' && result.exitCode === 1
        ? 'the workspace cannot be written from inside'
        : `${result.outcome}, exit code ${result.exitCode}: ${result.stderr.trim()}`;
    throw new AppError('SANDBOX_UNAVAILABLE', `The sandbox did not start: ${problem}.`);
  }

  async run(command: Command, options: CommandOptions): Promise<CommandResult> {
    if (command.code.includes('\0')) {
      throw new AppError('BAD_REQUEST', 'Code cannot contain the character NUL; remove it.');
    }
    const result = this.#queue.then(() => this.#runNow(command, options));
    // The caller gets the failure; the next in the queue still runs.
    this.#queue = result.catch(() => undefined);
    return await result;
  }

  async programs(): Promise<readonly SeenProcess[] | null> {
    const { own, process } = this.#session ?? {};
    if (own === undefined) return [];
    if (own === null) return null;
    try {
      const all = await process?.processes?.();
      return all?.filter(({ id }) => !own.has(id)) ?? null;
    } catch (error) {
      this.#parts.logger.warn('Programs in a sandbox could not be listed', { error });
      return null;
    }
  }

  async endPrograms(): Promise<void> {
    const session = this.#session;
    // If no command ever ran, there is nothing to end.
    if (session === null || session.own === undefined) return;
    session.stop?.({ kind: 'cancelled' });
    if (await this.#close(session)) return;
    const message = 'Programs in the sandbox could not be ended. Close the app and open it again.';
    throw new AppError('SANDBOX_LOST', message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    const session = this.#session;
    session?.mux?.close();
    session?.disk?.[Symbol.dispose]();
    await session?.process.kill();
    await this.#parts.launcher.dispose();
  }

  async #runNow(
    command: Command,
    options: CommandOptions,
    { isOwn } = { isOwn: false },
  ): Promise<CommandResult> {
    using time = new RunningTime();
    const limits = this.#parts.outputLimits ?? DEFAULT_OUTPUT_LIMITS;
    const capture = new OutputCapture(
      options.onOutput,
      command.keepsOutput === false ? STREAM_ONLY : limits,
    );
    const conclude = (outcome: ExecutionOutcome, exitCode: number | null): CommandResult => {
      const sessionLost = this.#lossUnreported;
      const backgroundEnd = this.#backgroundEnd;
      this.#lossUnreported = false;
      this.#backgroundEnd = undefined;
      return defined({
        outcome,
        exitCode: outcome === 'completed' ? exitCode : null,
        stdout: capture.stdout.finish(),
        stderr: capture.stderr.finish(),
        durationMs: time.passedMs,
        sessionLost,
        backgroundEnd,
      });
    };
    if (options.signal.aborted) return conclude('cancelled', null);
    const followsAnother = this.#session === null && this.#hasOpened;
    const session = this.#session ?? (await this.#openSession(options.signal));
    // Callers wait for the network of the first shell only, so wait for that of a later one here.
    if (followsAnother) await networkReady(session.mux, options.signal).catch(() => undefined);
    const { signal } = options;
    const notReady = isOwn ? null : await this.#recordOwn(session, command, { signal, capture });
    const end = notReady ?? (await this.#raceLimits(session, command, { signal, capture }));
    switch (end.kind) {
      case 'returned': {
        const killed = end.memoryKills > session.memoryKills;
        session.memoryKills = end.memoryKills;
        return killed ? conclude('out_of_memory', null) : conclude('completed', end.exitCode);
      }
      case 'shell_ended':
        await this.#close(session);
        return conclude(...this.#outcomeOf(end.end));
      case 'timed_out':
      case 'out_of_disk':
      case 'cancelled':
        return (await this.#close(session))
          ? conclude(end.kind, null)
          : conclude('sandbox_lost', null);
    }
  }

  async #openSession(signal: AbortSignal): Promise<OpenSession> {
    if (this.#disposed) throw new AppError('SANDBOX_LOST', 'The sandbox was closed.');
    const process = await this.#parts.launcher.launch(signal);
    const shell = new ShellSession(process, this.#parts.layout, this.#parts.clock);
    const mux = this.#openMux(process);
    const before = { memoryKills: 0, own: undefined, disk: null, stop: null };
    const session: OpenSession = { shell, process, mux, ...before };
    this.#session = session;
    this.#hasOpened = true;
    void process.ended.then(async (end) => {
      session.mux?.close();
      if (this.#session !== session) return;
      this.#session = null;
      this.#lossUnreported = true;
      if (end.cause === 'lost') {
        this.#parts.logger.warn('A sandbox shell was lost', { detail: end.detail });
      }
      if (session.stop !== null) return;
      if (end.cause === 'out_of_memory') this.#backgroundEnd = 'out_of_memory';
      await this.#close(session);
    });
    return session;
  }

  /**
   * Before the first command, records which processes are the app's own, so that all others are known to belong
   * to commands. Returns how the command ended if that failed.
   */
  async #recordOwn(
    session: OpenSession,
    command: Command,
    { signal, capture }: { readonly signal: AbortSignal; readonly capture: OutputCapture },
  ): Promise<CommandEnd | null> {
    if (session.own !== undefined) return null;
    session.own = null;
    const { process, mux } = session;
    if (process.processes === undefined) return null;
    const { commandId, timeoutMs } = command;
    const nothing: Command = { commandId, language: 'bash', code: ':', timeoutMs };
    const end = await this.#raceLimits(session, nothing, { signal, capture });
    if (end.kind !== 'returned') return end;
    await networkReady(mux, signal).catch(() => undefined);
    try {
      session.own = new Set((await process.processes()).map(({ id }) => id));
    } catch (error) {
      this.#parts.logger.warn('Programs in a sandbox could not be listed', { error });
    }
    return null;
  }

  #openMux({ relay }: ShellProcess): RelayMux | null {
    const { channel, logger } = this.#parts;
    if (relay === undefined || channel === undefined) return null;
    return new RelayMux({
      channel: relay,
      onStream: (kind, stream) =>
        kind === 'proxy' ? channel.onProxy(stream) : channel.onCall(stream),
      onLost: (detail) => logger.info('The relay of a sandbox ended', { detail }),
    });
  }

  #raceLimits(
    session: OpenSession,
    command: Command,
    { signal, capture }: { readonly signal: AbortSignal; readonly capture: OutputCapture },
  ): Promise<CommandEnd> {
    return new Promise((resolve) => {
      let over = false;
      const finish = (end: CommandEnd): void => {
        if (over) return;
        over = true;
        session.stop = null;
        limit[Symbol.dispose]();
        signal.removeEventListener('abort', onAbort);
        // The watch continues even if nothing seems to run: programs can hide.
        session.disk?.slowDown();
        resolve(end);
      };
      const onAbort = (): void => finish({ kind: 'cancelled' });
      const onReached = (): void => finish({ kind: 'timed_out' });
      const limit = new RunningTime({ ms: command.timeoutMs, onReached });
      session.stop = finish;
      this.#watchDisk(session);
      signal.addEventListener('abort', onAbort, { once: true });
      // It may have been aborted while the shell started.
      if (signal.aborted) {
        onAbort();
        return;
      }
      // An abandoned command may still print until it is dead; its output is dropped.
      const sink = {
        stdout: (bytes: Buffer) => void (over || capture.stdout.push(bytes)),
        stderr: (bytes: Buffer) => void (over || capture.stderr.push(bytes)),
      };
      void session.shell.run(command, sink).then(finish);
    });
  }

  /** Runs from the start of a command to that of the next: background programs share its limit. */
  #watchDisk(session: OpenSession): void {
    const limit = this.#parts.disk ?? null;
    session.disk?.[Symbol.dispose]();
    // The app's own commands before the first one write nothing.
    if (limit === null || session.own === undefined) return;
    session.disk = watchDisk(limit, () => {
      if (session.stop !== null) {
        session.stop({ kind: 'out_of_disk' });
        return;
      }
      this.#backgroundEnd = 'out_of_disk';
      void this.#close(session);
    });
  }

  /** Ends the session and everything it started; false if that is not certain. */
  async #close(session: OpenSession): Promise<boolean> {
    if (this.#session === session) this.#session = null;
    this.#lossUnreported = true;
    session.mux?.close();
    session.disk?.[Symbol.dispose]();
    try {
      await session.process.kill();
      return true;
    } catch (error) {
      this.#parts.logger.warn('A sandbox shell could not be killed', { error });
      return false;
    }
  }

  #outcomeOf(end: ShellEnd): [ExecutionOutcome, number | null] {
    switch (end.cause) {
      case 'exited':
        return end.exitCode === CANNOT_START ? ['sandbox_lost', null] : ['completed', end.exitCode];
      case 'out_of_memory':
        return ['out_of_memory', null];
      case 'killed':
        return ['cancelled', null];
      case 'lost':
        this.#parts.logger.warn('A sandbox shell was lost', { detail: end.detail });
        return ['sandbox_lost', null];
    }
  }
}
