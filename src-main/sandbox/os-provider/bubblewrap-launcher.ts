import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Duplex, type Readable, type Writable } from 'node:stream';
import { AppError } from '#contract/errors.ts';
import { relayCommand } from '../inside.ts';
import type { ShellProcess } from '../shell/shell-process.ts';
import type { ShellLauncher } from '../shell/shell-runtime.ts';
import { RELAY_FD, SECCOMP_FD } from './bubblewrap-arguments.ts';
import { insideProc, readProcesses } from './inside-processes.ts';
import type { ResourceLimits } from './resource-limits.ts';
import { spawnedShell } from './spawned-shell.ts';

export interface BubblewrapLauncherParts {
  readonly bwrap: string;
  readonly arguments: readonly string[];
  readonly seccompFilter: Buffer;
  readonly limits: ResourceLimits;
  /** Whether to start a relay beside the shell. */
  readonly withRelay: boolean;
}

/**
 * Closes all descriptors but the streams, the filter and the relay: any that this process inherited
 * (terminals and editors leak some) would go into the sandbox with the shell and bypass its isolation.
 */
const CLOSE_INHERITED = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -gt ${RELAY_FD} ] && eval "exec $fd>&-"; done; exec "$@"`;

/** Starts the relay outside of the shell's jobs: `wait` and `jobs` of a command must not see it. */
const START_RELAY = `( exec ${relayCommand(RELAY_FD, RELAY_FD).join(' ')} </dev/null >/dev/null 2>&1 & ); exec ${RELAY_FD}>&-\n`;

/** Starts shells in bubblewrap. Their pid 1 dies with bwrap, and with it everything inside. */
export class BubblewrapLauncher implements ShellLauncher {
  readonly #parts: BubblewrapLauncherParts;

  constructor(parts: BubblewrapLauncherParts) {
    this.#parts = parts;
  }

  async launch(): Promise<ShellProcess> {
    const { bwrap, limits, seccompFilter } = this.#parts;
    const command = limits.wrap([bwrap, ...this.#parts.arguments]);
    // Without --norc, a bash whose input is a socket assumes rshd and reads ~/.bashrc.
    const shell = ['--noprofile', '--norc', '-c', CLOSE_INHERITED, 'hyperagent'];
    const child = spawn('/bin/bash', [...shell, ...command], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', this.#parts.withRelay ? 'pipe' : 'ignore'],
      // Nothing of the app's: pid 1 inside shows the environment that bwrap was started with.
      env: { ...limits.environment },
      cwd: '/',
      // In its own process group, see `killStart`.
      detached: true,
    });
    const filter = child.stdio[SECCOMP_FD];
    if (filter === null || filter === undefined || !('end' in filter)) {
      throw new AppError(
        'SANDBOX_UNAVAILABLE',
        'The sandbox could not be given its system-call filter. Try again.',
      );
    }
    // A bwrap that fails early closes it unread; its message and exit code say what happened.
    filter.on('error', () => undefined);
    filter.end(seccompFilter);
    const kill = (): void => killStart(child.pid);
    const watch = child.pid === undefined ? null : limits.watch(child.pid, kill);
    const inner = spawnedShell(child as ChildProcessByStdio<Writable, Readable, Readable>, kill, {
      ranOutOfMemory: () => (watch?.memoryKills() ?? 0) > 0,
      release: () => watch?.stop(),
    });
    inner.stdin.write(limits.prologue);
    const relay = child.stdio[RELAY_FD];
    if (relay instanceof Duplex) inner.stdin.write(START_RELAY);
    return {
      ...inner,
      ...(relay instanceof Duplex ? { relay } : {}),
      onCommand: (running) => watch?.onCommand(running),
      memoryKills: () => watch?.memoryKills() ?? 0,
      processes: async () => {
        const folder = child.pid === undefined ? null : insideProc(child.pid);
        return folder === null ? [] : readProcesses(folder);
      },
    };
  }

  async dispose(): Promise<void> {
    // Nothing outlives the shell.
  }
}

/**
 * Kills bwrap and what it has started so far. Each process of a start asks to die with its parent, but only
 * shortly after it exists; until then it is in the group of the first, and is killed with that.
 */
function killStart(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}
