import type { Settings } from '#contract/settings.ts';
import { ConversationFitter, type StoredSummary } from '../agents/context/conversation-fitter.ts';
import { pictureRules } from '../models/pictures/picture-rules.ts';
import { ignoreStorageErrors, type ProfileRegistry } from '../models/profiles/profile-registry.ts';
import type { ChatModel, ModelService } from '../models/types.ts';
import { TokenEstimator } from '../models/window/token-estimate.ts';
import type { SummaryStore } from '../storage/types.ts';
import type { RunContext } from './types.ts';

export interface FittingParts {
  readonly models: ModelService;
  readonly summaries: SummaryStore;
  /** Where token estimates start from, and where they are kept. */
  readonly profiles: Pick<ProfileRegistry, 'get' | 'learn'>;
  readonly settings: () => Pick<
    Settings,
    'compression' | 'compressionThreshold' | 'compressionKeep'
  >;
  readonly modelOverrides?: { readonly baseUrl?: string; readonly apiKey?: string };
}

export interface Fitting extends AsyncDisposable {
  readonly fitter: ConversationFitter;
  /** Opens a fitter for one step of a plan. Its summaries are not of the conversation, and are not kept. */
  readonly openFitter: () => ConversationFitter;
}

/**
 * The fitter for the requests of one run, with the thread's summary, and the flash tier to write new ones.
 * The scripted demonstration gets no summaries: its script has no answer for such a request.
 */
export function openFitting(
  { run, signal, emit }: RunContext,
  model: ChatModel,
  { models, summaries, profiles, settings, modelOverrides }: FittingParts,
): Fitting {
  const flash = models.ofTier('flash', model.ref);
  const isSame = flash.provider === model.ref.provider && flash.name === model.ref.name;
  const { compression, compressionThreshold, compressionKeep } = settings();
  const { tokens, sizeFor } = pictureRules(model.ref);
  const estimator = new TokenEstimator(profiles.get(model.ref).bytesPerToken, (picture) =>
    model.profile.vision === true ? tokens(sizeFor(picture)) : 0,
  );
  let summariser: ChatModel | null = null;
  const openSummariser = async (): Promise<ChatModel> => {
    // An address given for this run belongs to its own model.
    summariser ??= isSame
      ? await models.open(flash, { ...modelOverrides, signal })
      : await models.open(flash, { signal });
    return summariser;
  };
  const fitterWith = (store: (summary: StoredSummary) => void): ConversationFitter =>
    new ConversationFitter({
      ...{ model, estimator, store, emit, signal },
      openSummariser: flash.provider === 'demo' ? null : openSummariser,
      stored: summaries.latest(run.threadId),
      compression: {
        ...{ enabled: compression, threshold: compressionThreshold, keep: compressionKeep },
      },
    });
  return {
    fitter: fitterWith((summary) => summaries.put(run.threadId, summary)),
    openFitter: () => fitterWith(() => undefined),
    [Symbol.asyncDispose]: async () => {
      await summariser?.[Symbol.asyncDispose]();
      const { bytesPerToken } = estimator;
      if (bytesPerToken === null) return;
      ignoreStorageErrors(() => profiles.learn(model.ref, { bytesPerToken }));
    },
  };
}
