import { CLOUD_IDS, CLOUD_SERVICES, type CloudId, type CloudService } from '#contract/clouds.ts';

interface CloudAccess {
  /** How it is spoken to: through LangChain's class for it, or by our own client. */
  readonly kind: 'openai' | 'anthropic' | 'openai-compatible';
  readonly baseUrl: string;
  /** Variables besides the usual one that may hold its key. */
  readonly otherVariables?: readonly string[];
  /** Of its models for the tiers, in tokens. */
  readonly contextWindow: number;
  /** Names in its list that are not for chat: pictures, speech, embeddings. */
  readonly otherModels: RegExp;
}

const ACCESS: Readonly<Record<CloudId, CloudAccess>> = {
  openai: {
    kind: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    contextWindow: 1_050_000,
    otherModels:
      /audio|babbage|codex-mini|dall-e|davinci|embedding|image|instruct|moderation|realtime|search|sora|transcribe|tts|whisper/i,
  },
  anthropic: {
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    contextWindow: 1_000_000,
    otherModels: /^$/,
  },
  gemini: {
    kind: 'openai-compatible',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    otherVariables: ['GOOGLE_API_KEY'],
    contextWindow: 1_048_576,
    otherModels: /aqa|audio|embedding|imagen|image|live|lyria|omni|robotics|tts|veo/i,
  },
};

/** A cloud service: it needs a key, and is only listed and used once it has one. */
export interface Cloud extends CloudService, CloudAccess {
  /** Name in a `ModelRef`; its key is stored under the same name. */
  readonly id: CloudId;
  /** Environment variables that may hold its key, in order. */
  readonly keyVariables: readonly string[];
}

export const CLOUDS: readonly Cloud[] = CLOUD_IDS.map((id) => {
  const { keyVariable } = CLOUD_SERVICES[id];
  const keyVariables = [keyVariable, ...(ACCESS[id].otherVariables ?? [])];
  return { id, keyVariables, ...CLOUD_SERVICES[id], ...ACCESS[id] };
});

/** The cloud of that name; undefined for every other provider. */
export function cloudOf(provider: string): Cloud | undefined {
  return CLOUDS.find(({ id }) => id === provider);
}

/** The window of a cloud's model for a tier; null for every other model. */
export function knownWindow(provider: string, name: string): number | null {
  const cloud = cloudOf(provider);
  return cloud !== undefined && Object.values(cloud.tiers).includes(name)
    ? cloud.contextWindow
    : null;
}
