import { createServer, type RequestListener } from 'node:http';
import { ImageHttp } from '#main/images/image-http.ts';
import { webui } from '#main/images/providers/webui.ts';
import type { ImageLimits, ImageOrder, ImageProgress } from '#main/images/types.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import type { FakeImageServer } from '../../fakes/images/fake-image-server.ts';
import { solidPng } from '../../fakes/images/png.ts';

/** Milliseconds: long before the job would have ended, on a machine that has much else to do. `npm run bench images` has the figure. */
export const PROMPTLY = 5_000;

/** Against the fake, over HTTP. It tells when jobs began to the second, as the real one does. */

export const FLAVORS = ['a1111', 'forge'] as const;
export const ORDER: ImageOrder = {
  ...{ operation: 'create', prompt: 'a red barn', negativePrompt: '', width: 64, height: 128 },
  ...{ count: 1, seed: 7, steps: 4, guidance: null, model: null },
  ...{ image: null, mask: null, clearMask: null, strength: null, scale: 2 },
};
export const IMAGE = solidPng(64, 128, [9, 99, 200]);
export const MASK = solidPng(64, 128, [255, 255, 255]);
export const ALL_BUT_STEPS = {
  ...{ prompt: 'a red barn', negative_prompt: '', width: 64, height: 128, seed: 7 },
  ...{ n_iter: 1, batch_size: 1, send_images: true, save_images: false },
};

export function providerAt(
  url: string,
  limits: Partial<ImageLimits> = {},
): ReturnType<typeof webui> {
  const names = { label: 'Forge', startHint: 'Start it with --api.' };
  const parts = { createAgent: createPlainAgent, limits: { pollMs: 10, ...limits } };
  return webui(new ImageHttp({ baseUrl: url, ...names, ...parts }));
}

export interface Making {
  readonly made: ReturnType<ReturnType<typeof webui>['make']>;
  readonly progress: readonly ImageProgress[];
  /** The time of it. */
  abort(): number;
}

export function make(
  url: string,
  order: Partial<ImageOrder> = {},
  limits: Partial<ImageLimits> = {},
): Making {
  const controller = new AbortController();
  const progress: ImageProgress[] = [];
  const { signal } = controller;
  const watch = { signal, onProgress: (found: ImageProgress) => progress.push(found) };
  const made = providerAt(url, limits).make({ ...ORDER, ...order }, watch);
  // Looked at later.
  made.catch(() => undefined);
  const abort = (): number => {
    controller.abort(new Error('The user stopped it'));
    return performance.now();
  };
  return { made, progress, abort };
}

/** The order of another program, until it has its answer. */
export async function orderOfOthers(url: string, steps: number): Promise<unknown> {
  const json = { prompt: 'a cat', steps, width: 64, height: 64, seed: 1 };
  return await (await fetch(`${url}/sdapi/v1/txt2img`, post(json))).json();
}

export function orders({ requests }: FakeImageServer, path: string): readonly unknown[] {
  return requests.flatMap((one) => (one.path === `/sdapi/v1/${path}` ? [one.body] : []));
}

export const none = new AbortController().signal;

export const NOT_FOUND = { detail: 'Not Found' };

export function post(json: unknown): RequestInit {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(json) };
}

export type Answer = Parameters<RequestListener>[1];

export function sendJson(response: Answer, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

/** A webui that says what a test wants; it answers an order at once, or when an interrupt lets it. */
export async function serveWebui(parts: {
  /** Null for no answer at all. */
  readonly state: (now: { readonly isDrawing: boolean }) => object | null;
  readonly interrupted?: (answer: () => void) => void;
  readonly drawn?: object;
  readonly status?: number;
}): ReturnType<typeof serve> {
  const idle = {
    ...{ interrupted: false, skipped: false, job: '', job_count: 0, job_no: 0 },
    ...{ job_timestamp: '1', sampling_step: 0, sampling_steps: 0 },
  };
  const drawn = parts.drawn ?? { images: [], info: '{}' };
  let waiting: Answer | null = null;
  return serve((request, response) => {
    if (request.url?.includes('/progress')) {
      const now = parts.state({ isDrawing: waiting !== null });
      if (now !== null)
        sendJson(response, 200, { state: { ...idle, ...now }, current_image: null });
    } else if (request.url?.endsWith('/interrupt')) {
      const order = waiting;
      parts.interrupted?.(() => {
        if (order !== null) sendJson(order, 200, drawn);
      });
      sendJson(response, 200, {});
    } else {
      waiting = response;
      if (parts.interrupted === undefined) sendJson(response, parts.status ?? 200, drawn);
    }
  });
}

export async function serve(
  answer: RequestListener,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(answer);
  const port = await listen(server, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}
