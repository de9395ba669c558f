import type { AgentContext } from '../../agents/types.ts';
import type { OrchestratorParts } from '../types.ts';
import { type CheckedFact, fact } from './types.ts';

/**
 * That the Markdown skill which the task is in was followed to its end: where that is not so, and where it was not
 * so in the facts of an attempt `before`.
 */
export function skillFacts(
  { unfinishedSkill }: Pick<OrchestratorParts, 'unfinishedSkill'>,
  context: Pick<AgentContext, 'threadId' | 'runId'>,
  before: readonly CheckedFact[] = [],
): CheckedFact[] {
  const unfinished = unfinishedSkill?.(context) ?? null;
  if (unfinished === null) {
    const held = before.filter(({ claim }) => /^The skill .* was followed to its end$/.test(claim));
    return held.map(({ claim }) => fact(claim, 'holds', 'Nothing of it is left undone.'));
  }
  const claim = `The skill ${unfinished.skill} was followed to its end`;
  return [fact(claim, 'fails', unfinished.missing)];
}
