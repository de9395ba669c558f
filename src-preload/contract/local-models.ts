import { z } from 'zod';

/** Model files on this computer, and those that the app can download. Sizes are in bytes. */

export const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'a SHA-256 hash has 64 digits from 0 to f');

/** A model file whose address, size, hash and licence are part of the app. */
export const PinnedModel = z.strictObject({
  id: z.string().min(1).max(100),
  /** For the user: `Qwen3 4B`. */
  label: z.string(),
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.gguf$/),
  url: z.url({ protocol: /^https$/ }),
  sha256: Sha256,
  bytes: z.int().positive(),
  licence: z.string().min(1),
  /** Memory of a computer on which it is offered. */
  memoryBytes: z.int().positive(),
});
export type PinnedModel = z.infer<typeof PinnedModel>;

/** A download of a model file. It continues while no window is open, and can be resumed after a restart. */
export const ModelDownload = z.strictObject({
  id: z.string(),
  /** The name that the file gets in the app's folder of models. */
  file: z.string(),
  url: z.string(),
  /** `checking`: everything is here, and its hash is being computed. */
  status: z.enum(['running', 'checking', 'paused', 'failed', 'completed']),
  completedBytes: z.int().nonnegative(),
  /** Null until it is known. */
  totalBytes: z.int().nonnegative().nullable(),
  /** The expected hash; null if the user gave none. After completion, the hash of the file. */
  sha256: Sha256.nullable(),
  /** Null if it is not known. */
  licence: z.string().nullable(),
  /** Why it failed, and what to do. */
  problem: z.string().nullable(),
});
export type ModelDownload = z.infer<typeof ModelDownload>;

/** A model file that was found on this computer. */
export const FoundModel = z.strictObject({
  path: z.string(),
  /** The name under which the app would list it. */
  name: z.string(),
  /** Which program put it there. */
  store: z.enum(['HyperAgent', 'Ollama', 'LM Studio', 'Hugging Face', 'llama.cpp']),
  bytes: z.int().nonnegative(),
});
export type FoundModel = z.infer<typeof FoundModel>;

/**
 * The runtime for model files: `ready`, `installable` by the app, or `missing` where the app cannot install it
 * (then `npm run embedded` does).
 */
export const RuntimeState = z.enum(['ready', 'installable', 'installing', 'missing']);
export type RuntimeState = z.infer<typeof RuntimeState>;

/** A model server that is installed and does not answer, which the app can start after a click. */
export const StartableServer = z.strictObject({ id: z.enum(['ollama']), label: z.string() });
export type StartableServer = z.infer<typeof StartableServer>;

/** Everything about models without a server. */
export const LocalModels = z.strictObject({
  /** At most three that fit this computer's memory, smallest first. */
  offers: z.array(PinnedModel),
  found: z.array(FoundModel),
  downloads: z.array(ModelDownload),
  runtime: RuntimeState,
  startable: z.array(StartableServer),
  /** Memory of this computer. */
  memoryBytes: z.int().positive(),
});
export type LocalModels = z.infer<typeof LocalModels>;
