import { z } from 'zod';
import { RulePattern } from '../entities.ts';
import { InterruptKind, RiskLevel } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** A value of a question: what it is called and what choosing it means. */
export const InterruptOption = z.strictObject({
  value: z.string(),
  label: z.string(),
  description: z.string().optional(),
});
export type InterruptOption = z.infer<typeof InterruptOption>;

const question = {
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
  /** The pattern that "approve always" turns into a rule of the task: exactly these arguments. */
  rulePattern: z.string().optional(),
  /** Other patterns that cover this call and that a rule could be made of. */
  rulePatterns: z.array(RulePattern).optional(),
  /** Approvals of the same answer share it: they are shown as one, with a decision for each. */
  batchId: z.string().optional(),
  /** The file that the call would change: what is there now and what would be, null where there is none. */
  change: z
    .strictObject({
      path: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      /** Why the texts are not given in full; empty where they are. */
      note: z.string(),
    })
    .optional(),
  /** For a checkpoint: what the person may change, by name. */
  parameters: z.record(z.string(), z.unknown()).optional(),
  options: z.array(InterruptOption),
  /** Attention time in ms; past it the run is parked, and a later answer still counts. */
  attentionMs: z.int().positive(),
};

/** Something waits for the person. Approvals show `argumentsText`, the canonical bytes, in full. */
export const InterruptEvent = defineEvent('interrupt', question);

/** A question without an answer, wherever its run is, as the inbox shows it. */
export const WaitingQuestion = z.strictObject({
  runId: z.string(),
  threadId: z.string(),
  threadTitle: z.string(),
  askedAt: z.int(),
  ...question,
});
export type WaitingQuestion = z.infer<typeof WaitingQuestion>;

/** A rule that is made together with an answer. */
const RuleWish = z.strictObject({ ...RulePattern.shape, thisTaskOnly: z.boolean() });

/** How the person may answer. */
export const InterruptResponse = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('approve'),
    /** The hash of what was shown; an answer to other bytes is refused. */
    argumentsSha256: z.string().length(64),
    /** Make a rule of the shown pattern for this task, or of `rule` where it is given. */
    always: z.boolean(),
    rule: RuleWish.optional(),
    /** Canonical JSON of arguments that the person changed; the hash is theirs then. */
    edited: z.string().max(2_000_000).optional(),
  }),
  z.strictObject({
    action: z.literal('deny'),
    reason: z.string().max(2000),
    /** Deny always what this covers. */
    rule: RuleWish.optional(),
  }),
  /** Yes, to a question without bytes: a confirmation, a checkpoint. */
  z.strictObject({ action: z.literal('confirm') }),
  /** Yes to a checkpoint, with some of its parameters changed. */
  z.strictObject({ action: z.literal('modify'), overrides: z.record(z.string(), z.unknown()) }),
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
