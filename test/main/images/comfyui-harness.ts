import http from 'node:http';
import { expect } from 'vitest';
import type { AppError } from '#contract/errors.ts';
import { ImageHttp } from '#main/images/image-http.ts';
import { comfyui } from '#main/images/providers/comfyui.ts';
import type { OwnWorkflow } from '#main/images/providers/comfyui-own-workflow.ts';
import { type ComfyuiGraph, createWorkflow } from '#main/images/providers/comfyui-workflows.ts';
import type { ImageLimits, ImageOrder, ImageProgress } from '#main/images/types.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import type { FakeImageServer } from '../../fakes/images/fake-image-server.ts';
import { noisePng, pictureFacts, solidPng } from '../../fakes/images/png.ts';
import { until } from '../../fakes/images/until.ts';

/** Milliseconds: long before the job would have ended, on a machine that has much else to do. `npm run bench images` has the figure. */
export const PROMPTLY = 5_000;

export const ORDER: ImageOrder = {
  ...{ operation: 'create', prompt: 'a tea pot', negativePrompt: 'hands' },
  ...{ width: 96, height: 64, count: 1, seed: 7, steps: 4, guidance: null, model: null },
  ...{ image: null, mask: null, clearMask: null, strength: null, scale: 2 },
};
export const PICTURE = noisePng(96, 64, 1);
export const MASK = solidPng(96, 64, [255, 255, 255]);

export interface Opened {
  readonly limits?: Partial<ImageLimits>;
  readonly own?: OwnWorkflow;
  readonly onProgress?: (progress: ImageProgress) => void;
  readonly signal?: AbortSignal;
}

export function httpTo(url: string, limits: Partial<ImageLimits> = {}): ImageHttp {
  return new ImageHttp({
    ...{ baseUrl: url, label: 'ComfyUI', startHint: 'Start ComfyUI.' },
    createAgent: createPlainAgent,
    limits: { pollMs: 20, ...limits },
  });
}

export function providerOf(server: { url: string }, { limits, own }: Opened = {}) {
  return comfyui(httpTo(server.url, limits), own === undefined ? {} : { ownWorkflow: own });
}

export function make(
  server: { url: string },
  order: Partial<ImageOrder> = {},
  { onProgress = () => undefined, signal, ...opened }: Opened = {},
) {
  return providerOf(server, opened).make(
    { ...ORDER, ...order },
    { signal: signal ?? new AbortController().signal, onProgress },
  );
}

export async function failureOf(
  promise: Promise<unknown>,
): Promise<[code: string, message: string]> {
  const error = await promise.then(
    () => expect.unreachable('It did not fail'),
    (cause: unknown) => cause as AppError,
  );
  return [error.code, error.message];
}

/** The graphs that were ordered. */
export function graphsOf({ requests }: FakeImageServer): ComfyuiGraph[] {
  return requests
    .filter(({ method, path }) => method === 'POST' && path === '/prompt')
    .map(({ body }) => (body as { prompt: ComfyuiGraph }).prompt);
}

export function nodesOf(graph: ComfyuiGraph | undefined, type: string) {
  return Object.values(graph ?? {})
    .filter(({ class_type }) => class_type === type)
    .map(({ inputs }) => inputs);
}

export const sizeOf = (bytes: Uint8Array | undefined): readonly (number | undefined)[] => {
  const facts = pictureFacts(Buffer.from(bytes ?? []));
  return [facts?.width, facts?.height];
};

/** Other people's work on the same server, which takes long. */
export async function occupy(server: FakeImageServer, jobs: number): Promise<void> {
  const { graph } = createWorkflow({ ...ORDER, prompt: 'of others', steps: 10_000 }, 'x');
  const prompt = JSON.stringify(graph).replace('"x"', '"dreamshaper_8.safetensors"');
  for (let index = 0; index < jobs; index += 1) {
    const body = `{"prompt":${prompt.replace('"seed":7', `"seed":${index}`)}}`;
    const answer = await fetch(`${server.url}/prompt`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  }
  await until(() => server.jobsRunning() === 1);
}

export const OWN = {
  '3': {
    class_type: 'KSampler',
    inputs: {
      ...{ model: ['4', 0], positive: ['6', 0], negative: ['7', 0], latent_image: ['5', 0] },
      ...{ seed: 5, steps: 20, cfg: 8, sampler_name: 'euler', scheduler: 'normal', denoise: 1 },
    },
    _meta: { title: 'Seed, Steps' },
  },
  '4': {
    class_type: 'CheckpointLoaderSimple',
    inputs: { ckpt_name: 'dreamshaper_8.safetensors' },
    _meta: { title: 'Model' },
  },
  '5': {
    class_type: 'EmptyLatentImage',
    inputs: { width: 512, height: 512, batch_size: 1 },
    _meta: { title: 'width, height' },
  },
  '6': {
    class_type: 'CLIPTextEncode',
    inputs: { text: 'x', clip: ['4', 1] },
    _meta: { title: 'PROMPT' },
  },
  '7': {
    class_type: 'CLIPTextEncode',
    inputs: { text: 'blurry, %negative prompt%', clip: ['4', 1] },
  },
  '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'own' } },
};

export interface Forwarding extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly string[];
}

/** A server before another that knows no web sockets. */
export async function forwardTo(
  { url }: { url: string },
  before: (request: http.IncomingMessage) => Promise<void> = async () => undefined,
): Promise<Forwarding> {
  const requests: string[] = [];
  const server = http.createServer(async (request, response) => {
    requests.push(request.url ?? '');
    if (request.headers.upgrade !== undefined) {
      response.writeHead(404).end();
      return;
    }
    await before(request);
    const { method, headers } = request;
    const onward = http.request(new URL(request.url ?? '/', url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const port = await listen(server, '127.0.0.1');
  return {
    ...{ url: `http://127.0.0.1:${port}`, requests },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
