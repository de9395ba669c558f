import { z } from 'zod';
import { RulePattern } from '../entities.ts';
import { InterruptKind, RiskLevel } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** An option of a question, with its label and meaning. */
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
  /** Why this is risky, one sentence per reason. */
  reasons: z.array(z.string()),
  /** In one line, why the user is asked, where `reasons` do not say it. */
  why: z.string().optional(),
  /** Canonical JSON of the arguments: exactly what is shown, hashed and run. */
  argumentsText: z.string().optional(),
  argumentsSha256: z.string().length(64).optional(),
  /** The pattern that "approve always" turns into a rule of the task: exactly these arguments. */
  rulePattern: z.string().optional(),
  /** Other patterns for a rule that would match this call. */
  rulePatterns: z.array(RulePattern).optional(),
  /** Shared by the approvals of one model answer: they are shown together, with a decision for each. */
  batchId: z.string().optional(),
  /** The file that the call would change, with its text before and after; null for no file. */
  change: z
    .strictObject({
      path: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      /** Why the texts are not shown in full; empty if they are. */
      note: z.string(),
    })
    .optional(),
  /** For a checkpoint: the parameters that the user may change, by name. */
  parameters: z.record(z.string(), z.unknown()).optional(),
  options: z.array(InterruptOption),
  /** How long the run waits, in ms, before it is parked. A later answer still counts. */
  attentionMs: z.int().positive(),
};

/** A question to the user. Approvals show `argumentsText`, the canonical bytes, in full. */
export const InterruptEvent = defineEvent('interrupt', question);

/** An open question of any run, as the inbox shows it. */
export const WaitingQuestion = z.strictObject({
  runId: z.string(),
  threadId: z.string(),
  threadTitle: z.string(),
  askedAt: z.int(),
  ...question,
});
export type WaitingQuestion = z.infer<typeof WaitingQuestion>;

/** A rule to create together with an answer. */
const NewRule = z.strictObject({ ...RulePattern.shape, thisTaskOnly: z.boolean() });

/** The possible answers of the user. */
export const InterruptResponse = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('approve'),
    /** The hash of the shown arguments; an answer for other bytes is refused. */
    argumentsSha256: z.string().length(64),
    /** Also create a rule: of the shown pattern for this task, or of `rule` if given. */
    always: z.boolean(),
    rule: NewRule.optional(),
    /** Canonical JSON of arguments that the user edited; the hash is then that of the edited arguments. */
    edited: z.string().max(2_000_000).optional(),
  }),
  z.strictObject({
    action: z.literal('deny'),
    reason: z.string().max(2000),
    /** Always deny matching calls. */
    rule: NewRule.optional(),
  }),
  /** Agrees to a question without arguments: a confirmation or a checkpoint. */
  z.strictObject({ action: z.literal('confirm') }),
  /** Agrees to a checkpoint with some parameters changed. */
  z.strictObject({ action: z.literal('modify'), overrides: z.record(z.string(), z.unknown()) }),
  z.strictObject({ action: z.literal('select'), value: z.string() }),
  z.strictObject({ action: z.literal('input'), text: z.string().max(100_000) }),
  z.strictObject({ action: z.literal('skip') }),
]);
export type InterruptResponse = z.infer<typeof InterruptResponse>;

const InterruptResponseEvent = defineEvent('interrupt_response', {
  interruptId: z.string(),
  response: InterruptResponse,
  /** `'person'` is the user, `'rule'` one of the user's rules, `'policy'` is `--approve never|all`. */
  by: z.enum(['person', 'rule', 'policy']),
});

export const hitlEvents = [InterruptEvent, InterruptResponseEvent] as const;
