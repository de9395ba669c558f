import { describe, expect, it } from 'vitest';
import { countDay, readDay } from '../../../scripts/corpus-approvals/count.ts';
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

it.each([
  ['ask_every_time', 79],
  ['ask_on_exit', 3],
  ['unattended', 3],
  ['not_chosen', 43],
] as const)('a day of 100 calls asks under %s %i times', async (level, questions) => {
  const day = readDay('test/fixtures/approvals/day.jsonl');
  const { ask, park, run } = await countDay(day, level);
  expect([ask + park, run]).toEqual([questions, 100 - questions]);
});
