import type { ModelRef, ModelServer, ModelSummary } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import { KnownSecrets } from '../base/known-secrets.ts';
import { requireOnline } from '../egress/require-online.ts';
import { CLOUDS, type Cloud, cloudOf, knownWindow } from './cloud/clouds.ts';
import { listCloud, openCloud, usualModels } from './cloud/open-cloud.ts';
import { connectTo, keyHint, keySource } from './connect.ts';
import { createDemoModel, DEMO_SERVER } from './demo/demo-model.ts';
import { EMBEDDED_PROVIDER, EmbeddedRuntime } from './embedded/embedded-runtime.ts';
import type { StartHostProcess } from './embedded/host-process.ts';
import { isCloudName, requireCloudConsent, windowForMemory } from './ollama/ollama-profile.ts';
import { listOllama, openOllama } from './ollama/open-ollama.ts';
import { listOpenAi, openOpenAi } from './openai/open-openai.ts';
import {
  fixesOf,
  learningFrom,
  type ProfileRegistry,
  toolMeansOf,
} from './profiles/profile-registry.ts';
import {
  cloudProvider,
  type Environment,
  findProvider,
  localProviders,
  type Provider,
  refOfTier,
} from './providers.ts';
import { shownAddress, toModelError } from './server-errors.ts';
import type { Thinking } from './thinking-switch.ts';
import { sessionMemory, withToolCallFallbacks } from './tool-means/tool-call-fallbacks.ts';
import { type CreateAgent, createPlainAgent, isLoopback } from './transport/create-agent.ts';
import type { ServerConnection } from './transport/server-connection.ts';
import { STREAM_LIMITS, type StreamLimits } from './transport/stream-watch.ts';
import type { ChatModel, ModelService, OpenModelOptions } from './types.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface ModelServiceParts {
  readonly settings: () => Settings;
  /** A key from the secret store by its name; null if there is none. */
  readonly readSecret: (name: string) => string | null | Promise<string | null>;
  readonly env: Environment;
  /** Every key that is used is registered here, so that none is sent to a model or accepted from one. */
  readonly secrets?: KnownSecrets;
  /** The app's folder. */
  readonly root: string;
  /** Starts the process of an embedded model; by default with Node's `fork`. */
  readonly startHost?: StartHostProcess | undefined;
  /** Remembers what works; without it the app starts with no knowledge of any model. */
  readonly profileRegistry?: ProfileRegistry;
  /** Memory of the machine in bytes, for choosing a context window. */
  readonly memoryBytes: number;
  readonly createAgent?: CreateAgent;
  readonly limits?: Partial<StreamLimits>;
  /** Pause between two tokens of the demonstration. */
  readonly demoTokenDelayMs?: number;
}

/** Local servers list or refuse at once, unless the computer is busy. */
const LIST_LIMIT_MS = 5_000;

