import type { ModelRef, ModelServer } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { ModelPull } from '#contract/models.ts';
import type { Settings } from '#contract/settings.ts';
import type { Clock } from '../base/clock.ts';
import { requireOnline } from '../egress/require-online.ts';
import { type ConnectParts, connectTo } from '../models/connect.ts';
import { EMBEDDED_PROVIDER } from '../models/embedded/embedded-runtime.ts';
import { writeReportCard } from '../models/model-check/report-card.ts';
import { ModelPulls } from '../models/model-pulls.ts';
import { findSeeing } from '../models/pictures/known-vision.ts';
import type { ProfileRegistry } from '../models/profiles/profile-registry.ts';
import { findProvider } from '../models/providers.ts';
import { recommendModels } from '../models/recommend.ts';
import type { CreateAgent } from '../models/transport/create-agent.ts';
import type { ServerConnection } from '../models/transport/server-connection.ts';
import { STREAM_LIMITS } from '../models/transport/stream-watch.ts';
import type { ModelService } from '../models/types.ts';
import { modelFor } from '../run/run-options.ts';
import type { Broadcast, Requests } from './types.ts';

export interface ModelRequestParts extends Pick<ConnectParts, 'readSecret' | 'env' | 'secrets'> {
  readonly models: ModelService;
  readonly profileRegistry: ProfileRegistry;
  readonly settings: () => Settings;
  readonly createAgent: CreateAgent;
  readonly memoryBytes: number;
  /** Address and key from the command line; they take precedence over the settings. */
  readonly overrides?: { readonly baseUrl?: string; readonly apiKey?: string };
  readonly broadcast: Broadcast;
  readonly clock: Clock;
}

const UNLOAD_LIMIT_MS = 60_000;

/**
 * Requests about models and their servers. Progress of checks and pulls goes to every window, because it
 * concerns the machine. Disposing cancels a running check and every pull.
 */
export function modelRequests(parts: ModelRequestParts) {
  const { models, profileRegistry, settings, overrides = {}, broadcast, clock } = parts;
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
        method: 'POST',
        path: '/api/chat',
        body,
        signal,
        limitMs: UNLOAD_LIMIT_MS,
      });
      return answer.status === 200;
    } finally {
      connection.close();
    }
  };

  const installed = async (signal: AbortSignal): Promise<ModelServer[]> =>
    (await models.listServers(signal)).filter(({ kind }) => kind !== 'demo');

  const requests = {
    'models.list': async (_input, { closed }) => ({ servers: await models.listServers(closed) }),
    /** Throws as `ModelService.open` does. */
    'models.profile': async ({ model }, { closed }) => {
      await using opened = await models.open(model, { ...overrides, signal: closed });
      return { profile: profileRegistry.recordFacts(model, opened.profile) };
    },
    /** Throws `NO_MODEL`, and as `ModelService.open` does. */
    'models.sight': async ({ model: asked }, { closed }) => {
      const model = modelFor(asked ?? null, settings());
      await using opened = await models.open(model, { ...overrides, signal: closed });
      const { vision } = opened.profile;
      if (vision === true) return { model, vision, other: null };
      const { visionModel } = settings();
      const isOther = visionModel !== null && keyOf(visionModel) !== keyOf(model);
      const other = isOther ? visionModel : findSeeing(await models.listServers(closed), model);
      return { model, vision, other };
    },
    /** Throws `CONFLICT`, `CANCELLED` after `models.cancelCheck`, and as `ModelService.open` does. */
    'models.check': async ({ model }) => {
      if (checking !== null) {
        throw new AppError(
          'CONFLICT',
          'A model check is already running. Wait for it, or stop it.',
        );
      }
      const controller = new AbortController();
      checking = controller;
      const { signal } = controller;
      try {
        const { checkModel } = await import('../models/model-check/check-session.ts');
        await using opened = await models.open(model, { ...overrides, signal });
        profileRegistry.recordFacts(model, opened.profile);
        const items = await checkModel(opened, {
          signal,
          onItem: (progress) => broadcast({ kind: 'model_check', model, ...progress }),
          unload: () => unload(model, signal),
          learn: (learnt) => void profileRegistry.learn(model, learnt),
        });
        const card = writeReportCard(items, profileRegistry.get(model), clock.now());
        return { profile: profileRegistry.learn(model, { reportCard: card }) };
      } finally {
        checking = null;
      }
    },
    'models.cancelCheck': () => {
      checking?.abort(new AppError('CANCELLED', 'The check was stopped.'));
      return {};
    },
    'models.recommend': async (_input, { closed }) => {
      const profiles = new Map(profileRegistry.list().map((one) => [keyOf(one.model), one]));
      const found = (await installed(closed)).flatMap((server) => server.models);
      const known = found.map((model) => ({
        ...model,
        profile: profiles.get(keyOf(model)) ?? null,
      }));
      return { recommendations: recommendModels(known, parts.memoryBytes) };
    },
    /** The last report of the pull has a final status. Throws `BAD_REQUEST` for servers that cannot pull. */
    'models.pull': async ({ model }) => {
      // The server would download it.
      requireOnline(settings(), 'Pulling a model');
      const onProgress = (pull: ModelPull): void => broadcast({ kind: 'model_pull', pull });
      return { pull: await pulls.start(model, onProgress) };
    },
    /** The server keeps what it has downloaded for the next pull. */
    'models.cancelPull': ({ model }) => {
      pulls.cancel(model);
      return {};
    },
    'models.pulls': () => ({ pulls: pulls.list() }),
  } satisfies Requests<'models'>;
  return {
    requests,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      checking?.abort(new AppError('CANCELLED', 'The app is closing.'));
      await pulls[Symbol.asyncDispose]();
    },
  };
}

function keyOf({ provider, name }: ModelRef): string {
  return `${provider}:${name}`;
}
