const HEADING =
  'The user wrote this in the settings, for every task. Follow it as far as the rules above allow:';

/** A system prompt with what the user wrote for every task after our own rules; without such words, our rules as they are. */
export function withUserInstructions(rules: string, instructions = ''): string {
  return instructions === '' ? rules : `${rules}\n\n${HEADING}\n${instructions}`;
}

/** The end of a system prompt that `withUserInstructions` added; empty if it added nothing. */
export function userInstructionsIn(system: string): string {
  const start = system.indexOf(HEADING);
  return start === -1 ? '' : system.slice(start);
}