/**
 * See `ModelService`. Every open model has its own connections. An embedded model stays loaded for some
 * minutes after its last run; disposing the service unloads it.
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

  /** Adds the fallbacks for tool calls, starting with the one that worked before. */
  const wrap = (opened: ChatModel): ChatModel => {
    const { profileRegistry } = parts;
    const model = withoutSecrets(opened, secrets);
    if (profileRegistry === undefined) return withToolCallFallbacks(model, sessionMemory(null));
    return learningFrom(
      withToolCallFallbacks(model, toolMeansOf(profileRegistry, model.ref)),
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
      const { embeddedModels: files, embeddedNames: names } = settings;
      const thinking = thinkingOf(ref, settings);
      return wrap(await embedded.open({ ref, files, names, contextWindow, thinking, signal }));
    }
    const provider = findProvider(ref.provider, settings, parts.env);
    const connection = await connect(provider, options);
    try {
      const model = await openAt(provider, { ref, connection, options, parts });
      return wrap(model);
    } catch (error) {
      connection.close();
      throw error;
    }
  };

  /** What a server does not say of its models, a check may have found out. */
  const withLearntVision = (model: ModelSummary): ModelSummary => ({
    ...model,
    vision: model.vision ?? parts.profileRegistry?.get(model).vision ?? null,
  });

  const ask = async (provider: Provider, signal: AbortSignal): Promise<ModelServer> => {
    const known = { provider: provider.id, label: provider.label, kind: serverKind(provider) };
    let connection: ServerConnection | null = null;
    try {
      connection = await connect(provider, {});
      const models = (await listAt(provider, connection, signal)).map(withLearntVision);
      const baseUrl = shownAddress(connection.url);
      return { ...known, baseUrl, reachable: true, problem: null, models };
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

  /**
   * A cloud without a key is not listed. One is only asked if the user has stored a key for it: a key that
   * happens to be in the environment causes no request.
   */
  const listCloudServer = async (cloud: Cloud, signal: AbortSignal): Promise<ModelServer[]> => {
    const source = await keySource(cloud, parts).catch((error: unknown) => {
      // A stored key that cannot be read is reported as the problem of its cloud.
      if (error instanceof AppError) return { from: 'store' as const };
      throw error;
    });
    if (source === null) return [];
    if (source.from === 'store') return [await ask(cloudProvider(cloud), signal)];
    const { id, label, baseUrl } = cloud;
    const models = usualModels(cloud);
    return [
      { provider: id, label, kind: 'cloud', baseUrl, reachable: true, problem: null, models },
    ];
  };

  const listServers = async (signal: AbortSignal): Promise<ModelServer[]> => {
    const providers = withoutDuplicates(localProviders(parts.settings(), parts.env));
    const [servers, clouds] = await Promise.all([
      Promise.all(providers.map((provider) => ask(provider, signal))),
      Promise.all(CLOUDS.map((cloud) => listCloudServer(cloud, signal))),
    ]);
    const { embeddedModels: files, embeddedNames } = parts.settings();
    const own = files.length === 0 ? [] : [await embedded.list(files, embeddedNames)];
    return [...servers, ...own, ...clouds.flat(), DEMO_SERVER];
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
  const { cloudConsents, contextWindow } = parts.settings();
  const hasConsent = cloudConsents.includes(`${ref.provider}:${ref.name}`);
  const allowCloud = options.allowCloud ?? hasConsent;
  const isCloud = isLoopback(connection.url) && isCloudName(ref.name);
  // The local server would use the network on our behalf.
  if (isCloud && allowCloud) requireOnline(parts.settings(), `${ref.name} runs in a cloud: it`);
  const { signal } = options;
  const { kind } = provider;
  const fixes = fixesOf(parts.profileRegistry, ref);
  const thinking = thinkingOf(ref, parts.settings());
  if (kind === 'openai' || kind === 'anthropic') {
    const hint = keyHint(provider);
    return openCloud({ kind, ref, connection, contextWindow, keyHint: hint, thinking, fixes });
  }
  if (kind === 'ollama') {
    const { memoryBytes } = parts;
    const online = () => requireOnline(parts.settings(), `${ref.name} runs in a cloud: it`);
    return openOllama({
      ...{ ref, connection, contextWindow, memoryBytes, allowCloud, thinking, signal },
      requireOnline: online,
    });
  }
  // Ollama also forwards such names over its /v1, where only the name shows it.
  if (isCloud) requireCloudConsent(ref.name, allowCloud);
  return openOpenAi({
    ref,
    connection,
    contextWindow: contextWindow ?? knownWindow(ref.provider, ref.name),
    isCloud: provider.isCloud,
    thinking,
    keyHint: provider.isCloud ? keyHint(provider) : null,
    fixes,
    thinkingKey: parts.profileRegistry?.get(ref).thinkingKey ?? null,
    signal,
  });
}

/** The user's choice for the model, else for its server. */
function thinkingOf(ref: ModelRef, { modelThinking, servers }: Settings): Thinking {
  const ofServer = servers.find(({ name }) => name === ref.provider)?.thinking;
  return modelThinking[`${ref.provider}:${ref.name}`] ?? ofServer ?? null;
}

async function listAt(
  provider: Provider,
  connection: ServerConnection,
  signal: AbortSignal,
): Promise<ModelSummary[]> {
  const hint = provider.isCloud ? keyHint(provider) : null;
  const query = { provider: provider.id, keyHint: hint, limitMs: LIST_LIMIT_MS, signal };
  const cloud = provider.isCloud ? cloudOf(provider.id) : undefined;
  if (cloud !== undefined) return listCloud(connection, cloud, query);
  return byName(await (provider.kind === 'ollama' ? listOllama : listOpenAi)(connection, query));
}

function serverKind({ kind, isCloud }: Provider): ModelServer['kind'] {
  if (isCloud) return 'cloud';
  return kind === 'ollama' ? 'ollama' : 'openai-compatible';
}

/** Each address once; a configured provider comes before the default one with the same address. */
function withoutDuplicates(providers: readonly Provider[]): Provider[] {
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
