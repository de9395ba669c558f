import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import { requireOnline } from '../../egress/require-online.ts';
import { type ConnectParts, connectTo, keyHint } from '../connect.ts';
import { DEMO_SERVER } from '../demo/demo-model.ts';
import { EMBEDDED_PROVIDER } from '../embedded/embedded-runtime.ts';
import { isCloudName, requireCloudConsent } from '../ollama/ollama-profile.ts';
import { forwardsToCloud } from '../ollama/open-ollama.ts';
import { findProvider } from '../providers.ts';
import { isLoopback } from '../transport/create-agent.ts';
import { STREAM_LIMITS, type StreamLimits } from '../transport/stream-watch.ts';
import { askOllama } from './ollama-embeddings.ts';
import { askOpenAi } from './openai-embeddings.ts';
import { unitVector } from './unit-vector.ts';

/** A model that turns texts into vectors: texts with similar meaning get similar vectors. */
export interface EmbeddingModel extends AsyncDisposable {
  readonly ref: ModelRef;
  /** One vector of length 1 for each text, all of one size. Throws `MODEL_…`, `EGRESS_DENIED`. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

export interface EmbeddingService {
  /**
   * Opens the model that the user chose. Throws `BAD_REQUEST`, `MODEL_…`, and `CLOUD_MODEL_NOT_ALLOWED` if
   * a local server would forward to a cloud without consent.
   */
  open(ref: ModelRef, signal: AbortSignal): Promise<EmbeddingModel>;
}

export interface EmbeddingParts extends Omit<ConnectParts, 'limits'> {
  readonly settings: () => Settings;
  readonly limits?: Partial<StreamLimits>;
  /** Address and key from the command line; they take precedence over the settings. */
  readonly overrides?: { readonly baseUrl?: string; readonly apiKey?: string };
}

export function createEmbeddingService(parts: EmbeddingParts): EmbeddingService {
  const limits: StreamLimits = { ...STREAM_LIMITS, ...parts.limits };
  return {
    open: async (ref, signal) => {
      signal.throwIfAborted();
      if (ref.provider === DEMO_SERVER.provider || ref.provider === EMBEDDED_PROVIDER) {
        throw new AppError(
          'MODEL_LACKS_CAPABILITY',
          `${ref.name} cannot make embeddings. Choose an embedding model on a model server, such as ollama:nomic-embed-text.`,
        );
      }
      const settings = parts.settings();
      const provider = findProvider(ref.provider, settings, parts.env);
      const connection = await connectTo(provider, parts.overrides ?? {}, { ...parts, limits });
      try {
        const isForwarded =
          isLoopback(connection.url) &&
          (isCloudName(ref.name) ||
            (provider.kind === 'ollama' && (await forwardsToCloud(connection, ref.name, signal))));
        if (isForwarded) {
          requireCloudConsent(
            ref.name,
            settings.cloudConsents.includes(`${ref.provider}:${ref.name}`),
          );
          requireOnline(settings, `${ref.name} runs in a cloud: it`);
        }
        const ask = provider.kind === 'ollama' ? askOllama : askOpenAi;
        const hint = provider.isCloud ? keyHint(provider) : null;
        return {
          ref,
          embed: async (texts, given) => {
            if (texts.length === 0) return [];
            const vectors = await ask(connection, {
              ...{ model: ref.name, keyHint: hint, signal: given },
              texts: connection.withoutSecrets(texts),
            });
            return vectors.map(unitVector);
          },
          [Symbol.asyncDispose]: async () => connection.close(),
        };
      } catch (error) {
        connection.close();
        throw error;
      }
    },
  };
}
