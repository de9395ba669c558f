import { AppError } from '#contract/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { timeLimit } from '../../base/running-time.ts';
import type { ShellRuntime } from '../shell/shell-runtime.ts';
import type { Command, CommandOptions, CommandResult, SandboxRuntime } from '../types.ts';
import { asAppError } from './e2b-failures.ts';
import { E2bError } from './e2b-http.ts';
import type { E2bLauncher } from './e2b-launcher.ts';
import type { RemoteMachine } from './remote-machine.ts';
import type { WorkspaceSync } from './workspace-sync.ts';

/** How long fetching files may take; it cannot be aborted, because they would be lost. */
const FETCH_MS = 120_000;

export interface E2bRuntimeParts {
  readonly shell: ShellRuntime;
  readonly launcher: E2bLauncher;
  readonly sync: WorkspaceSync;
  readonly logger: Logger;
}

/** A shell at E2B whose workspace is a folder here: files go there before a command, and back after it. */
export class E2bRuntime implements SandboxRuntime {
  readonly level = 'e2b';
  /** Machines there have no egress, and no connection back to this computer. */
  readonly network = null;
  readonly #parts: E2bRuntimeParts;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: E2bRuntimeParts) {
    this.#parts = parts;
  }

  /** Creates the machine, sends the files, starts the first shell. Throws `SANDBOX_…`. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#sendFiles(signal);
    await this.#parts.shell.open(signal);
  }

  async run(command: Command, options: CommandOptions): Promise<CommandResult> {
    const result = this.#queue.then(() => this.#runNow(command, options));
    // The caller gets the failure; the next in the queue still runs.
    this.#queue = result.catch(() => undefined);
    return await result;
  }

  /** Unknown: nothing here can see the processes there. */
  programs(): ReturnType<SandboxRuntime['programs']> {
    return this.#parts.shell.programs();
  }

  async endPrograms(): Promise<void> {
    await this.#parts.shell.endPrograms();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.shell[Symbol.asyncDispose]();
  }

  async #runNow(command: Command, options: CommandOptions): Promise<CommandResult> {
    const { shell, launcher } = this.#parts;
    try {
      if (!options.signal.aborted) await this.#sendFiles(options.signal);
    } catch (error) {
      // The shell itself reports a command that was cancelled before it began.
      if (!options.signal.aborted) throw error;
    }
    const { machine } = launcher;
    return await this.#withFiles(await shell.run(command, options), machine);
  }

  async #sendFiles(signal: AbortSignal): Promise<void> {
    const { launcher, sync } = this.#parts;
    const machine = await launcher.ensureMachine(signal);
    try {
      await sync.push(machine, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof E2bError && error.isGone)) throw asAppError(error);
      await launcher.drop(machine);
      await this.#sendToAnother(signal);
    }
  }

  /** The machine was gone, because its time was up or it was ended elsewhere; all files are here. */
  async #sendToAnother(signal: AbortSignal): Promise<void> {
    try {
      await this.#parts.sync.push(await this.#parts.launcher.ensureMachine(signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw asAppError(error);
    }
  }

  /** The result with its files fetched; if that fails, the sandbox counts as lost. */
  async #withFiles(result: CommandResult, ranOn: RemoteMachine | null): Promise<CommandResult> {
    const { launcher, sync, logger } = this.#parts;
    const { machine } = launcher;
    // Cancelled before there was a machine.
    if (ranOn === null) return result;
    if (machine !== ranOn) {
      logger.warn('A machine at E2B disappeared with the files of a command', { id: ranOn.id });
      return result.outcome === 'completed' ? lost(result) : result;
    }
    try {
      await sync.pull(machine, timeLimit(FETCH_MS));
      return result;
    } catch (error) {
      if (error instanceof AppError) throw error;
      logger.warn('Could not fetch the files of a command from E2B', { error });
      if (error instanceof E2bError && error.isGone) await launcher.drop(machine);
      return lost(result);
    }
  }
}

function lost(result: CommandResult): CommandResult {
  return { ...result, outcome: 'sandbox_lost', exitCode: null };
}
