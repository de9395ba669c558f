import { z } from 'zod';
import { ModelRef, ModelServer } from './entities.ts';
import { LocalModels, ModelDownload, RuntimeState, Sha256 } from './local-models.ts';
import { ModelProfile, ModelPull, TierRecommendation } from './models.ts';

const nothing = z.strictObject({});
const byId = z.strictObject({ id: z.string().min(1).max(100) });
const download = z.strictObject({ download: ModelDownload });

/** Requests about models and their servers; a part of `REQUESTS`. */
export const MODEL_REQUESTS = {
  'models.list': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ servers: z.array(ModelServer) }),
  },
  /** The profile of a model; its server is asked for what is not known yet. */
  'models.profile': {
    effect: 'read',
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ profile: ModelProfile }),
  },
  /**
   * Whether the model of the next run sees pictures; null where that is not known. `other` is one that does, where
   * this one does not. Without `model`, that of the settings.
   */
  'models.sight': {
    effect: 'read',
    input: z.strictObject({ model: ModelRef.exactOptional() }),
    output: z.strictObject({
      model: ModelRef,
      vision: z.boolean().nullable(),
      other: ModelRef.nullable(),
    }),
  },
  /**
   * Tests the model with a dozen small tasks, which takes minutes; each result arrives as a `model_check`
   * push. One check at a time. Refused if the model needs the user's consent first.
   */
  'models.check': {
    effect: 'once',
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ profile: ModelProfile }),
  },
  'models.cancelCheck': { effect: 'read', input: nothing, output: nothing },
  /** The best installed model for each tier. */
  'models.recommend': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ recommendations: z.array(TierRecommendation) }),
  },
  /** Starts or continues to pull a model; progress arrives as `model_pull`. */
  'models.pull': {
    effect: 'once',
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ pull: ModelPull }),
  },
  'models.cancelPull': {
    effect: 'read',
    input: z.strictObject({ model: ModelRef }),
    output: nothing,
  },
  /** Pulls of this session, newest first. */
  'models.pulls': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ pulls: z.array(ModelPull) }),
  },

  /** Models without a server: what is offered, what is on this computer, and downloads, newest first. */
  'localModels.get': { effect: 'read', input: nothing, output: LocalModels },
  /**
   * Starts a download, or resumes the unfinished one of the same file; progress arrives as `model_download`. A
   * `reference` is an address that ends in .gguf, or `owner/repository/file.gguf` on Hugging Face.
   */
  'localModels.download': {
    effect: 'once',
    input: z.strictObject({
      wanted: z.union([
        byId,
        z.strictObject({
          reference: z.string().min(1).max(2_000),
          sha256: Sha256.exactOptional(),
        }),
      ]),
    }),
    output: download,
  },
  'localModels.pause': { effect: 'read', input: byId, output: download },
  'localModels.resume': { effect: 'once', input: byId, output: download },
  /** Stops a download and deletes what has arrived of it. */
  'localModels.remove': { effect: 'once', input: byId, output: nothing },
  /** Makes a found file the default model. */
  'localModels.use': {
    effect: 'once',
    input: z.strictObject({ path: z.string().min(1).max(4_096) }),
    output: z.strictObject({ model: ModelRef }),
  },
  /** Installs what loads model files, as `npm run embedded` does. */
  'localModels.installRuntime': {
    effect: 'once',
    input: nothing,
    output: z.strictObject({ runtime: RuntimeState }),
  },
  /** Starts a model server that is installed, and waits until it answers. It keeps running after the app. */
  'localModels.startServer': {
    effect: 'once',
    input: z.strictObject({ id: z.enum(['ollama']) }),
    output: nothing,
  },
} as const;
