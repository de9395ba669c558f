import { tierOfCloud } from '#contract/clouds.ts';
import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import type { ModelTier } from '#contract/vocabulary.ts';
import { CLOUDS, type Cloud } from './cloud/clouds.ts';

/** A source of models, before any request to it. */
export interface Provider {
  /** Name in a `ModelRef`; a stored key has the same name. */
  readonly id: string;
  readonly label: string;
  readonly kind: 'ollama' | Cloud['kind'];
  /** Null if only the user knows it. */
  readonly baseUrl: string | null;
  readonly startHint: string;
  /** Environment variables that may hold its key, in order; empty for servers that need none. */
  readonly keyVariables: readonly string[];
  /** A cloud service: it needs a key, and is only listed once it has one. */
  readonly isCloud: boolean;
}

const LOCAL: readonly Omit<Provider, 'keyVariables' | 'isCloud'>[] = [
  {
    id: 'lm-studio',
    label: 'LM Studio',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:1234',
    startHint: 'Start the server in LM Studio, under Developer, or with: lms server start.',
  },
  {
    id: 'llama-cpp',
    label: 'llama.cpp',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:8080',
    startHint: 'Start it with: llama-server --jinja -m MODEL.gguf.',
  },
  {
    id: 'vllm',
    label: 'vLLM',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:8000',
    startHint: 'Start it with: vllm serve MODEL.',
  },
  {
    id: 'jan',
    label: 'Jan',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:1337',
    startHint: 'Start the local API server in Jan, under Settings.',
  },
];

/** Environment variables that may hold a key of a model server. */
export const MODEL_KEY_VARIABLES: readonly string[] = CLOUDS.flatMap(
  ({ keyVariables }) => keyVariables,
);

const DEFAULT_OLLAMA = 'http://127.0.0.1:11434';

/** The environment variables; passed in, so that nothing reads others. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Providers on this machine and configured ones, in display order. */
export function localProviders(settings: Settings, env: Environment): Provider[] {
  const plain = { keyVariables: [], isCloud: false };
  const ollama: Provider = {
    ...plain,
    id: 'ollama',
    label: 'Ollama',
    kind: 'ollama',
    baseUrl: ollamaAddress(settings.ollamaUrl, env.OLLAMA_HOST),
    startHint: 'Start Ollama (open the app, or run: ollama serve), or choose another model server.',
  };
  const configured = settings.servers.map(
    ({ name, baseUrl }): Provider => ({
      ...plain,
      id: name,
      label: name,
      kind: 'openai-compatible',
      baseUrl,
      startHint: `Start it, or correct the address of ${name} in the settings.`,
    }),
  );
  const names = new Set(configured.map((provider) => provider.id));
  const known = LOCAL.filter((provider) => !names.has(provider.id));
  return [ollama, ...configured, ...known.map((provider) => ({ ...plain, ...provider }))];
}

export function cloudProvider({ id, label, kind, baseUrl, keyVariables }: Cloud): Provider {
  const startHint = 'Check the network, and whether the app is allowed to go online.';
  return { id, label, kind, baseUrl, keyVariables, startHint, isCloud: true };
}

/** The provider of a `ModelRef`. Throws `BAD_REQUEST` for an unknown name. */
export function findProvider(id: string, settings: Settings, env: Environment): Provider {
  const local = localProviders(settings, env);
  const cloud = CLOUDS.map(cloudProvider);
  const custom: Provider = {
    id: 'openai-compatible',
    label: 'The model server',
    kind: 'openai-compatible',
    baseUrl: null,
    startHint: 'Start the server, or correct its address.',
    keyVariables: [],
    isCloud: false,
  };
  const all = [custom, ...local, ...cloud];
  const found = all.find((provider) => provider.id === id);
  if (found !== undefined) return found;
  throw new AppError(
    'BAD_REQUEST',
    `There is no model provider "${id}". Use one of: ${[...all.map((p) => p.id), 'demo'].join(', ')}.`,
  );
}

/**
 * The model of a tier: the user's choice, else the one configured for the server of the task's model, else for
 * a cloud its usual one for max and flash, else the task's own model.
 */
export function refOfTier(tier: ModelTier, taskModel: ModelRef, settings: Settings): ModelRef {
  const chosen = settings.tiers[tier];
  if (chosen !== null) return chosen;
  const server = settings.servers.find(({ name }) => name === taskModel.provider);
  const name = server === undefined ? tierOfCloud(taskModel.provider, tier) : server.models[tier];
  return name == null ? taskModel : { provider: taskModel.provider, name };
}

/**
 * The address of Ollama: the user's setting, else OLLAMA_HOST. That variable says where a server listens,
 * so it may lack the scheme or the port, and may stand for every address of the machine.
 */
export function ollamaAddress(setting: string, host: string | undefined): string {
  const isSet = setting.replace(/\/+$/, '') !== DEFAULT_OLLAMA;
  const text = host?.trim() ?? '';
  if (isSet || text === '') return setting;
  const url = URL.parse(
    /^https?:\/\//i.test(text) ? text : `http://${text.replace(/^:/, '127.0.0.1:')}`,
  );
  if (url === null) return setting;
  const hasPort = /:\d+$/.test(text.replace(/\/.*$/, '').replace(/^https?:\/\//i, ''));
  const schemeGiven = /^https?:/i.test(text);
  if (url.port === '' && !hasPort && !schemeGiven) url.port = '11434';
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.href.replace(/\/$/, '');
}
