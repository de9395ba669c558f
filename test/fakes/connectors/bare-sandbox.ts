import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { CALL_PORT } from '#main/sandbox/inside.ts';
import type { CommandResult, SandboxService, TaskSandbox } from '#main/sandbox/types.ts';

/**
 * The part of a sandbox that connectors use, without any isolation: for tests of what servers say, which need many of
 * them. Programs run as processes of this computer.
 */
export function bareSandboxes(dir: string): Pick<SandboxService, 'forTask' | 'removeTask'> {
  return {
    forTask: (id) => bareSandbox(join(dir, id)) as unknown as TaskSandbox,
    removeTask: async () => undefined,
  };
}

function bareSandbox(dir: string) {
  mkdirSync(dir, { recursive: true });
  let take: (stream: Socket) => void = (stream) => stream.destroy();
  const listener = createServer((stream) => {
    stream.on('error', () => undefined);
    take(stream);
  });
  const run = async (
    code: string,
    { signal, onOutput }: { signal: AbortSignal; onOutput: (chunk: { text: string }) => void },
  ): Promise<CommandResult> => {
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { port: number };
    const script = code.replace(`/${CALL_PORT} `, `/${port} `);
    const child = spawn('bash', ['-c', script], { cwd: dir, detached: true });
    child.stderr.on('data', (chunk: Buffer) => onOutput({ text: chunk.toString('utf8') }));
    const stop = (): void => {
      // The group is gone where the shell has ended.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const onAbort = (): void => {
      try {
        stop();
      } catch {
        // It has ended by itself.
      }
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    listener.close();
    const outcome = signal.aborted ? 'cancelled' : 'completed';
    return { outcome, exitCode, stdout: '', stderr: '', durationMs: 0, sessionLost: false };
  };
  return {
    runtime: async () => ({
      level: 'bubblewrap',
      network: { ready: Promise.resolve() },
      run: ({ code }: { code: string }, options: Parameters<typeof run>[1]) => run(code, options),
    }),
    openNetwork: () => ({ [Symbol.dispose]: () => undefined }),
    takeCalls: (taking: (stream: Socket) => void) => {
      take = taking;
      return { [Symbol.dispose]: () => undefined };
    },
  };
}
