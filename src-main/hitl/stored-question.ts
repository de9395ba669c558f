import { z } from 'zod';
import { RulePattern } from '#contract/entities.ts';
import { InterruptEvent, InterruptOption } from '#contract/events/hitl.ts';
import { InterruptKind, RiskLevel } from '#contract/vocabulary.ts';
import type { Question } from './types.ts';

const StoredQuestion = z.object({
  subject: z.string(),
  kind: InterruptKind,
  title: z.string(),
  message: z.string(),
  toolCallId: z.string().exactOptional(),
  toolName: z.string().exactOptional(),
  risk: RiskLevel.exactOptional(),
  reasons: z.array(z.string()),
  why: z.string().exactOptional(),
  argumentsText: z.string().exactOptional(),
  argumentsSha256: z.string().exactOptional(),
  rulePattern: z.string().exactOptional(),
  rulePatterns: z.array(RulePattern).exactOptional(),
  batchId: z.string().exactOptional(),
  change: InterruptEvent.shape.change.unwrap().exactOptional(),
  parameters: z.record(z.string(), z.unknown()).exactOptional(),
  options: z.array(InterruptOption),
});

/** A stored question. Throws on data that no version of the app has written. */
export function parseStoredQuestion(stored: unknown): Question {
  return StoredQuestion.parse(stored);
}
