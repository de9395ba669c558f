import type { AgentContext } from '../types.ts';

/** Lanes of hand-overs are numbered from here on; steps of a plan have those below. */
export const FIRST_HANDOFF_LANE = 900;
/** Lanes of work that skills ask agents for. */
export const FIRST_SKILL_LANE = 10_000;

/**
 * Sources are numbered once in a run, so that `[n]` means one source wherever it stands: each piece of
 * research within a run has numbers of its own, of which it needs far less than a hundred.
 */
export function firstSourceNumber({
  lane,
  answerToFirstCalls,
}: Pick<AgentContext, 'lane' | 'answerToFirstCalls'>): number {
  if (lane === 0) return 1;
  if (lane >= FIRST_SKILL_LANE) {
    const skill = lane - FIRST_SKILL_LANE;
    // A run that is a skill has no hand-overs and no steps.
    if (answerToFirstCalls !== undefined) return skill * 100 + 1;
    // Between those of hand-overs and those of steps; from the eighth on, beyond all.
    return (skill < 7 ? 300 + skill * 100 : lane * 100) + 1;
  }
  return lane < FIRST_HANDOFF_LANE ? lane * 1_000 + 1 : (lane - FIRST_HANDOFF_LANE) * 100 + 1;
}
