import type { ModelRef, ModelServer, ModelSummary, Settings } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { KnownSecrets } from '../base/known-secrets.ts';
import { requireOnline } from '../egress/require-online.ts';
import { connectTo, keyHint } from './connect.ts';
import { createDemoModel, DEMO_SERVER } from './demo/demo-model.ts';
import { EMBEDDED_PROVIDER, EmbeddedRuntime } from './embedded/embedded-runtime.ts';
import type { StartHostProcess } from './embedded/host-process.ts';
import { isCloudName, requireCloudConsent, windowForMemory } from './ollama/ollama-profile.ts';
import { listOllama, openOllama } from './ollama/open-ollama.ts';
import { listOpenAi, openOpenAi } from './openai/open-openai.ts';
import { learningFrom, type ProfileRegistry, toolMeansOf } from './profiles/profile-registry.ts';
import {
  type Environment,
  findProvider,
  localProviders,
  type Provider,
  refOfTier,
} from './providers.ts';
import { shownAddress, toModelError } from './server-errors.ts';
import { sessionMemory, withSurvivingCalls } from './tool-means/surviving-calls.ts';
import { type CreateAgent, createPlainAgent, isLoopback } from './transport/create-agent.ts';
import type { ServerConnection } from './transport/server-connection.ts';
import { STREAM_LIMITS, type StreamLimits } from './transport/stream-watch.ts';
import type { ChatModel, ModelService, OpenModelOptions } from './types.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface ModelServiceParts {
  readonly settings: () => Settings;
  /** A key of the secret store by its name; null when there is none. */
  readonly readSecret: (name: string) => string | null | Promise<string | null>;
  readonly env: Environment;
  /** Told every key that is used. None of them is sent to a model or comes from one. */
  readonly secrets?: KnownSecrets;
  /** The app's folder. */
  readonly root: string;
  /** Starts the process of an embedded model; by default as Node does. */
  readonly startHost?: StartHostProcess | undefined;
  /** Remembers what works; without it every model is met anew. */
  readonly profileRegistry?: ProfileRegistry;
  /** Memory of the machine in bytes, for the choice of a window. */
  readonly memoryBytes: number;
  readonly createAgent?: CreateAgent;
  readonly limits?: Partial<StreamLimits>;
  /** Pause between two tokens of the demonstration. */
  readonly demoTokenDelayMs?: number;
}

/** A server that is there answers a list at once, unless the computer is busy; one that is not refuses at once. */
const LIST_LIMIT_MS = 5_000;

/**
 * See `ModelService`. Every model of a server has connections of its own; an embedded one is held for
 * some minutes after its last run, and let go of when the service is disposed.
 */
