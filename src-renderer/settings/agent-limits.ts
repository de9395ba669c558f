/** Limits of agents with their bounds, which are those of the contract. */
export const AGENT_LIMITS = [
  { name: 'maxReplans', min: 0, max: 5 },
  { name: 'parallelSteps', min: 1, max: 5 },
  { name: 'repeatsBeforeHint', min: 2, max: 20 },
  { name: 'errorsBeforeReplan', min: 2, max: 50 },
  { name: 'maxHandoffs', min: 0, max: 10 },
  { name: 'researchPageSeconds', min: 1, max: 600 },
] as const;
