import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DYNAMIC_SCENARIO } from '../kill/dynamic-scenario.ts';
import { KillHarness, type Verdict } from '../kill/harness.ts';
import { PICTURE_SCENARIO } from '../kill/picture-scenario.ts';
import { PLAN_SCENARIO } from '../kill/plan-scenario.ts';
import { RESEARCH_SCENARIO } from '../kill/research-scenario.ts';
import { CALLS_SCENARIO } from '../kill/scenario.ts';
import { SESSION_SCENARIO } from '../kill/session-scenario.ts';
import { SKILL_SCENARIO } from '../kill/skill-scenario.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { sample } from '../setup/sampling.ts';

/**
 * A process that is killed goes on where it was: a sample of what `npm run kills` does at every
 * boundary of the run.
 */
describe.skipIf(!osSandboxReady).each([
  ['a run of calls', 'calls', CALLS_SCENARIO, 6, 2],
  ['a plan that is made again', 'plan', PLAN_SCENARIO, 4, 1],
  ['a research', 'research', RESEARCH_SCENARIO, 4, 1],
  ['a skill', 'skill', SKILL_SCENARIO, 3, 1],
  ['a skill of instructions', 'walk', SESSION_SCENARIO, 3, 1],
  ['a skill whose source is kept in the app', 'dynamic', DYNAMIC_SCENARIO, 3, 1],
  ['a run with pictures', 'pictures', PICTURE_SCENARIO, 4, 1],
])(`kill -9 of %s${osSandboxNote}`, (name, id, scenario, kills, again) => {
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

  /** Boundaries over the whole length of the run, counted from 1. */
  const boundaries = (what: string, size: number): number[] =>
    sample(
      names.map((_, i) => i + 1),
      { name: `kills of ${name}, ${what}`, size, command: `npm run kills -- 1 ${id}` },
    );

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
    const verdicts = (await inTurns(boundaries('once', kills), killOnce)).flat();
    expect(verdicts.filter(({ killed }) => killed === 1)).toHaveLength(kills);
    expect(verdicts.flatMap(faultsOf)).toEqual([]);
  }, 900_000);

  it('and again while it goes on', async () => {
    const verdicts = await inTurns(boundaries('three times', again), (at) =>
      harness.kill(at, 9, 20),
    );
    expect(verdicts.flatMap(faultsOf)).toEqual([]);
  }, 900_000);
});

/** A line each, which says by itself where the run was killed, and what was wrong then. */
function faultsOf({ kills, doubled, lost, differences }: Verdict): string[] {
  const faults = [
    ...doubled.map((mark) => `${mark} was doubled`),
    ...lost.map((mark) => `${mark} was lost`),
    ...differences,
  ];
  return faults.map((fault) => `killed at ${kills.join(', then ')}: ${fault}`);
}

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
