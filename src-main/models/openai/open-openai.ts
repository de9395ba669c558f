import type { ModelRef, ModelSummary } from '#contract/entities.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { parseJson } from '../json-text.ts';
import type { FixMemory } from '../parameter-fixes.ts';
import { knownVision } from '../pictures/known-vision.ts';
import { visionOfListed } from '../pictures/server-vision.ts';
import { notAModelServer, toModelError } from '../server-errors.ts';
import type { Thinking } from '../thinking-switch.ts';
import type { ServerConnection } from '../transport/server-connection.ts';
import { TransportFailure, type TransportFailureKind } from '../transport/transport-failure.ts';
import type { ModelFacts } from '../types.ts';
import { readInstanceWindows } from '../window/read-window.ts';
import { openAiError, readOpenAiRefusal } from './openai-errors.ts';
import { OpenAiModel } from './openai-model.ts';
import { type ListedModel, ModelList } from './openai-wire.ts';

/** The list only serves to learn the window early; some servers have none. */
const LIST_LIMIT_MS = 5_000;

/** Failures that would hit the chat request as well. */
const DECISIVE: ReadonlySet<TransportFailureKind> = new Set([
  'refused',
  'unresolved',
  'connect_timeout',
  'tls',
  'not_http',
]);

export interface OpenOpenAiOptions {
  readonly ref: ModelRef;
  readonly connection: ServerConnection;
  /** The user's setting in tokens; null if there is none. */
  readonly contextWindow: number | null;
  /** A cloud service: its list is not requested. */
  readonly isCloud: boolean;
  readonly thinking: Thinking;
  readonly keyHint: string | null;
  /** What the server is known to want in place of parameters that it refused. */
  readonly fixes: FixMemory;
  /** Where the model's thinking was in earlier runs; null if that is not known. */
  readonly thinkingKey: string | null;
  readonly signal: AbortSignal;
}

/**
 * Opens a model and requires nothing but a connection: servers with a single model accept every name,
 * and many have no list.
 */
export async function openOpenAi(options: OpenOpenAiOptions): Promise<OpenAiModel> {
  const { ref, connection, isCloud, keyHint, thinking, fixes, thinkingKey, signal } = options;
  const listed = isCloud ? null : await findListed(connection, ref.name, signal);
  const asked = { provider: ref.provider, limitMs: LIST_LIMIT_MS, signal };
  const sees = listed === null ? null : await visionOfListed([listed], connection, asked);
  const limit = listed === null ? null : loadedContext(listed);
  const profile: ModelFacts = {
    trainedContext: listed === null ? null : trainedContext(listed),
    tools: null,
    thinking: null,
    vision: knownVision(ref) ?? (listed === null ? null : (sees?.(listed) ?? null)),
    cloud: isCloud,
  };
  const windows = [limit, options.contextWindow].filter((window) => window !== null);
  const contextWindow = windows.length > 0 ? Math.min(...windows) : null;
  return new OpenAiModel({
    ...{ ref, connection, profile, contextWindow, keyHint, thinking, fixes, thinkingKey },
  });
}

export interface ListOptions {
  readonly provider: string;
  /** How the user enters a key; null if the server may need none. */
  readonly keyHint: string | null;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * The models that the server lists. Throws `MODEL_UNAUTHORIZED` if it wants another key, and
 * `MODEL_NOT_A_MODEL_SERVER` if it sends no list.
 */
export async function listOpenAi(
  connection: ServerConnection,
  { provider, keyHint, ...limits }: ListOptions,
): Promise<ModelSummary[]> {
  const { models, status, text } = await askModels(connection, limits);
  const { identity: server, secrets } = connection;
  if (status === 401 || status === 403) {
    throw openAiError(readOpenAiRefusal(status, text), { model: '', server, secrets, keyHint });
  }
  if (models === null) throw notAModelServer(server, 'it did not send a list of models');
  // Servers that say nothing of windows there may say it in an API of their own; clouds have none.
  const isSilent = keyHint === null && models.every((model) => trainedContext(model) === null);
  const instances = isSilent ? await askInstances(connection, limits) : null;
  const sees = await visionOfListed(models, connection, { provider, ...limits });
  return models.map((model) => ({
    provider,
    name: model.id,
    contextWindow: trainedContext(model) ?? instances?.get(model.id)?.trained ?? null,
    ...loadedWindow(model.meta?.n_ctx ?? instances?.get(model.id)?.loaded),
    tools: null,
    vision: knownVision({ provider, name: model.id }) ?? sees(model),
    thinking: null,
    cloud: false,
    size: null,
  }));
}

function loadedWindow(tokens: number | null | undefined): Pick<ModelSummary, 'loadedWindow'> {
  return tokens ? { loadedWindow: tokens } : {};
}

/** Empty if the server has no such API. */
async function askInstances(
  connection: ServerConnection,
  limits: { readonly limitMs: number; readonly signal: AbortSignal },
): ReturnType<typeof readInstanceWindows> {
  try {
    return await readInstanceWindows(connection, limits);
  } catch (error) {
    if (limits.signal.aborted || !(error instanceof TransportFailure)) throw error;
    return new Map();
  }
}

async function findListed(
  connection: ServerConnection,
  name: string,
  signal: AbortSignal,
): Promise<ListedModel | null> {
  try {
    const { models } = await askModels(connection, { limitMs: LIST_LIMIT_MS, signal });
    return models?.find((model) => model.id === name) ?? null;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof TransportFailure) || DECISIVE.has(error.kind)) {
      throw toModelError(error, connection.identity);
    }
    // The server responds but has no list: the chat request will show what it can do.
    return null;
  }
}

async function askModels(
  connection: ServerConnection,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<{ status: number; text: string; models: ListedModel[] | null }> {
  const request = { method: 'GET', path: '/models', limitMs, signal } as const;
  const { status, text } = await connection.small(request);
  const list = safeParse(ModelList, parseJson(text));
  return { status, text, models: status === 200 && list.success ? list.data.data : null };
}

function trainedContext(model: ListedModel): number | null {
  return model.meta?.n_ctx_train || loadedContext(model);
}

/** The window that the server enforces. */
function loadedContext(model: ListedModel): number | null {
  const { meta, max_model_len, context_length, max_input_tokens } = model;
  return meta?.n_ctx || max_model_len || context_length || max_input_tokens || null;
}
