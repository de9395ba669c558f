import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ShellEnd, ShellProcess } from '../shell/shell-process.ts';

/** Signals that a shell inside may die of; it exits with 128 + n. */
const SIGNAL_NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

export interface SpawnedShellOptions {
  /** Called when the shell has ended by itself: whether it ran out of memory. */
  readonly ranOutOfMemory: () => boolean | Promise<boolean>;
  /** Releases what belongs to this shell only (watcher, control group). */
  readonly release: () => void | Promise<void>;
}

/**
 * A shell process from a child whose death is the death of everything inside: the monitor of a
 * process namespace, or the leader of a process group.
 */
export function spawnedShell(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  killTree: () => void,
  options: SpawnedShellOptions,
): ShellProcess {
  let killed = false;
  const ended = new Promise<ShellEnd>((resolve) => {
    const settle = async (end: () => ShellEnd): Promise<void> => {
      const outOfMemory = await options.ranOutOfMemory();
      await options.release();
      if (killed && !outOfMemory) resolve({ cause: 'killed' });
      else resolve(outOfMemory ? { cause: 'out_of_memory' } : end());
    };
    child.once('error', (error) => void settle(() => ({ cause: 'lost', detail: error.message })));
    child.once('exit', (code, signal) => {
      const exitCode = code ?? 128 + (SIGNAL_NUMBERS[signal ?? ''] ?? 0);
      void settle(() => ({ cause: 'exited', exitCode }));
    });
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: async () => {
      killed = true;
      killTree();
      // The pipes close when the last process inside is gone, not the outer one.
      drain(child);
      await closed;
      await ended;
    },
  };
}

/** `close` fires only once all output is read, and nobody reads it any more. */
function drain(child: ChildProcessByStdio<Writable, Readable, Readable>): void {
  for (const stream of [child.stdout, child.stderr]) {
    stream.removeAllListeners('data');
    stream.resume();
  }
  child.stdin.destroy();
}
