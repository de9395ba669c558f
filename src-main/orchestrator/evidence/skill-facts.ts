import type { AgentContext } from '../../agents/types.ts';
import type { OrchestratorParts } from '../types.ts';
import { type CheckedFact, fact } from './types.ts';

/**
 * A failed fact if the active Markdown skill of the task is not complete. If it is complete now and was not
 * in the facts `before`, those facts hold.
 */
export function skillFacts(
  { unfinishedSkill }: Pick<OrchestratorParts, 'unfinishedSkill'>,
  context: Pick<AgentContext, 'threadId' | 'runId'>,
  before: readonly CheckedFact[] = [],
): CheckedFact[] {
  const unfinished = unfinishedSkill?.(context) ?? null;
  if (unfinished === null) {
    const earlier = before.filter(({ claim }) =>
      /^The skill .* was followed to its end$/.test(claim),
    );
    return earlier.map(({ claim }) => fact(claim, 'holds', 'All of its steps are complete.'));
  }
  const claim = `The skill ${unfinished.skill} was followed to its end`;
  return [fact(claim, 'fails', unfinished.missing)];
}
