import { z } from 'zod';
import { InterruptKind, RiskLevel } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** A value of a question: what it is called and what choosing it means. */
export const InterruptOption = z.strictObject({
  value: z.string(),
  label: z.string(),
  description: z.string().optional(),
});
export type InterruptOption = z.infer<typeof InterruptOption>;

/** Something waits for the person. Approvals show `argumentsText`, the canonical bytes, in full. */
export const InterruptEvent = defineEvent('interrupt', {
  interruptId: z.string(),
  kind: InterruptKind,
  title: z.string(),
  message: z.string(),
  toolCallId: z.string().optional(),
  toolName: z.string().optional(),
  risk: RiskLevel.optional(),
  /** Why this is risky, a sentence each. */
  reasons: z.array(z.string()),
  /** Canonical JSON of the arguments: what is shown, hashed, and run. */
  argumentsText: z.string().optional(),
  argumentsSha256: z.string().length(64).optional(),
  /** The pattern that "approve always" would turn into a rule. */
  rulePattern: z.string().optional(),
  options: z.array(InterruptOption),
  /** Attention time in ms; past it the run is parked, and a later answer still counts. */
  attentionMs: z.int().positive(),
});

/** How the person may answer. */
export const InterruptResponse = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('approve'),
    /** The hash of what was shown; an answer to other bytes is refused. */
    argumentsSha256: z.string().length(64),
    /** Make a rule of the shown pattern. */
    always: z.boolean(),
  }),
  z.strictObject({ action: z.literal('deny'), reason: z.string().max(2000) }),
  z.strictObject({ action: z.literal('select'), value: z.string() }),
  z.strictObject({ action: z.literal('input'), text: z.string().max(100_000) }),
  z.strictObject({ action: z.literal('skip') }),
]);
export type InterruptResponse = z.infer<typeof InterruptResponse>;

export const InterruptResponseEvent = defineEvent('interrupt_response', {
  interruptId: z.string(),
  response: InterruptResponse,
  /** `rule` is a standing answer of the person, `policy` is `--approve never|all`. */
  by: z.enum(['person', 'rule', 'policy']),
});
