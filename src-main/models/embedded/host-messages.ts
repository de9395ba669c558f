import { z } from 'zod';

/** The messages from a model's process; see `resources/embedded/llama-host.mjs`. */
export const HostMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), id: z.literal(0), version: z.string() }),
  z.object({
    kind: z.literal('opened'),
    id: z.int(),
    contextWindow: z.int().positive(),
    trainedContext: z.int().positive(),
    /** Whether the model's chat template supports tools. */
    tools: z.boolean(),
    thinking: z.boolean(),
  }),
  z.object({ kind: z.literal('text'), id: z.int(), text: z.string() }),
  z.object({
    kind: z.literal('done'),
    id: z.int(),
    finish: z.enum(['stop', 'length']),
    promptTokens: z.int(),
    completionTokens: z.int(),
    /** Tokens of the prompt that were not in the cache. */
    evaluated: z.int(),
  }),
  z.object({
    kind: z.literal('failed'),
    id: z.int(),
    reason: z.enum(['failed', 'too_long', 'cancelled']),
    message: z.string(),
    promptTokens: z.int().optional(),
    contextWindow: z.int().optional(),
  }),
]);
export type HostMessage = z.infer<typeof HostMessage>;
export type HostMessageOf<Kind extends HostMessage['kind']> = Extract<HostMessage, { kind: Kind }>;
