import type { ModelTier } from './vocabulary.ts';

/** A cloud service that the app can use once it has a key. Its id is the provider's, and the key's name. */
export interface CloudService {
  readonly label: string;
  /** The environment variable that may hold its key. */
  readonly keyVariable: string;
  /** Its models for the tiers, until the user chooses others; as of November 2026. */
  readonly tiers: Readonly<Record<ModelTier, string>>;
}

export const CLOUD_SERVICES = {
  openai: {
    label: 'OpenAI',
    keyVariable: 'OPENAI_API_KEY',
    tiers: { max: 'gpt-6-astra', pro: 'gpt-5.6-terra', flash: 'gpt-5.6-luna' },
  },
  anthropic: {
    label: 'Anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    tiers: { max: 'claude-opus-5-5', pro: 'claude-sonnet-5-5', flash: 'claude-haiku-5-5' },
  },
  gemini: {
    label: 'Gemini',
    keyVariable: 'GEMINI_API_KEY',
    tiers: {
      max: 'gemini-3.1-pro-preview',
      pro: 'gemini-3.8-flash',
      flash: 'gemini-3.5-flash-lite',
    },
  },
} as const satisfies Readonly<Record<string, CloudService>>;
export type CloudId = keyof typeof CLOUD_SERVICES;

export const CLOUD_IDS = Object.keys(CLOUD_SERVICES) as CloudId[];

/** The cloud's model for `tier` in a task with a model of `provider`; null where the task's own is used. */
export function tierOfCloud(provider: string, tier: ModelTier): string | null {
  const cloud = CLOUD_IDS.find((id) => id === provider);
  // Pro is what a task itself runs on.
  return cloud === undefined || tier === 'pro' ? null : CLOUD_SERVICES[cloud].tiers[tier];
}
