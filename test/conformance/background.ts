import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { delay } from '#main/base/abort.ts';
import type {
  CommandResult,
  RuntimeSpec,
  SandboxLimits,
  SandboxRuntime,
} from '#main/sandbox/types.ts';
import {
  END_MAIN_THREAD,
  expectNoGrowth,
  HIDDEN_HOLDERS,
  holding,
  RUNAWAYS,
  seen,
} from './runaways.ts';

/** What the provider suite passes in; see `sandbox-provider.ts`. */
interface Bench {
  readonly test: (name: string, run: () => Promise<void>) => void;
  readonly runtime: () => SandboxRuntime;
  readonly workspaceDir: () => string;
  readonly run: (
    code: string,
    options?: { readonly language?: 'python'; readonly on?: SandboxRuntime },
  ) => Promise<CommandResult>;
  readonly summary: (result: CommandResult) => object;
  /** What `summary` returns for a command that printed nothing. */
  readonly fine: object;
  readonly newSpec: () => Promise<RuntimeSpec>;
  readonly start: (spec: RuntimeSpec) => Promise<SandboxRuntime>;
  /** The files that the runaways wrote. */
  readonly ticks: () => Promise<string[]>;
  /** Resolves when each of the runaways has written its file. */
  readonly ticking: () => Promise<void>;
  readonly expectStill: () => Promise<void>;
  readonly limits: SandboxLimits;
}

const MEGABYTE = 1024 * 1024;
/** Commands that leave a program which fills the disk; the second leaves nothing visible at its end. */
const FILLERS: Readonly<Record<string, string>> = {
  'what is left in the background': `setsid bash -c 'for i in $(seq 1 80); do head -c 10000000 /dev/zero >fill$i; sync fill$i; sleep 0.1; done' >/dev/null 2>&1 &`,
  'a thread whose main thread has ended': `setsid python3 -c '
import ctypes, os, threading, time
def fill():
    time.sleep(3)
    for i in range(80):
        with open(f"fill{i}", "wb", 0) as file: file.write(bytes(10_000_000)); os.fsync(file.fileno())
        time.sleep(0.1)
threading.Thread(target=fill).start()
${END_MAIN_THREAD}' >/dev/null 2>&1 & sleep 1.5`,
};
const never = new AbortController().signal;

/** Programs that hide from the shell still have limits, are listed, and can be ended. */
export function testBackground(bench: Bench): void {
  const { test, run, summary, fine, newSpec, start, ticks, ticking, expectStill, limits } = bench;

  describe('limits of what hides', () => {
    for (const [name, holder] of Object.entries(HIDDEN_HOLDERS)) {
      test(`memory: nothing holds more in ${name}`, async () => {
        const result = await run(holding(holder, limits.memoryBytes * 2), { language: 'python' });
        expect(result.stdout).toBe('');
        const isRefused = result.outcome === 'completed' && result.exitCode !== 0;
        expect(isRefused || result.outcome === 'out_of_memory').toBe(true);
        expect((await run('echo on')).stdout).toBe('on\n');
      });
    }

    test('memory: what is left in the background has the same limit', async () => {
      const hog = `python3 -c 'import time; time.sleep(1); hoard = b"x" * ${limits.memoryBytes * 2}; time.sleep(60)'`;
      await run(`(touch began; setsid ${hog}; touch ended) >/dev/null 2>&1 & sleep 0.1`);
      const ended = await seen(
        async () =>
          [await bench.runtime().programs(), await readdir(bench.workspaceDir())] as const,
        ([programs, files]) =>
          files.includes('began') && (programs?.length === 0 || files.includes('ended')),
      );
      expect(ended[0]?.filter(({ command }) => command.startsWith('python3'))).toEqual([]);
      expect((await run('echo on')).stdout).toBe('on\n');
    });

    for (const [name, filler] of Object.entries(FILLERS)) {
      test(`disk: ${name} has the same limit`, async () => {
        const spec = await newSpec();
        const diskBytes = 64 * MEGABYTE;
        await using small = await start({ ...spec, limits: { ...limits, diskBytes } });
        const size = async (): Promise<number> => {
          const names = await readdir(spec.workspaceDir);
          const files = names.filter((file) => file.startsWith('fill'));
          const stats = files.map((file) => stat(join(spec.workspaceDir, file)));
          return (await Promise.all(stats)).reduce((sum, one) => sum + one.blocks * 512, 0);
        };
        await run(filler, { on: small });
        await seen(size, (bytes) => bytes > 30 * MEGABYTE);
        expect(await expectNoGrowth(size)).toBeLessThan(500 * MEGABYTE);
        const next = await run('echo on', { on: small });
        expect({ ...summary(next), why: next.backgroundEnd }).toEqual({
          ...{ ...fine, stdout: 'on\n', sessionLost: true, why: 'out_of_disk' },
        });
      });
    }
  });

  test('background processes outlive their command, and die with the runtime', async () => {
    await run(RUNAWAYS);
    await ticking();
    const before = await ticks();
    await delay(200, never);
    expect(await ticks()).not.toEqual(before);
    await bench.runtime()[Symbol.asyncDispose]();
    await expectStill();
  });

  test('programs in the background are listed, and only they, however they were started', async () => {
    await run('sleep 0');
    expect(await bench.runtime().programs()).toEqual([]);
    const before = Date.now();
    await run(`${RUNAWAYS}\nsleep 321.5 &`);
    await ticking();
    const programs = (await bench.runtime().programs()) ?? [];
    const commands = programs.map(({ command }) => command);
    expect(commands.filter((command) => command === 'sleep 321.5')).toHaveLength(1);
    expect(commands.some((command) => command.includes('tick2'))).toBe(true);
    expect(commands.some((command) => command.includes('tick3'))).toBe(true);
    // The clock of processes counts in hundredths from a second that was rounded.
    const times = programs.map(({ startedAt }) => startedAt);
    expect(Math.min(...times)).toBeGreaterThan(before - 5_000);
    expect(Math.max(...times)).toBeLessThan(Date.now() + 5_000);
    expect(new Set(programs.map(({ id }) => id)).size).toBe(programs.length);
  });

  test('programs in the background are ended with the shell, and what follows has a new one', async () => {
    await run(RUNAWAYS);
    await ticking();
    await bench.runtime().endPrograms();
    await expectStill();
    expect(await bench.runtime().programs()).toEqual([]);
    expect(summary(await run('echo on'))).toEqual({ ...fine, stdout: 'on\n', sessionLost: true });
    expect(await bench.runtime().programs()).toEqual([]);
  });

  test('programs in the background die with their shell', async () => {
    await run(RUNAWAYS);
    await ticking();
    await run('exit 3');
    await expectStill();
  });
}
