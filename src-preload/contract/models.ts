import { z } from 'zod';
import { ModelRef } from './entities.ts';
import { ModelTier, ToolCallMeans } from './vocabulary.ts';

/** Everything about models that is more than their name. Windows are in tokens; times in ms. */

/** What one task of the model check-up showed. */
export const ModelCheckItem = z.strictObject({
  /** Stable: `one_call`, `recall_50`, `speed_warm`… */
  id: z.string(),
  label: z.string(),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  /** In plain words: what was asked, what came. */
  detail: z.string(),
  durationMs: z.number().nonnegative(),
});
export type ModelCheckItem = z.infer<typeof ModelCheckItem>;

/** The report card of a model. */
export const ModelReportCard = z.strictObject({
  at: z.int(),
  /** One sentence for the person: "Good for chat, too weak for building apps; …". */
  verdict: z.string(),
  /** Tiers that it is good enough for. */
  tiers: z.array(ModelTier),
  items: z.array(ModelCheckItem),
});
export type ModelReportCard = z.infer<typeof ModelReportCard>;

/**
 * What is known of a model: what its server says, and what was found out by using it. Null where
 * nobody knows yet. Kept for each provider and name, and forgotten when the model's file changes.
 */
export const ModelProfile = z.strictObject({
  model: ModelRef,
  /** The server forwards prompts to a cloud. */
  cloud: z.boolean(),
  trainedContext: z.int().positive().nullable(),
  /** The window that the server really holds requests to, read back after a load. */
  loadedContext: z.int().positive().nullable(),
  /** Whether the server offers native tool calls for it. */
  tools: z.boolean().nullable(),
  /** The way of calling tools that worked last. */
  toolMeans: ToolCallMeans.nullable(),
  thinking: z.boolean().nullable(),
  /** Where its thinking arrives: a key of the protocol, or `tags` in the text. */
  thinkingKey: z.string().nullable(),
  vision: z.boolean().nullable(),
  jsonSchema: z.boolean().nullable(),
  /** Written by the model, and read of a prompt. */
  tokensPerSecond: z.number().positive().nullable(),
  promptTokensPerSecond: z.number().positive().nullable(),
  coldLoadMs: z.number().nonnegative().nullable(),
  /** Measured on its own counts; what estimates are made with. */
  bytesPerToken: z.number().positive().nullable(),
  /** Identifies the file that all this was learnt of; null where the server gives nothing. */
  digest: z.string().nullable(),
  reportCard: ModelReportCard.nullable(),
  updatedAt: z.int(),
});
export type ModelProfile = z.infer<typeof ModelProfile>;

/** The profile of a model that nobody asked anything yet. */
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
    tokensPerSecond: null,
    promptTokensPerSecond: null,
    coldLoadMs: null,
    bytesPerToken: null,
    digest: null,
    reportCard: null,
    updatedAt,
  };
}

/** Which installed model to use for a tier, and why; `model` is null when none will do. */
export const TierRecommendation = z.strictObject({
  tier: ModelTier,
  model: ModelRef.nullable(),
  reason: z.string(),
});
export type TierRecommendation = z.infer<typeof TierRecommendation>;

/** A model on its way to this machine. `total` is null until the server says it. */
export const ModelPull = z.strictObject({
  model: ModelRef,
  status: z.enum(['running', 'completed', 'failed', 'cancelled']),
  /** What the server is doing, in its words. */
  step: z.string(),
  completedBytes: z.int().nonnegative(),
  totalBytes: z.int().nonnegative().nullable(),
  /** Why it failed, and what to do. */
  problem: z.string().nullable(),
});
export type ModelPull = z.infer<typeof ModelPull>;

/** A pull of which nothing was heard yet. */
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
