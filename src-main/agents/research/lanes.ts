import type { AgentContext } from '../types.ts';

/** Hand-overs have lanes from this number on; steps of a plan use those below. */
export const FIRST_HANDOFF_LANE = 900;
/** Work that skills hand to agents has lanes from this number on. */
export const FIRST_SKILL_LANE = 10_000;

/**
 * The first source number of a lane. Sources are numbered uniquely in a run, so that `[n]` means the same
 * source everywhere. One research needs far fewer than a hundred numbers.
 */
export function firstSourceNumber({
  lane,
  answerToFirstCalls,
}: Pick<AgentContext, 'lane' | 'answerToFirstCalls'>): number {
  if (lane === 0) return 1;
  if (lane >= FIRST_SKILL_LANE) {
    const skill = lane - FIRST_SKILL_LANE;
    // A run that executes a skill has no hand-overs and no steps.
    if (answerToFirstCalls !== undefined) return skill * 100 + 1;
    // Between the numbers of hand-overs and of steps; from the eighth on, above all others.
    return (skill < 7 ? 300 + skill * 100 : lane * 100) + 1;
  }
  return lane < FIRST_HANDOFF_LANE ? lane * 1_000 + 1 : (lane - FIRST_HANDOFF_LANE) * 100 + 1;
}
