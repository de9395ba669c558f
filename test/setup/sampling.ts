import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { note } from './notes.ts';

/**
 * `npm test` takes seeded samples of what has thousands of cases; `npm run proof` takes every one. The
 * seed is that of the commit, so that a commit passes or fails, and not by chance; `npm test -- --seed N`
 * takes another, and `npm test -- --all` every case.
 */

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed of this run: a whole number below 2 ** 32. */
export const TEST_SEED: number = Number(process.env.HYPERAGENT_TEST_SEED ?? seedOfCommit()) >>> 0;

/** Whether every case is taken: `npm test -- --all`. */
export const IS_EXHAUSTIVE: boolean = process.env.HYPERAGENT_TEST_ALL === '1';

/** The first digits of the commit; 1 where there is none. Read from git's files: git may not be here. */
export function seedOfCommit(): number {
  const git = join(import.meta.dirname, '../../.git');
  const read = (name: string): string => {
    const file = join(git, name);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  };
  const head = existsSync(git) && statSync(git).isDirectory() ? read('HEAD') : '';
  const [, name] = /^ref: (.+)$/.exec(head) ?? [];
  const packed = (): string | undefined =>
    read('packed-refs')
      .split('\n')
      .find((line) => line.endsWith(` ${name}`));
  const commit = name === undefined ? head : read(name) || packed() || '';
  return /^[0-9a-f]{40}/.test(commit) ? Number.parseInt(commit.slice(0, 7), 16) : 1;
}

export interface SampleOptions {
  /** What the end of `npm test` calls it. */
  readonly name: string;
  readonly size: number;
  /** What has a command of its own for all of its cases is sampled by `--all` too. */
  readonly command?: string;
}

/**
 * One case of each of `size` equal stretches, in their order, so that the whole length is covered;
 * every case where the run is exhaustive. What is left out is noted.
 */
export function sample<Item>(items: readonly Item[], options: SampleOptions): Item[] {
  const size = sampleSize(items.length, options);
  return stretches(items, size, randomFor(options.name));
}

/** How many of `all` generated cases are tried: `size`, or all where the run is exhaustive. */
export function sampleSize(all: number, { name, size, command }: SampleOptions): number {
  const taken = IS_EXHAUSTIVE && command === undefined ? all : Math.min(all, size);
  const file = process.env.HYPERAGENT_TEST_FILE ?? '';
  const allBy = command ?? `npm test -- --all ${file}`;
  note({ kind: 'sample', name, taken, of: all, command: allBy });
  return taken;
}

/** For fast-check: how many inputs are made, and from which seed. */
export function trials(
  all: number,
  options: SampleOptions,
): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: sampleSize(all, options), seed: TEST_SEED | 0 };
}

/** Numbers of this run for what `name` calls: independent of what other tests drew. */
export function randomFor(name: string): Random {
  let hash = TEST_SEED;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return createRandom(hash);
}

function stretches<Item>(items: readonly Item[], size: number, random: Random): Item[] {
  if (size >= items.length) return [...items];
  return Array.from({ length: size }, (_, at) => {
    const first = Math.floor((at * items.length) / size);
    const next = Math.floor(((at + 1) * items.length) / size);
    return items[first + Math.floor(random() * (next - first))] as Item;
  });
}
