import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Duplex, type Readable, type Writable } from 'node:stream';
import { AppError } from '#contract/errors.ts';
import { readProcesses } from '../os-provider/inside-processes.ts';
import type { ResourceLimits } from '../os-provider/resource-limits.ts';
import { spawnedShell } from '../os-provider/spawned-shell.ts';
import type { ShellProcess } from '../shell/shell-process.ts';
import type { ShellLauncher } from '../shell/shell-runtime.ts';
import { type LandlockFolders, removeFolders } from './landlock-folders.ts';
import type { LandlockPlan } from './landlock-plan.ts';
import type { LauncherProgram } from './launcher-program.ts';
import { descendantsOf } from './sandbox-tasks.ts';

/** Descriptor of the stream between the app and the launcher; the launcher ends when it closes. */
const APP_FD = 3;

export interface LandlockLauncherParts {
  readonly launcher: LauncherProgram;
  readonly plan: LandlockPlan;
  readonly folders: LandlockFolders;
  readonly limits: ResourceLimits;
}

/** Starts shells behind Landlock, each with a launcher that ends everything the shell has started. */
export class LandlockLauncher implements ShellLauncher {
  readonly #parts: LandlockLauncherParts;

  constructor(parts: LandlockLauncherParts) {
    this.#parts = parts;
  }

  async launch(): Promise<ShellProcess> {
    const { launcher, plan, limits } = this.#parts;
    const [program = '', ...given] = limits.wrap([...launcher, 'guard', JSON.stringify(plan)]);
    const child = spawn(program, given, {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      env: { ...limits.environment },
      cwd: '/',
      detached: true,
    });
    const relay = child.stdio[APP_FD];
    if (!(relay instanceof Duplex)) {
      throw new AppError('SANDBOX_UNAVAILABLE', 'The Landlock launcher could not be started.');
    }
    const kill = (): void => end(child.pid);
    const watch = child.pid === undefined ? null : limits.watch(child.pid, kill);
    const inner = spawnedShell(child as ChildProcessByStdio<Writable, Readable, Readable>, kill, {
      ranOutOfMemory: () => (watch?.memoryKills() ?? 0) > 0,
      release: () => watch?.stop(),
    });
    // A launcher that fails early closes it; its message and exit code say what happened.
    relay.on('error', () => undefined);
    // Without a channel nobody reads it, and an unread stream never closes.
    if (plan.ports === null) relay.resume();
    inner.stdin.write(limits.prologue);
    return {
      ...inner,
      relay,
      onCommand: (running) => watch?.onCommand(running),
      memoryKills: () => watch?.memoryKills() ?? 0,
      processes: async () => {
        const pids = child.pid === undefined ? [] : descendantsOf(child.pid);
        // Without its shell the launcher is about to end; only then the end of the sandbox is known.
        if (pids.length === 0) await inner.ended;
        return readProcesses('/proc', pids);
      },
    };
  }

  async dispose(): Promise<void> {
    await removeFolders(this.#parts.folders);
  }
}

/** Asks the launcher to end the sandbox: it alone can do so in one step. */
function end(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}
