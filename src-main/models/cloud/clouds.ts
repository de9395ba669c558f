import type { ModelTier } from '#contract/vocabulary.ts';

/** A model that a cloud is known to have; the window in tokens. */
export interface CloudModelName {
  readonly name: string;
  readonly contextWindow: number;
}

/** A cloud service: it needs a key, and is only listed and used once it has one. */
export interface Cloud {
  /** Name in a `ModelRef`; its key is stored under the same name. */
  readonly id: string;
  readonly label: string;
  /** How it is spoken to: through LangChain's class for it, or by our own client. */
  readonly kind: 'openai' | 'anthropic' | 'openai-compatible';
  readonly baseUrl: string;
  /** Environment variables that may hold its key, in order. */
  readonly keyVariables: readonly string[];
  /** What its tiers mean until the user chooses other models, as of November 2026. */
  readonly models: Readonly<Record<ModelTier, CloudModelName>>;
  /** Names in its list that are not for chat: pictures, speech, embeddings. */
  readonly otherModels: RegExp;
}

const MILLION = 1_000_000;

export const CLOUDS: readonly Cloud[] = [
  {
    id: 'openai',
    label: 'OpenAI',
    kind: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    models: {
      max: { name: 'gpt-6-astra', contextWindow: 1_050_000 },
      pro: { name: 'gpt-5.6-terra', contextWindow: 1_050_000 },
      flash: { name: 'gpt-5.6-luna', contextWindow: 1_050_000 },
    },
    otherModels:
      /audio|babbage|codex-mini|dall-e|davinci|embedding|image|instruct|moderation|realtime|search|sora|transcribe|tts|whisper/i,
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    models: {
      max: { name: 'claude-opus-5-5', contextWindow: MILLION },
      pro: { name: 'claude-sonnet-5-5', contextWindow: MILLION },
      flash: { name: 'claude-haiku-5-5', contextWindow: MILLION },
    },
    otherModels: /^$/,
  },
  {
    id: 'gemini',
    label: 'Gemini',
    kind: 'openai-compatible',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    models: {
      max: { name: 'gemini-3.1-pro-preview', contextWindow: 1_048_576 },
      pro: { name: 'gemini-3.8-flash', contextWindow: 1_048_576 },
      flash: { name: 'gemini-3.5-flash-lite', contextWindow: 1_048_576 },
    },
    otherModels: /aqa|audio|embedding|imagen|image|live|lyria|omni|robotics|tts|veo/i,
  },
];

/** The cloud of that name; undefined for every other provider. */
export function cloudOf(provider: string): Cloud | undefined {
  return CLOUDS.find(({ id }) => id === provider);
}

/** The window of a model that the tables of `CLOUDS` have; null for every other. */
export function knownWindow(provider: string, name: string): number | null {
  const models = Object.values(cloudOf(provider)?.models ?? {});
  return models.find((model) => model.name === name)?.contextWindow ?? null;
}
