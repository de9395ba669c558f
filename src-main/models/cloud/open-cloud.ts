import type { ModelRef, ModelSummary } from '#contract/entities.ts';
import { type ListOptions, listOpenAi } from '../openai/open-openai.ts';
import type { FixMemory } from '../parameter-fixes.ts';
import { knownVision } from '../pictures/known-vision.ts';
import type { Thinking } from '../thinking-switch.ts';
import type { ServerConnection } from '../transport/server-connection.ts';
import type { ChatModel } from '../types.ts';
import type { CloudProtocol } from './cloud-model.ts';
import { type Cloud, knownWindow } from './clouds.ts';

/** Opens a model through LangChain's class for its cloud. The classes are loaded by the first such model. */
export async function openCloud(options: {
  readonly kind: 'openai' | 'anthropic';
  readonly ref: ModelRef;
  readonly connection: ServerConnection;
  /** The user's setting in tokens; null if there is none. */
  readonly contextWindow: number | null;
  readonly keyHint: string;
  readonly thinking: Thinking;
  /** What the cloud is known to want in place of parameters that it refused. */
  readonly fixes: FixMemory;
}): Promise<ChatModel> {
  const { kind, ref, connection, keyHint, thinking, fixes } = options;
  const [{ CloudModel }, protocol] = await Promise.all([
    import('./cloud-model.ts'),
    protocolOf(kind, ref, thinking),
  ]);
  const known = knownWindow(ref.provider, ref.name) ?? protocol.facts.trainedContext;
  const windows = [known, options.contextWindow].filter((window) => window !== null);
  const contextWindow = windows.length > 0 ? Math.min(...windows) : null;
  return new CloudModel({ ref, connection, protocol, contextWindow, keyHint, fixes });
}

async function protocolOf(
  kind: 'openai' | 'anthropic',
  ref: ModelRef,
  thinking: Thinking,
): Promise<CloudProtocol> {
  const modelKey = `${ref.provider}:${ref.name}`;
  if (kind === 'openai') {
    const { openAiResponses } = await import('./openai-responses.ts');
    return openAiResponses(ref.name, modelKey, thinking);
  }
  const { anthropicMessages } = await import('./anthropic-messages.ts');
  return anthropicMessages(ref.name, modelKey, thinking);
}

/** The chat models that a cloud lists for this key: those of the tiers first. Rejects as `listOpenAi` does. */
export async function listCloud(
  connection: ServerConnection,
  cloud: Cloud,
  options: ListOptions,
): Promise<ModelSummary[]> {
  const listed = await listOpenAi(connection, options);
  // Gemini writes its names as paths.
  const found = listed.map((model) => ({ ...model, name: model.name.replace(/^models\//, '') }));
  const names = new Set(found.map(({ name }) => name));
  const chat = found.filter(({ name }) => {
    const undated = name.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '');
    return !cloud.otherModels.test(name) && (undated === name || !names.has(undated));
  });
  const usual = usualModels(cloud).filter(({ name }) => names.has(name));
  const usualNames = new Set(usual.map(({ name }) => name));
  const others = chat
    .filter(({ name }) => !usualNames.has(name))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  return [...usual, ...others.map((model) => ({ ...model, cloud: true }))];
}

/** The models of the tiers, for a cloud that is not asked. */
export function usualModels(cloud: Cloud): ModelSummary[] {
  return Object.values(cloud.tiers).map((name) => ({
    provider: cloud.id,
    name,
    contextWindow: cloud.contextWindow,
    tools: true,
    vision: knownVision({ provider: cloud.id, name }),
    thinking: null,
    cloud: true,
    size: null,
  }));
}
