import type { ModelRef, ModelServer, Settings } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { ModelProfile } from '#contract/models.ts';
import type { Clock } from '../base/clock.ts';
import { requireOnline } from '../egress/require-online.ts';
import { type ConnectParts, connectTo } from './connect.ts';
import { EMBEDDED_PROVIDER } from './embedded/embedded-runtime.ts';
import { writeReportCard } from './model-check/report-card.ts';
import { ModelPulls } from './model-pulls.ts';
import type { ProfileRegistry } from './profiles/profile-registry.ts';
import { findProvider } from './providers.ts';
import { recommendModels } from './recommend.ts';
import type { CreateAgent } from './transport/create-agent.ts';
import type { ServerConnection } from './transport/server-connection.ts';
import { STREAM_LIMITS } from './transport/stream-watch.ts';
import type { ModelApi, ModelService } from './types.ts';

export interface ModelApiParts extends Pick<ConnectParts, 'readSecret' | 'env' | 'secrets'> {
  readonly models: ModelService;
  readonly profileRegistry: ProfileRegistry;
  readonly settings: () => Settings;
  readonly createAgent: CreateAgent;
  readonly memoryBytes: number;
  /** Address and key from the command line; they take precedence over the settings. */
  readonly overrides?: { readonly baseUrl?: string; readonly apiKey?: string };
  readonly clock: Clock;
}

const UNLOAD_LIMIT_MS = 60_000;

/** See `ModelApi`. Disposing cancels a running check and every pull. */
export function createModelApi(parts: ModelApiParts): ModelApi & AsyncDisposable {
  const { models, profileRegistry, settings, overrides = {}, clock } = parts;
  let checking: AbortController | null = null;

  const connectToOllama = async (model: ModelRef): Promise<ServerConnection> => {
    const provider = findProvider(model.provider, settings(), parts.env);
    if (provider.kind !== 'ollama') {
      throw new AppError(
        'BAD_REQUEST',
        `The app cannot pull models for ${provider.label}. Get the model in ${provider.label} itself, or pull one for Ollama: ollama:NAME.`,
      );
    }
    return connectTo(provider, overrides, {
      ...parts,
      limits: STREAM_LIMITS,
    });
  };
  const pulls = new ModelPulls({ connect: connectToOllama });

  /** Unloads the model with `keep_alive: 0`, so that the next request loads it again. */
  const unload = async (model: ModelRef, signal: AbortSignal): Promise<boolean> => {
    if (model.provider === EMBEDDED_PROVIDER) return false;
    if (findProvider(model.provider, settings(), parts.env).kind !== 'ollama') return false;
    const connection = await connectToOllama(model);
    try {
      const body = { model: model.name, messages: [], keep_alive: 0, stream: false };
      const answer = await connection.small({
        ...{ method: 'POST', path: '/api/chat', body, signal },
        limitMs: UNLOAD_LIMIT_MS,
      });
      return answer.status === 200;
    } finally {
      connection.close();
    }
  };

  const profile = async (model: ModelRef, signal: AbortSignal): Promise<ModelProfile> => {
    await using opened = await models.open(model, { ...overrides, signal });
    return profileRegistry.recordFacts(model, opened.profile);
  };

  const check: ModelApi['check'] = async (model, { onItem }) => {
    if (checking !== null) {
      throw new AppError('CONFLICT', 'A model check is already running. Wait for it, or stop it.');
    }
    const controller = new AbortController();
    checking = controller;
    const { signal } = controller;
    try {
      const { checkModel } = await import('./model-check/check-session.ts');
      await using opened = await models.open(model, { ...overrides, signal });
      profileRegistry.recordFacts(model, opened.profile);
      const items = await checkModel(opened, {
        ...{ signal, onItem },
        unload: () => unload(model, signal),
        learn: (learnt) => void profileRegistry.learn(model, learnt),
      });
      const card = writeReportCard(items, profileRegistry.get(model), clock.now());
      return profileRegistry.learn(model, { reportCard: card });
    } finally {
      checking = null;
    }
  };

  const installed = async (signal: AbortSignal): Promise<ModelServer[]> =>
    (await models.listServers(signal)).filter(({ kind }) => kind !== 'demo');

  return {
    listServers: models.listServers,
    profile,
    known: () => profileRegistry.list(),
    check,
    cancelCheck: () => checking?.abort(new AppError('CANCELLED', 'The check was stopped.')),
    recommend: async (signal) => {
      const profiles = new Map(profileRegistry.list().map((one) => [keyOf(one.model), one]));
      const found = (await installed(signal)).flatMap((server) => server.models);
      const known = found.map((model) => ({
        ...model,
        profile: profiles.get(keyOf(model)) ?? null,
      }));
      return recommendModels(known, parts.memoryBytes);
    },
    pull: async (model, onProgress) => {
      // The server would download it.
      requireOnline(settings(), 'Pulling a model');
      return pulls.start(model, onProgress);
    },
    cancelPull: (model) => pulls.cancel(model),
    pulls: () => pulls.list(),
    [Symbol.asyncDispose]: async () => {
      checking?.abort(new AppError('CANCELLED', 'The app is closing.'));
      await pulls[Symbol.asyncDispose]();
    },
  };
}

function keyOf({ provider, name }: ModelRef): string {
  return `${provider}:${name}`;
}
