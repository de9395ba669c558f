/** Lanes of hand-overs are numbered from here on; steps of a plan have those below. */
export const FIRST_HANDOFF_LANE = 900;
/** Lanes of work that skills ask agents for. */
export const FIRST_SKILL_LANE = 10_000;
