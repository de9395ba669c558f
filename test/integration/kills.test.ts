import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DYNAMIC_SCENARIO } from '../kill/dynamic-scenario.ts';
import { KillHarness, type Verdict } from '../kill/harness.ts';
import { PLAN_SCENARIO } from '../kill/plan-scenario.ts';
import { RESEARCH_SCENARIO } from '../kill/research-scenario.ts';
import { CALLS_SCENARIO } from '../kill/scenario.ts';
import { SKILL_SCENARIO } from '../kill/skill-scenario.ts';
import { WALK_SCENARIO } from '../kill/walk-scenario.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/**
 * A process that is killed goes on where it was: a sample of what `npm run kills` does at every
 * boundary of the run.
 */
describe.skipIf(!osSandboxReady).each([
  ['a run of calls', CALLS_SCENARIO, 16],
  ['a plan that is made again', PLAN_SCENARIO, 10],
  ['a research', RESEARCH_SCENARIO, 10],
  ['a skill', SKILL_SCENARIO, 8],
  ['a skill of instructions', WALK_SCENARIO, 8],
  ['a skill whose source is kept in the app', DYNAMIC_SCENARIO, 8],
])(`kill -9 of %s${osSandboxNote}`, (_name, scenario, kills) => {
  let harness: KillHarness;
  let names: readonly string[] = [];

  beforeAll(async () => {
    harness = await KillHarness.open(scenario);
    const undisturbed = await harness.undisturbed();
    names = undisturbed.names;
    expect(undisturbed.run?.status).toBe('completed');
    expect(undisturbed.effects.split('\n').filter((mark) => mark !== '')).toEqual(scenario.marks);
  });

  afterAll(() => harness?.[Symbol.asyncDispose]());

  /** One boundary of each kind and place, over the whole length of the run. */
  const sample = (): number[] => {
    const step = Math.floor(names.length / kills);
    return Array.from({ length: kills }, (_, i) => i * step + 1 + (i % step));
  };

  /**
   * Pieces of a stream that come together make a run of fewer boundaries on a busy machine. One that
   * ended before its place came is judged like any other, and the next is killed nearer.
   */
  const killOnce = async (at: number): Promise<Verdict[]> => {
    const verdict = await harness.kill(at);
    if (verdict.killed === 1) return [verdict];
    return [verdict, ...(await killOnce(verdict.boundaries - (at % 7)))];
  };

  it('at any boundary: nothing doubled, nothing lost, the same log and answer', async () => {
    const verdicts = (await inTurns(sample(), killOnce)).flat();
    expect(verdicts.filter(({ killed }) => killed === 1)).toHaveLength(kills);
    for (const { kills, doubled, lost, differences } of verdicts) {
      expect({ kills, doubled, lost, differences }).toEqual({
        ...{ kills, doubled: [], lost: [], differences: [] },
      });
    }
  }, 900_000);

  it('and again while it goes on', async () => {
    const verdicts = await inTurns(sample().slice(0, Math.ceil(kills / 2)), (at) =>
      harness.kill(at, 9, 20),
    );
    for (const { kills, doubled, lost, differences } of verdicts) {
      expect({ kills, doubled, lost, differences }).toEqual({
        ...{ kills, doubled: [], lost: [], differences: [] },
      });
    }
  }, 900_000);
});

/** Four at a time. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const queue = [...items];
  const results: Result[] = [];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      results.push(await work(item));
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return results;
}
