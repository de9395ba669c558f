import { z } from 'zod';
import { AgentName, ToolCallMeans } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** A phase of the run started or ended. `name` is stable, `description` is for users. */
const StageEvent = defineEvent('stage', {
  name: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
  description: z.string(),
  agent: AgentName.optional(),
  /** For a stage of a skill: its execution, and the call that started it. */
  skill: z
    .strictObject({ id: z.string(), executionId: z.string(), toolCallId: z.string() })
    .optional(),
});

/** The run ended with an answer. Exactly one `complete` or `error` ends a run. */
const CompleteEvent = defineEvent('complete', {
  outcome: z.enum(['completed', 'unverified']),
  answer: z.string(),
  durationMs: z.int().nonnegative(),
  rounds: z.int().nonnegative(),
  toolCalls: z.int().nonnegative(),
});

/** The run ended without an answer. `kept` says which work is kept. */
const ErrorEvent = defineEvent('error', {
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  kept: z.string().optional(),
});

/** The cost of one model request. Counts come from the server; it did not report absent ones. */
const UsageEvent = defineEvent('usage', {
  /** Which answer it is; each step of a plan, hand-over and skill counts its own. */
  round: z.int().positive(),
  model: z.string(),
  promptTokens: z.int().nonnegative().optional(),
  completionTokens: z.int().nonnegative().optional(),
  /** Estimated from the answer, where the server reported no count. */
  completionEstimate: z.int().nonnegative().optional(),
  /** The window the request was fitted to, in tokens. */
  contextWindow: z.int().positive().optional(),
  loadMs: z.number().nonnegative().optional(),
  firstTokenMs: z.number().nonnegative().optional(),
  durationMs: z.number().nonnegative(),
  /** How this answer made its tool calls; absent without calls. */
  toolMeans: ToolCallMeans.optional(),
  /** Estimated tokens by part of the prompt, for the context meter. */
  parts: z
    .strictObject({
      system: z.int().nonnegative(),
      /** What the user wrote for every task; not part of `system`. */
      instructions: z.int().nonnegative().optional(),
      tools: z.int().nonnegative(),
      history: z.int().nonnegative(),
      attachments: z.int().nonnegative().optional(),
      reserve: z.int().nonnegative(),
    })
    .optional(),
  /** Whether the earlier part of the request was byte-identical to the previous request of the run. */
  prefix: z.strictObject({ hit: z.boolean(), bytes: z.int().nonnegative() }).optional(),
});

export const lifecycleEvents = [StageEvent, CompleteEvent, ErrorEvent, UsageEvent] as const;
