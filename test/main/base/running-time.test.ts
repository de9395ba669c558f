import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';

interface Held {
  readonly met: readonly string[];
  readonly ranMs: number;
}

/** A process with limits of 2 s; `during` is done while they run. */
async function hold(
  what: 'rest' | 'compute',
  during: (kill: (signal: NodeJS.Signals) => void) => Promise<void> = async () => undefined,
): Promise<Held> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'standing-child.ts'), what], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'readable');
  const said = text(child.stdout);
  await during((signal) => void child.kill(signal));
  return JSON.parse((await said).split('\n').at(-2) ?? '') as Held;
}

const canStop = process.platform !== 'win32';
const why = canStop ? '' : ' (skipped: Windows stops no process by a signal)';

describe('a limit of 2 s', () => {
  it.skipIf(!canStop)(`does not count the 4 s that the process stood still${why}`, async () => {
    const { met, ranMs } = await hold('rest', async (kill) => {
      kill('SIGSTOP');
      await wait(4_000);
      kill('SIGCONT');
    });
    expect(met).toEqual([]);
    expect(ranMs).toBeLessThan(3_000);
  });

  it('is met by a main thread that computes for 3 s', async () => {
    const { met, ranMs } = await hold('compute');
    expect([...met].sort()).toEqual(['connect_timeout', 'limit', 'signal']);
    expect(ranMs).toBeGreaterThan(2_000);
  });
});
