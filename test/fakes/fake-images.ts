import type { ImageProgressNotice, ImageRecord, ImageServerInfo } from '#contract/images.ts';
import type { RequestInput, RequestOutput } from '#contract/requests.ts';

type ImageServer = RequestOutput<'images.servers'>['servers'][number];

const CAN = {
  ...{ edit: true, inpaint: true, upscale: true },
  ...{ negativePrompt: true, seed: true, steps: true },
};

/** Image servers and the records of pictures, for a window. */
export class FakeImages {
  servers: ImageServer[] = [
    server('comfyui', 'http://127.0.0.1:8188', {
      isUsed: true,
      info: fakeImageInfo(['sd_xl_base_1.0.safetensors', 'flux1-schnell.safetensors']),
    }),
    server('webui', 'http://127.0.0.1:7860', {
      problem: 'Nothing answers at http://127.0.0.1:7860. Start AUTOMATIC1111 or Forge with --api.',
    }),
    server('sd-server', 'http://127.0.0.1:1234', {
      problem: 'LM Studio answers at this address, which does not make pictures.',
    }),
    server('openai', null),
    server('gemini', null),
  ];
  /** By path. */
  readonly records = new Map<string, ImageRecord>();

  readonly handlers = {
    'images.servers': () => ({ servers: this.servers }),
    'images.open': ({ path }: RequestInput<'images.open'>) => ({
      record: this.records.get(path) ?? null,
    }),
  };
}

function server(
  kind: ImageServer['kind'],
  address: string | null,
  more: Partial<ImageServer> = {},
): ImageServer {
  return { kind, address, isUsed: false, info: null, problem: null, ...more };
}

export function fakeImageInfo(models: string[]): ImageServerInfo {
  return { models, can: { ...CAN } };
}

/** A picture from words. */
export function fakeImageRecord(more: Partial<ImageRecord> = {}): ImageRecord {
  return {
    ...{ operation: 'create', prompt: 'A red fox in fresh snow, watercolour, soft morning light' },
    ...{ negativePrompt: 'text, people', width: 640, height: 480, seed: 1_234_567, steps: 20 },
    ...{ guidance: 6.5, strength: null, scale: null, server: 'comfyui' },
    ...{ model: 'sd_xl_base_1.0.safetensors', alt: 'A fox stands in the snow.' },
    ...{ image: null, mask: null, at: 1_750_000_000_000 },
    ...more,
  };
}

export function fakeImageProgress(more: Partial<ImageProgressNotice> = {}): ImageProgressNotice {
  return {
    ...{ threadId: 't-run', toolCallId: 'call-image', queue: null, step: 12, steps: 20 },
    ...{ preview: null, ...more },
  };
}
