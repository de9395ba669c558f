import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { ModelProfile } from '#contract/models.ts';
import { Settings } from '#contract/settings.ts';
import { createModelService, type ModelServiceParts } from '#main/models/model-service.ts';
import { ProfileRegistry } from '#main/models/profiles/profile-registry.ts';
import type {
  ChatMessage,
  ChatModel,
  ModelProgress,
  ModelReply,
  ModelRequest,
  ModelService,
  OpenModelOptions,
  ToolSchema,
} from '#main/models/types.ts';
import type { ServerOptionsInput } from '../../fakes/model-server/options.ts';
import { type FakeModelServer, startModelServer } from '../../fakes/model-server/server.ts';

const GIB = 1024 ** 3;

export const TOOLS: readonly ToolSchema[] = [
  {
    name: 'shell_command',
    description: 'Runs a command.',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    },
  },
];

export const HELLO: readonly ChatMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hello' },
];

export function createTestService(parts: Partial<ModelServiceParts> = {}): ModelService {
  return createModelService({
    settings: () => Settings.parse({}),
    readSecret: () => null,
    env: {},
    memoryBytes: 16 * GIB,
    root: process.cwd(),
    demoTokenDelayMs: 0,
    ...parts,
  });
}

/** Profiles in memory. */
export function newRegistry(): ProfileRegistry {
  const kept = new Map<string, ModelProfile>();
  const keyOf = ({ provider, name }: ModelRef): string => `${provider}:${name}`;
  const store = {
    get: (model: ModelRef) => kept.get(keyOf(model)) ?? null,
    list: () => [...kept.values()],
    put: (profile: ModelProfile) => void kept.set(keyOf(profile.model), profile),
    delete: (model: ModelRef) => void kept.delete(keyOf(model)),
  };
  return new ProfileRegistry(store, { now: () => 1, monotonic: () => 1 });
}

/** The names of providers; those of clouds stand for their protocol. */
export type Protocol = 'ollama' | 'openai-compatible' | 'openai' | 'anthropic';

/** Where each protocol holds its conversations. */
export const CHAT_PATHS: Readonly<Record<Protocol, string>> = {
  ollama: '/api/chat',
  'openai-compatible': '/v1/chat/completions',
  openai: '/v1/responses',
  anthropic: '/v1/messages',
};

/** Clouds need a key; the scripted server takes any. */
export const CLOUD_KEY = 'test-key-of-a-cloud';

/** A scripted server and a model opened on it; both are closed at the end of the test. */
export async function openOn(
  protocol: Protocol,
  server: ServerOptionsInput,
  options: Parameters<typeof openAt>[2] = {},
): Promise<Setup> {
  const fake = await startModelServer(server);
  try {
    const model = await openAt(protocol, fake.url, options);
    return new Setup(fake, model);
  } catch (error) {
    await fake.close();
    throw error;
  }
}

export async function openAt(
  protocol: Protocol,
  url: string,
  options: {
    parts?: Partial<ModelServiceParts>;
    open?: Partial<OpenModelOptions>;
    name?: string;
  } = {},
): Promise<ChatModel> {
  return await createTestService(options.parts).open(
    { provider: protocol, name: options.name ?? 'fake:latest' },
    { baseUrl: url, signal: new AbortController().signal, ...keyFor(protocol), ...options.open },
  );
}

function keyFor(protocol: Protocol): { readonly apiKey?: string } {
  return protocol === 'openai' || protocol === 'anthropic' ? { apiKey: CLOUD_KEY } : {};
}

export class Setup implements AsyncDisposable {
  readonly fake: FakeModelServer;
  readonly model: ChatModel;

  constructor(fake: FakeModelServer, model: ChatModel) {
    this.fake = fake;
    this.model = model;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model[Symbol.asyncDispose]();
    await this.fake.close();
  }
}

export interface Sent {
  readonly reply: ModelReply;
  readonly progress: readonly ModelProgress[];
}

/** Sends `request` and collects its progress. */
export async function send(
  model: ChatModel,
  request: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Sent> {
  const progress: ModelProgress[] = [];
  const reply = await model.send(
    { messages: HELLO, tools: TOOLS, ...request },
    { signal, onProgress: (entry) => progress.push(entry) },
  );
  return { reply, progress };
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The parts of the `AppError` with which `work` fails. Any other error is rethrown. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
  throw new Error('It was expected to fail, and did not');
}

/** The progress without reports of waiting, which a busy computer adds. */
export function stepsOf({ progress }: Sent): ModelProgress[] {
  return progress.filter(({ kind }) => kind !== 'waiting');
}

/** The content of a reply, without the figures that differ from run to run. */
export function contentOf({
  reply,
}: Sent): Pick<ModelReply, 'content' | 'reasoning' | 'toolCalls' | 'invalidToolCalls' | 'finish'> {
  const { content, reasoning, toolCalls, invalidToolCalls, finish } = reply;
  return { content, reasoning, toolCalls, invalidToolCalls, finish };
}
