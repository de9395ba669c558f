import { z } from 'zod';

/** What can make pictures: servers on the user's own machine, and services that want a key. */
export const ImageServerKind = z.enum(['sd-server', 'webui', 'comfyui', 'openai', 'gemini']);
export type ImageServerKind = z.infer<typeof ImageServerKind>;
/** Those that the user runs, in the order in which they are looked for. */
export const LOCAL_IMAGE_SERVERS = ['comfyui', 'webui', 'sd-server'] as const;
export type LocalImageServer = (typeof LOCAL_IMAGE_SERVERS)[number];

/** How each is named to users. */
export const IMAGE_SERVER_LABELS: Readonly<Record<ImageServerKind, string>> = {
  'sd-server': 'stable-diffusion.cpp',
  webui: 'AUTOMATIC1111 or Forge',
  comfyui: 'ComfyUI',
  openai: 'OpenAI',
  gemini: 'Gemini',
};

/** Where each usually listens. */
export const IMAGE_SERVER_ADDRESSES: Readonly<Record<LocalImageServer, string>> = {
  'sd-server': 'http://127.0.0.1:1234',
  webui: 'http://127.0.0.1:7860',
  comfyui: 'http://127.0.0.1:8188',
};

export const IMAGE_PROMPT_CHARS = 4_000;
/** Most pictures of one order. */
export const MOST_IMAGES = 4;
/** Of an edge, in pixels. */
export const IMAGE_EDGE = { least: 64, most: 4_096 } as const;

/** What a server offers. */
export const ImageServerInfo = z.strictObject({
  /** Names of models that it can draw with, the one in use first. Untrusted. */
  models: z.array(z.string()),
  /** What it can do besides making a picture from words. */
  can: z.strictObject({
    edit: z.boolean(),
    inpaint: z.boolean(),
    upscale: z.boolean(),
    negativePrompt: z.boolean(),
    /** The same seed gives the same picture. */
    seed: z.boolean(),
    steps: z.boolean(),
  }),
});
export type ImageServerInfo = z.infer<typeof ImageServerInfo>;

/** How a picture was made: kept beside it, so that it can be made again or varied. */
export const ImageRecord = z.strictObject({
  operation: z.enum(['create', 'edit', 'inpaint', 'upscale']),
  prompt: z.string(),
  negativePrompt: z.string(),
  /** Of the picture. */
  width: z.int().positive(),
  height: z.int().positive(),
  /** Null where the service has no seeds. */
  seed: z.int().nonnegative().nullable(),
  steps: z.int().positive().nullable(),
  guidance: z.number().nullable(),
  strength: z.number().nullable(),
  scale: z.number().positive().nullable(),
  server: ImageServerKind,
  /** Null where the server did not say. */
  model: z.string().nullable(),
  /** What it shows, for people who do not see it. */
  alt: z.string(),
  /** The file that was changed; null for a picture from words. */
  image: z.string().nullable(),
  mask: z.string().nullable(),
  /** Milliseconds since the epoch. */
  at: z.int().nonnegative(),
});
export type ImageRecord = z.infer<typeof ImageRecord>;

/** How far a picture is that is being made. */
export const ImageProgressNotice = z.strictObject({
  threadId: z.string(),
  toolCallId: z.string(),
  /** Jobs before it; null where that is not known. */
  queue: z.int().nonnegative().nullable(),
  step: z.int().nonnegative().nullable(),
  steps: z.int().positive().nullable(),
  /** The unfinished picture, decoded and written again, as a `data:` URL; null for none. */
  preview: z
    .string()
    .regex(/^data:image\/png;base64,[A-Za-z0-9+/=]+$/)
    .nullable(),
});
export type ImageProgressNotice = z.infer<typeof ImageProgressNotice>;

const id = z.string().min(1).max(100);

/** Requests about making pictures; a part of `REQUESTS`. */
export const IMAGE_REQUESTS = {
  /** Every server and service, and what was found of it. Asks those that the settings name, now. */
  'images.servers': {
    effect: 'read',
    input: z.strictObject({}),
    output: z.strictObject({
      servers: z.array(
        z.strictObject({
          kind: ImageServerKind,
          /** Null for a service. */
          address: z.string().nullable(),
          /** It is the one that makes pictures now. */
          isUsed: z.boolean(),
          info: ImageServerInfo.nullable(),
          /** Why it is not there, and what to do; null where it is. */
          problem: z.string().nullable(),
        }),
      ),
    }),
  },
  /** How a picture of a task was made; null for one that was not made here, or changed since. */
  'images.open': {
    effect: 'read',
    input: z.strictObject({ threadId: id, path: z.string().min(1).max(4_096) }),
    output: z.strictObject({ record: ImageRecord.nullable() }),
  },
} as const;
