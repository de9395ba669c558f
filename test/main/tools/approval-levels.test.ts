import { describe, expect, it } from 'vitest';
import { AskedLevel, outcomeOf, readApprovalCases } from '../../fakes/approval-bench.ts';

/** Written from the issue and the seeds, before the code. */
const CASES = readApprovalCases();

it('there are enough of them', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(40);
});

describe.each(AskedLevel.options)('%s', (level) => {
  it.each(CASES.filter(({ expect: wanted }) => wanted[level] !== undefined))(
    '$name',
    async ({ expect: wanted, name: _name, ...call }) => {
      const got = [
        await outcomeOf(call, level, { isTainted: false }),
        await outcomeOf(call, level, { isTainted: true }),
      ];
      expect(got).toEqual(wanted[level]);
    },
  );
});
