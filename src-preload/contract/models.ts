import { z } from 'zod';
import { ModelRef } from './entities.ts';
import { ModelTier, ToolCallMeans } from './vocabulary.ts';

/** Profiles, checks and downloads of models. Context windows are in tokens, times in ms. */

/** The result of one task of the model check. */
export const ModelCheckItem = z.strictObject({
  /** Stable: `one_call`, `recall_50`, `speed_warm`… */
  id: z.string(),
  label: z.string(),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  /** For the user: what was asked, and what came back. */
  detail: z.string(),
  durationMs: z.number().nonnegative(),
});
export type ModelCheckItem = z.infer<typeof ModelCheckItem>;

/** The report card of a model. */
export const ModelReportCard = z.strictObject({
  at: z.int(),
  /** One sentence for the user: "Good for chat, too weak for building apps; …". */
  verdict: z.string(),
  /** Tiers the model is good enough for. */
  tiers: z.array(ModelTier),
  items: z.array(ModelCheckItem),
});
export type ModelReportCard = z.infer<typeof ModelReportCard>;

/** What its server wants in place of a parameter that it refused. */
export const ParameterFix = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drop') }),
  z.strictObject({ kind: z.literal('rename'), to: z.string() }),
  z.strictObject({ kind: z.literal('set'), value: z.union([z.string(), z.number()]) }),
]);
export type ParameterFix = z.infer<typeof ParameterFix>;

/**
 * What is known about a model, from its server and from using it. Null means not known yet. Stored by
 * provider and name, and discarded when the model's file changes.
 */
export const ModelProfile = z.strictObject({
  model: ModelRef,
  /** The server forwards prompts to a cloud. */
  cloud: z.boolean(),
  trainedContext: z.int().positive().nullable(),
  /** The window that the server really enforces, read back after a load. */
  loadedContext: z.int().positive().nullable(),
  /** Whether the server offers native tool calls for it. */
  tools: z.boolean().nullable(),
  /** The means of calling tools that worked last. */
  toolMeans: ToolCallMeans.nullable(),
  thinking: z.boolean().nullable(),
  /** Where its thinking arrives: in a field of the protocol, or in `tags` in the text. */
  thinkingKey: z.string().nullable(),
  vision: z.boolean().nullable(),
  jsonSchema: z.boolean().nullable(),
  /** Parameters that its server refused, by their path in a request (`reasoning.summary`). */
  parameters: z.record(z.string(), ParameterFix).default({}),
  /** Speed of output, and of reading the prompt. */
  tokensPerSecond: z.number().positive().nullable(),
  promptTokensPerSecond: z.number().positive().nullable(),
  coldLoadMs: z.number().nonnegative().nullable(),
  /** Measured with the server's token counts; used for estimates. */
  bytesPerToken: z.number().positive().nullable(),
  /** Identifies the model file that this profile describes; null if the server reports none. */
  digest: z.string().nullable(),
  reportCard: ModelReportCard.nullable(),
  updatedAt: z.int(),
});
export type ModelProfile = z.infer<typeof ModelProfile>;

/** The profile of a model that was not used yet. */
export function unknownProfile(model: ModelRef, updatedAt: number): ModelProfile {
  return {
    model,
    cloud: false,
    trainedContext: null,
    loadedContext: null,
    tools: null,
    toolMeans: null,
    thinking: null,
    thinkingKey: null,
    vision: null,
    jsonSchema: null,
    parameters: {},
    tokensPerSecond: null,
    promptTokensPerSecond: null,
    coldLoadMs: null,
    bytesPerToken: null,
    digest: null,
    reportCard: null,
    updatedAt,
  };
}

/** The recommended installed model for a tier, and why; `model` is null if none is suitable. */
export const TierRecommendation = z.strictObject({
  tier: ModelTier,
  model: ModelRef.nullable(),
  reason: z.string(),
});
export type TierRecommendation = z.infer<typeof TierRecommendation>;

/** A model download. `totalBytes` is null until the server reports it. */
export const ModelPull = z.strictObject({
  model: ModelRef,
  status: z.enum(['running', 'completed', 'failed', 'cancelled']),
  /** The current step, in the server's words. */
  step: z.string(),
  completedBytes: z.int().nonnegative(),
  totalBytes: z.int().nonnegative().nullable(),
  /** Why it failed, and what to do. */
  problem: z.string().nullable(),
});
export type ModelPull = z.infer<typeof ModelPull>;

/** A pull before its first progress report. */
export function startedPull(model: ModelRef): ModelPull {
  return {
    model,
    status: 'running',
    step: 'starting',
    completedBytes: 0,
    totalBytes: null,
    problem: null,
  };
}
