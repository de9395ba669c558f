import { createServer, type RequestListener } from 'node:http';
import { deflateSync } from 'node:zlib';
import { AppError } from '#contract/errors.ts';
import { ImageHttp } from '#main/images/image-http.ts';
import type {
  ImageLimits,
  ImageOrder,
  ImageProgress,
  ImageProvider,
  MadeImage,
} from '#main/images/types.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import { pictureFacts } from '../../fakes/images/png.ts';
import { pngFrom } from '../../fakes/png.ts';

/** What the tests of the services have in common. */

export const ORDER: ImageOrder = {
  ...{ operation: 'create', prompt: 'a red barn', negativePrompt: '', width: 1024, height: 1024 },
  ...{ count: 1, seed: 7, steps: null, guidance: null, model: null },
  ...{ image: null, mask: null, clearMask: null, strength: null, scale: 2 },
};

export interface Making {
  readonly made: Promise<readonly MadeImage[]>;
  readonly progress: readonly ImageProgress[];
  /** The time of it. */
  abort(): number;
}

/** A service at an address, by its provider. */
export class Service {
  readonly #open: (http: ImageHttp) => ImageProvider;
  readonly #parts: { readonly label: string; readonly headers: Readonly<Record<string, string>> };

  constructor(
    open: (http: ImageHttp) => ImageProvider,
    parts: { readonly label: string; readonly headers: Readonly<Record<string, string>> },
  ) {
    this.#open = open;
    this.#parts = parts;
  }

  at(baseUrl: string, limits: Partial<ImageLimits> = {}): ImageProvider {
    const common = { startHint: 'Check the network.', createAgent: createPlainAgent, limits };
    return this.#open(new ImageHttp({ baseUrl, ...this.#parts, ...common }));
  }

  make(
    baseUrl: string,
    order: Partial<ImageOrder> = {},
    limits: Partial<ImageLimits> = {},
  ): Making {
    const controller = new AbortController();
    const progress: ImageProgress[] = [];
    const made = this.at(baseUrl, limits).make(
      { ...ORDER, ...order },
      { signal: controller.signal, onProgress: (found) => progress.push(found) },
    );
    // Looked at later.
    made.catch(() => undefined);
    const abort = (): number => {
      controller.abort(new AppError('CANCELLED', 'The user stopped it'));
      return performance.now();
    };
    return { made, progress, abort };
  }
}

/** A server that answers by rote. */
export async function serve(
  listener: RequestListener,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => listener(request, response));
  });
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1')}`;
  return { url, [Symbol.asyncDispose]: () => closeServer(server) };
}

/** A server with one answer to all. */
export function answering(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ReturnType<typeof serve> {
  return serve((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

/** Width and height of each picture. */
export function sizesOf(
  images: readonly { readonly bytes: Uint8Array }[],
): readonly (readonly [number, number] | null)[] {
  return images.map(({ bytes }) => {
    const facts = pictureFacts(Buffer.from(bytes));
    return facts && [facts.width, facts.height];
  });
}

/** A PNG that is transparent all over. */
export function clearPng(width: number, height: number): Buffer {
  const pixels = deflateSync(Buffer.alloc((1 + width * 4) * height), { level: 1 });
  return pngFrom({ width, height, pixels, colours: 6 });
}