export function createModelService(parts: ModelServiceParts): ModelService & AsyncDisposable {
  const limits: StreamLimits = { ...STREAM_LIMITS, ...parts.limits };
  const createAgent = parts.createAgent ?? createPlainAgent;

  const secrets = parts.secrets ?? new KnownSecrets();
  const connectParts = { ...parts, secrets, limits, createAgent };
  const connect = (
    provider: Provider,
    given: { baseUrl?: string; apiKey?: string },
  ): Promise<ServerConnection> => connectTo(provider, given, connectParts);

  const embedded = new EmbeddedRuntime(parts.root, parts.startHost);

  /** With calls that survive, by the means that worked before. */
  const remembered = (opened: ChatModel): ChatModel => {
    const { profileRegistry } = parts;
    const model = withoutSecrets(opened, secrets);
    if (profileRegistry === undefined) return withSurvivingCalls(model, sessionMemory(null));
    return learningFrom(
      withSurvivingCalls(model, toolMeansOf(profileRegistry, model.ref)),
      profileRegistry,
    );
  };

  const open = async (ref: ModelRef, options: OpenModelOptions): Promise<ChatModel> => {
    options.signal.throwIfAborted();
    if (ref.provider === DEMO_SERVER.provider) {
      return createDemoModel({ ref, tokenDelayMs: parts.demoTokenDelayMs ?? 12 });
    }
    const settings = parts.settings();
    if (ref.provider === EMBEDDED_PROVIDER) {
      const { signal } = options;
      const contextWindow = settings.contextWindow ?? windowForMemory(parts.memoryBytes);
      const files = settings.embeddedModels;
      return remembered(await embedded.open({ ref, files, contextWindow, signal }));
    }
    const provider = findProvider(ref.provider, settings, parts.env);
    const connection = await connect(provider, options);
    try {
      const model = await openAt(provider, { ref, connection, options, parts });
      return remembered(model);
    } catch (error) {
      connection.close();
      throw error;
    }
  };

  const ask = async (provider: Provider, signal: AbortSignal): Promise<ModelServer> => {
    const known = { provider: provider.id, label: provider.label, kind: provider.kind };
    const query = { provider: provider.id, limitMs: LIST_LIMIT_MS, signal };
    let connection: ServerConnection | null = null;
    try {
      connection = await connect(provider, {});
      const models = await (provider.kind === 'ollama' ? listOllama : listOpenAi)(
        connection,
        query,
      );
      const baseUrl = shownAddress(connection.url);
      return { ...known, baseUrl, reachable: true, problem: null, models: byName(models) };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const problem = connection === null ? error : toModelError(error, connection.identity);
      if (!(problem instanceof AppError)) throw problem;
      const baseUrl = connection?.identity.address ?? provider.baseUrl ?? '';
      return { ...known, baseUrl, reachable: false, problem: problem.message, models: [] };
    } finally {
      connection?.close();
    }
  };

  const listServers = async (signal: AbortSignal): Promise<ModelServer[]> => {
    const providers = withoutDoubles(localProviders(parts.settings(), parts.env));
    const servers = await Promise.all(providers.map((provider) => ask(provider, signal)));
    const { embeddedModels } = parts.settings();
    const own = embeddedModels.length === 0 ? [] : [await embedded.list(embeddedModels)];
    return [...servers, ...own, DEMO_SERVER];
  };

  return {
    open,
    listServers,
    [Symbol.asyncDispose]: () => embedded[Symbol.asyncDispose](),
    ofTier: (tier, model) => refOfTier(tier, model, parts.settings()),
  };
}

function openAt(
  provider: Provider,
  context: {
    ref: ModelRef;
    connection: ServerConnection;
    options: OpenModelOptions;
    parts: ModelServiceParts;
  },
): Promise<ChatModel> {
  const { ref, connection, options, parts } = context;
  const { contextWindow, cloudConsents, servers } = parts.settings();
  const hasConsent = cloudConsents.includes(`${ref.provider}:${ref.name}`);
  const allowCloud = options.allowCloud ?? hasConsent;
  const isCloud = isLoopback(connection.url) && isCloudName(ref.name);
  // The server on this machine would go out in our place.
  if (isCloud && allowCloud) requireOnline(parts.settings(), `${ref.name} runs in a cloud: it`);
  const { signal } = options;
  if (provider.kind === 'ollama') {
    const { memoryBytes } = parts;
    const online = () => requireOnline(parts.settings(), `${ref.name} runs in a cloud: it`);
    return openOllama({
      ...{ ref, connection, contextWindow, memoryBytes, allowCloud, signal },
      requireOnline: online,
    });
  }
  // Ollama forwards such names over its /v1 as well, and nothing else there would tell.
  if (isCloud) requireCloudConsent(ref.name, allowCloud);
  const thinking = servers.find(({ name }) => name === ref.provider)?.thinking ?? null;
  return openOpenAi({
    ref,
    connection,
    contextWindow,
    isCloud: provider.isCloud,
    thinking,
    keyHint: provider.isCloud ? keyHint(provider) : null,
    outputLimitKey: provider.id === 'openai' ? 'max_completion_tokens' : 'max_tokens',
    signal,
  });
}

/** Each address once; what the person configured stands before the default that has the same one. */
function withoutDoubles(providers: readonly Provider[]): Provider[] {
  const seen = new Set<string>();
  return providers.filter((provider) => {
    const url = URL.parse(provider.baseUrl ?? '');
    const key = url === null ? provider.id : url.host.replace('localhost', '127.0.0.1');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function byName(models: readonly ModelSummary[]): ModelSummary[] {
  return models.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
