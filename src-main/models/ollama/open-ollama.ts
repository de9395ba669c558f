import type { ModelRef, ModelSummary } from '#contract/entities.ts';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { isRecord, parseJson } from '../json-text.ts';
import { notAModelServer, toModelError } from '../server-errors.ts';
import type { Thinking } from '../thinking-switch.ts';
import type { ServerConnection, SmallAnswer } from '../transport/server-connection.ts';
import type { ModelFacts } from '../types.ts';
import { readOllamaWindows } from '../window/read-window.ts';
import { ollamaError } from './ollama-errors.ts';
import { OllamaModel } from './ollama-model.ts';
import {
  chooseContextWindow,
  isCloudName,
  modelfileContext,
  profileFromShow,
  profileFromTags,
  requireCloudConsent,
  UNKNOWN_PROFILE,
} from './ollama-profile.ts';
import { ShowAnswer, TagsAnswer } from './ollama-wire.ts';

/** Ollama reads the facts from the model's file, which takes a while on a slow disk. */
const SHOW_LIMIT_MS = 30_000;

/** Refusals by `/api/show` that are final. Any other one only means that nothing is known yet. */
const DECISIVE: ReadonlySet<ErrorCode> = new Set([
  'MODEL_NOT_FOUND',
  'MODEL_UNAUTHORIZED',
  'MODEL_BAD_REQUEST',
  'CLOUD_MODEL_NOT_ALLOWED',
]);

export interface OpenOllamaOptions {
  readonly ref: ModelRef;
  readonly connection: ServerConnection;
  /** The user's setting in tokens; null lets the app choose. */
  readonly contextWindow: number | null;
  readonly memoryBytes: number;
  readonly allowCloud: boolean;
  readonly thinking: Thinking;
  /** Called for a model that the server forwards to a cloud; throws while the network is switched off. */
  readonly requireOnline?: () => void;
  readonly signal: AbortSignal;
}

/**
 * Asks Ollama for the facts about the model, and opens it. No conversation is sent before it is known
 * whether the server forwards the model to a cloud. Without `/api/show` the profile is unknown.
 */
export async function openOllama(options: OpenOllamaOptions): Promise<OllamaModel> {
  const { ref, connection } = options;
  if (isCloudName(ref.name)) requireCloudConsent(ref.name, options.allowCloud);
  const show = await askShow(connection, ref.name, options.signal);
  const profile = show === null ? UNKNOWN_PROFILE : profileFromShow(ref.name, show);
  if (profile.cloud) {
    requireCloudConsent(ref.name, options.allowCloud);
    options.requireOnline?.();
  }
  requireChat(ref.name, show);
  const contextWindow = chooseContextWindow({
    setting: options.contextWindow,
    modelfile: show === null ? null : modelfileContext(show),
    trained: profile.trainedContext,
    memoryBytes: options.memoryBytes,
  });
  return new OllamaModel({
    ...{ ref, connection, profile, contextWindow, thinking: options.thinking },
  });
}

/** Whether the server forwards this model to a cloud. Throws as `openOllama` does. */
export async function forwardsToCloud(
  connection: ServerConnection,
  name: string,
  signal: AbortSignal,
): Promise<boolean> {
  const show = await askShow(connection, name, signal);
  return show !== null && profileFromShow(name, show).cloud;
}

/** The installed models and their capabilities; old servers are asked for each model. */
export async function listOllama(
  connection: ServerConnection,
  options: { provider: string; limitMs: number; signal: AbortSignal },
): Promise<ModelSummary[]> {
  const { provider, limitMs, signal } = options;
  const [answer, loaded] = await Promise.all([
    connection.small({ method: 'GET', path: '/api/tags', limitMs, signal }),
    readOllamaWindows(connection, { limitMs, signal }).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof Error)) throw error;
      return new Map<string, number>();
    }),
  ]);
  const tags = safeParse(TagsAnswer, parseJson(answer.text));
  if (answer.status !== 200 || !tags.success) {
    throw notAModelServer(connection.identity, 'it did not send a list of models');
  }
  return await Promise.all(
    tags.data.models.map(async (model): Promise<ModelSummary> => {
      const listed = profileFromTags(model);
      const profile =
        listed.tools === null
          ? ((await profileByShow(connection, model.name, { limitMs, signal })) ?? listed)
          : listed;
      return {
        provider,
        name: model.name,
        contextWindow: profile.trainedContext,
        tools: profile.tools,
        vision: profile.vision,
        thinking: profile.thinking,
        cloud: profile.cloud || listed.cloud,
        size: model.size ?? null,
        ...loadedWindow(loaded.get(model.name)),
      };
    }),
  );
}

function loadedWindow(tokens: number | undefined): Pick<ModelSummary, 'loadedWindow'> {
  return tokens === undefined ? {} : { loadedWindow: tokens };
}

async function profileByShow(
  connection: ServerConnection,
  name: string,
  options: { limitMs: number; signal: AbortSignal },
): Promise<ModelFacts | null> {
  const body = { model: name };
  const request = { method: 'POST', path: '/api/show', body, ...options } as const;
  const answer = await connection.small(request).catch((error: unknown) => {
    // A slow model must not hide the others: it is listed without facts.
    if (options.signal.aborted || !(error instanceof Error)) throw error;
    return null;
  });
  const show = safeParse(ShowAnswer, parseJson(answer?.text ?? ''));
  return answer?.status === 200 && show.success ? profileFromShow(name, show.data) : null;
}

async function askShow(
  connection: ServerConnection,
  name: string,
  signal: AbortSignal,
): Promise<ShowAnswer | null> {
  let answer: SmallAnswer;
  try {
    answer = await connection.small({
      method: 'POST',
      path: '/api/show',
      body: { model: name },
      limitMs: SHOW_LIMIT_MS,
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toModelError(error, connection.identity);
  }
  const value = parseJson(answer.text);
  if (answer.status === 200) {
    // Parsed once per run: compiling the schema would take longer than interpreting it.
    const show = safeParse(ShowAnswer, value, { jitless: true });
    if (show.success) return show.data;
    throw notAModelServer(connection.identity, 'it did not send facts about the model');
  }
  const text = isRecord(value) && typeof value.error === 'string' ? value.error : '';
  const signinUrl = isRecord(value) ? value.signin_url : undefined;
  const error = ollamaError(
    { where: answer.status, text, ...(typeof signinUrl === 'string' ? { signinUrl } : {}) },
    { model: name, server: connection.identity, secrets: connection.secrets },
  );
  if (DECISIVE.has(error.code)) throw error;
  return null;
}

/** Refuses embedding models, which are in the same list, before anything is sent. */
function requireChat(name: string, show: ShowAnswer | null): void {
  const capabilities = show?.capabilities ?? [];
  if (capabilities.length === 0 || capabilities.includes('completion')) return;
  throw new AppError(
    'MODEL_LACKS_CAPABILITY',
    `${name} is not made for conversation (${capabilities.join(', ')}). Choose a chat model.`,
    { details: { model: name } },
  );
}
