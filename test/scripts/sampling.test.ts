import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SAMPLING = join(import.meta.dirname, '../setup/sampling.ts');

/** A sample of ten of a thousand, as a process with this seed takes it. */
function taken(env: Readonly<Record<string, string>>): number[] {
  const program = `
    const { sample } = await import(${JSON.stringify(SAMPLING)});
    const items = Array.from({ length: 1000 }, (_, i) => i);
    console.log(JSON.stringify(sample(items, { name: 'numbers', size: 10 })));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as number[];
}

it('takes the same sample for the same seed, another for another, one of each stretch, and all', () => {
  const first = taken({ HYPERAGENT_TEST_SEED: '7' });
  expect(taken({ HYPERAGENT_TEST_SEED: '7' })).toEqual(first);
  expect(taken({ HYPERAGENT_TEST_SEED: '8' })).not.toEqual(first);
  expect(first.map((item) => Math.floor(item / 100))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(taken({ HYPERAGENT_TEST_SEED: '7', HYPERAGENT_TEST_ALL: '1' })).toHaveLength(1000);
});
