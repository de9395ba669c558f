import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { spawnedShell } from '#main/sandbox/os-provider/spawned-shell.ts';
import type { OutputLimits } from '#main/sandbox/shell/output-capture.ts';
import { ShellRuntime } from '#main/sandbox/shell/shell-runtime.ts';

/** A runtime over a plain bash of this computer, without any isolation: for tests of the streams. */
export async function openBareShell(
  options: {
    intake?: 'counted' | 'nul';
    outputLimits?: OutputLimits;
    /** The app's end of the stream to the relay of each shell. */
    relay?: () => Duplex;
  } = {},
): Promise<{ runtime: ShellRuntime; dir: string; [Symbol.asyncDispose](): Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'hyperagent-bare-shell-'));
  const runtime = new ShellRuntime({
    level: 'bubblewrap',
    clock: systemClock,
    logger: silentLogger,
    layout: {
      scriptDir: root,
      workspaceDir: root,
      intake: options.intake ?? 'counted',
      oomCounterFile: null,
    },
    channel: { onProxy: (stream) => stream.destroy(), onCall: (stream) => stream.destroy() },
    ...(options.outputLimits === undefined ? {} : { outputLimits: options.outputLimits }),
    launcher: {
      launch: async () => {
        const child = spawn('/bin/bash', ['--noprofile', '--norc'], {
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: true,
        });
        const killTree = (): void => {
          try {
            if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
          }
        };
        const shell = spawnedShell(child, killTree, {
          ranOutOfMemory: () => false,
          release: () => undefined,
        });
        return options.relay === undefined ? shell : { ...shell, relay: options.relay() };
      },
      dispose: async () => undefined,
    },
  });
  return {
    runtime,
    dir: root,
    [Symbol.asyncDispose]: async () => {
      await runtime[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
