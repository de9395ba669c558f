import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultHarness, faultObstacle } from '../kill/fault-harness.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { sample } from '../setup/sampling.ts';

const obstacle = faultObstacle();
const note = obstacle === null ? '' : ` (skipped: ${obstacle})`;

/** A sample of what `npm run faults` does with every write, sync and rename of a run. */
describe.skipIf(obstacle !== null || !osSandboxReady)(
  `a disk that fails${note}${osSandboxNote}`,
  () => {
    let harness: FaultHarness;
    let count = 0;

    beforeAll(async () => {
      harness = await FaultHarness.open();
      count = await harness.count();
    });

    afterAll(() => harness?.[Symbol.asyncDispose]());

    it.each([
      ['ENOSPC', false],
      ['ENOSPC', true],
      ['EIO', false],
      ['EIO', true],
    ] as const)(
      '%s, lasting: %s: no corrupt database, no told event lost, a clear end, and on it goes',
      async (code, lasting) => {
        expect(count).toBeGreaterThan(300);
        const places = sample(
          Array.from({ length: Math.ceil(0.85 * count) }, (_, i) => i + 1),
          { name: `faults ${code}, lasting: ${lasting}`, size: 3, command: 'npm run faults' },
        );
        const verdicts = await Promise.all(places.map((at) => harness.run({ at, code, lasting })));
        expect(
          verdicts.flatMap(({ fault, problems }) => problems.map((one) => [fault, one])),
        ).toEqual([]);
        // The fault was met: what lasts leaves no run unharmed.
        if (lasting)
          expect(verdicts.every(({ during }) => !during.includes('completed'))).toBe(true);
      },
      120_000,
    );
  },
);
