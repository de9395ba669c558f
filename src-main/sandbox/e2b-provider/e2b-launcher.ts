import { AppError } from '#contract/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ShellProcess } from '../shell/shell-process.ts';
import type { ShellLauncher } from '../shell/shell-runtime.ts';
import type { SandboxLimits } from '../types.ts';
import { asAppError } from './e2b-failures.ts';
import { E2bError } from './e2b-http.ts';
import { shellCommand } from './machine-config.ts';
import type { RemoteMachine } from './remote-machine.ts';
import { RemoteShell } from './remote-shell.ts';

export interface E2bLauncherParts {
  readonly createMachine: () => Promise<RemoteMachine>;
  readonly limits: SandboxLimits;
  /** Fetches what is left on a machine whose programs have ended, before it is removed. */
  readonly beforeRemoval: (machine: RemoteMachine) => Promise<void>;
  readonly logger: Logger;
}

/** Starts shells on one machine, created when needed and again when it is gone. */
export class E2bLauncher implements ShellLauncher {
  readonly #parts: E2bLauncherParts;
  #machine: RemoteMachine | null = null;
  #shell: RemoteShell | null = null;
  #creating: Promise<RemoteMachine> | null = null;
  /** A shell ended or was lost, and its children may still run. */
  #hasStrays = false;
  #disposed = false;

  constructor(parts: E2bLauncherParts) {
    this.#parts = parts;
  }

  /** The current machine. */
  get machine(): RemoteMachine | null {
    return this.#machine;
  }

  /** The machine; throws `SANDBOX_…` if none can be created, or the signal's reason. */
  async ensureMachine(signal: AbortSignal): Promise<RemoteMachine> {
    signal.throwIfAborted();
    if (this.#machine !== null && this.#hasStrays) {
      // An unreachable machine is given up; creating a new one works or reports what is wrong.
      await this.#endPrograms(this.#machine).catch(() => undefined);
    }
    if (this.#machine !== null) return this.#machine;
    this.#creating ??= this.#create();
    const machine = await this.#creating;
    signal.throwIfAborted();
    return machine;
  }

  async launch(signal: AbortSignal): Promise<ShellProcess> {
    const machine = await this.ensureMachine(signal);
    const disconnect = new AbortController();
    try {
      const request = { user: 'user', command: shellCommand(this.#parts.limits) } as const;
      const started = await machine.envd.start({ ...request, stdin: true }, disconnect.signal);
      const killPrograms = (): Promise<void> => this.#endPrograms(machine);
      const shell = new RemoteShell({ envd: machine.envd, started, disconnect, killPrograms });
      this.#shell = shell;
      void shell.ended.then(({ cause }) => {
        if (cause !== 'killed' && this.#machine === machine) this.#hasStrays = true;
      });
      return shell;
    } catch (error) {
      disconnect.abort();
      if (error instanceof E2bError && error.isGone) await this.drop(machine);
      throw asAppError(error);
    }
  }

  /** Ends a machine; another one can replace it, because the files of the task are kept here. */
  async drop(machine: RemoteMachine): Promise<boolean> {
    if (this.#machine === machine) {
      this.#machine = null;
      this.#hasStrays = false;
      this.#shell?.abandon('its machine was given up');
    }
    return await machine.remove();
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    const machine = this.#machine;
    if (machine === null) {
      await this.#creating?.catch(() => undefined);
      return;
    }
    await this.#parts.beforeRemoval(machine);
    await this.drop(machine);
  }

  async #create(): Promise<RemoteMachine> {
    try {
      const machine = await this.#parts.createMachine();
      if (this.#disposed) {
        // Nothing else knows about it.
        await machine.remove();
        throw new AppError('SANDBOX_LOST', 'The sandbox was closed.');
      }
      this.#machine = machine;
      return machine;
    } catch (error) {
      throw asAppError(error);
    } finally {
      this.#creating = null;
    }
  }

  /** Ends all programs, if necessary with their machine. Throws if neither is certain. */
  async #endPrograms(machine: RemoteMachine): Promise<void> {
    if (this.#machine !== machine) return;
    try {
      await machine.killPrograms();
      this.#hasStrays = false;
    } catch (error) {
      this.#parts.logger.warn('Could not end programs at E2B; ending their machine', { error });
      if (!(await this.drop(machine))) throw error;
    }
  }
}
