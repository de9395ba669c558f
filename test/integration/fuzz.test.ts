import { afterAll, describe, expect, it } from 'vitest';
import { FuzzThread } from '../fuzz/fuzz-thread.ts';
import { FUZZ_TARGETS } from '../fuzz/targets.ts';
import { HOLE } from '../fuzz/types.ts';
import { note } from '../setup/notes.ts';
import { TEST_SEED } from '../setup/sampling.ts';

/**
 * A sample of `npm run fuzz`: no input of others hangs a parser of main, and none makes it throw what has no
 * code. Slowness is judged by the thread's own work, and far above what is promised: this machine may be busy.
 */
const COUNT = 120;
/** Room for data nested 20,000 deep. */
const LONGEST = 160_000;
const HANG_MS = 240_000;
const BLOCK_MS = 1_000;

/** They read what a server says when it refuses: there is no answer that they do not turn into an error. */
const REFUSALS = ['ollama-refusal', 'openai-refusal'];

/** Inputs that are all refused at once would test little. */
it.each(FUZZ_TARGETS.filter(({ name }) => !REFUSALS.includes(name)).map((one) => [one.name, one]))(
  '%s has a seed that its parser accepts',
  async (_name, { seeds, run }) => {
    const outcomes = seeds.map(async (seed) => {
      const bytes = typeof seed === 'string' ? Buffer.from(seed.replaceAll(HOLE, '1')) : seed;
      await run({ text: String(bytes), bytes, chunks: [bytes], random: () => 0.3 });
    });
    await expect(Promise.any(outcomes)).resolves.toBeUndefined();
  },
);

describe(`parsers of what others write (seed ${TEST_SEED})`, { timeout: 600_000 }, () => {
  const thread = new FuzzThread(HANG_MS);
  afterAll(() => thread[Symbol.asyncDispose]());

  note({
    ...{ kind: 'sample', name: 'fuzz inputs', command: 'npm run fuzz' },
    ...{ taken: COUNT * FUZZ_TARGETS.length, of: 10_000 * FUZZ_TARGETS.length },
  });

  it.each(FUZZ_TARGETS.map(({ name, faces }) => [name, faces] as const))(
    '%s, which reads what a %s wrote',
    async (name) => {
      const result = await thread.run({ name, seed: TEST_SEED, count: COUNT, longest: LONGEST });
      const { internal, hangs, longestMs, longestAt } = result;
      expect({ internal, hangs }).toEqual({ internal: [], hangs: [] });
      expect(longestMs, `input ${longestAt}`).toBeLessThan(BLOCK_MS);
    },
  );
});
