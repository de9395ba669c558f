import { createServer, type RequestListener } from 'node:http';
import { expect, test, vi } from 'vitest';
import { ImageHttp } from '#main/images/image-http.ts';
import { sdServer } from '#main/images/providers/sd-server.ts';
import type { ImageLimits, ImageOrder, ImageProgress } from '#main/images/types.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import type { FakeImageServer } from '../../fakes/images/fake-image-server.ts';
import { startFakeSdServer } from '../../fakes/images/fake-sd-server.ts';
import { pictureFacts, solidPng } from '../../fakes/images/png.ts';

/** Milliseconds: long before the job would have ended, on a machine that has much else to do. `npm run bench images` has the figure. */
const PROMPTLY = 5_000;

/** Against the fake, over HTTP. */

const ORDER: ImageOrder = {
  ...{ operation: 'create', prompt: 'a red barn', negativePrompt: '', width: 64, height: 128 },
  ...{ count: 1, seed: 7, steps: 4, guidance: null, model: null },
  ...{ image: null, mask: null, clearMask: null, strength: null, scale: 2 },
};
const IMAGE = solidPng(64, 128, [9, 99, 200]);
const MASK = solidPng(64, 128, [255, 255, 255]);
/** Of servers that answer by rote. */
const CAPABILITIES = { model: { name: 'x' }, supported_modes: ['img_gen'] };
const FORGOTTEN = {
  code: 'IMAGE_FAILED',
  message:
    'stable-diffusion.cpp does not know the order any more: it was started again in the middle. Order the picture again.',
};
const LIMITS: Partial<ImageLimits> = { pollMs: 10 };

function providerAt(
  baseUrl: string,
  limits: Partial<ImageLimits> = {},
): ReturnType<typeof sdServer> {
  const names = { label: 'stable-diffusion.cpp', startHint: 'Start it.' };
  const parts = { createAgent: createPlainAgent, limits: { ...LIMITS, ...limits } };
  return sdServer(new ImageHttp({ baseUrl, ...names, ...parts }));
}

interface Making {
  readonly made: ReturnType<ReturnType<typeof sdServer>['make']>;
  readonly progress: readonly ImageProgress[];
  /** The time of it. */
  abort(): number;
}

function make(
  url: string,
  order: Partial<ImageOrder> = {},
  limits: Partial<ImageLimits> = {},
): Making {
  const controller = new AbortController();
  const progress: ImageProgress[] = [];
  const watch = {
    signal: controller.signal,
    onProgress: (found: ImageProgress) => progress.push(found),
  };
  const made = providerAt(url, limits).make({ ...ORDER, ...order }, watch);
  // Looked at later.
  made.catch(() => undefined);
  const abort = (): number => {
    controller.abort(new Error('The user stopped it'));
    return performance.now();
  };
  return { made, progress, abort };
}

function orders({ requests }: FakeImageServer): readonly unknown[] {
  return requests.flatMap(({ path, body }) => (path === '/sdcpp/v1/img_gen' ? [body] : []));
}

const none = new AbortController().signal;

function until(isSo: () => boolean): Promise<boolean> {
  return vi.waitUntil(isSo, { timeout: 60_000, interval: 2 });
}

test('it says what it has loaded and what it can do', async () => {
  await using fake = await startFakeSdServer({ model: 'dream\u0007shaper_8.gguf' });
  expect(await providerAt(fake.url).inspect(none)).toEqual({
    models: ['dreamshaper_8.gguf'],
    can: {
      ...{ edit: true, inpaint: true, upscale: false },
      ...{ negativePrompt: true, seed: true, steps: true },
    },
  });
});

test('an order arrives whole, and its pictures come back with their seeds', async () => {
  await using fake = await startFakeSdServer({ model: 'dreamshaper_8.gguf' });
  const order = { count: 3, negativePrompt: 'fog', guidance: 5.5, steps: 6 };
  const images = await make(fake.url, order).made;
  expect(orders(fake)).toEqual([
    {
      ...{ prompt: 'a red barn', negative_prompt: 'fog', width: 64, height: 128 },
      ...{ batch_count: 3, seed: 7, output_format: 'png' },
      sample_params: { sample_steps: 6, guidance: { txt_cfg: 5.5 } },
    },
  ]);
  expect(
    images.map(({ bytes, seed, model }) => ({
      ...{ seed, model },
      ...pictureFacts(Buffer.from(bytes)),
    })),
  ).toEqual(
    [7, 8, 9].map((seed) => ({
      ...{ seed, model: 'dreamshaper_8.gguf', width: 64, height: 128, channels: 3 },
    })),
  );
  const [again] = await make(fake.url, { ...order, count: 1, seed: 8 }).made;
  expect(Buffer.from(again?.bytes ?? []).equals(Buffer.from(images[1]?.bytes ?? []))).toBe(true);
});

test.each([
  ['edit', { image: IMAGE }, { strength: 0.6 }],
  ['edit', { image: IMAGE, strength: 0.3, steps: null }, { strength: 0.3, sample_params: {} }],
  ['inpaint', { image: IMAGE, mask: MASK }, { strength: 0.75, mask_image: base64(MASK) }],
] as const)('%s sends the picture, %#', async (operation, parts, sent) => {
  await using fake = await startFakeSdServer();
  const images = await make(fake.url, { operation, ...parts }).made;
  expect(images).toHaveLength(1);
  expect(orders(fake)).toEqual([
    {
      ...{ prompt: 'a red barn', negative_prompt: '', width: 64, height: 128 },
      ...{ batch_count: 1, seed: 7, output_format: 'png', sample_params: { sample_steps: 4 } },
      ...{ init_image: base64(IMAGE), ...sent },
    },
  ]);
});

test('it refuses to make a picture larger, and says what can', async () => {
  await using fake = await startFakeSdServer();
  await expect(make(fake.url, { operation: 'upscale', image: IMAGE }).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringContaining('Use ComfyUI, AUTOMATIC1111 or Forge'),
  });
  expect(fake.requests).toEqual([]);
});

test('a model is accepted by its file or its name, and refused if it is another', async () => {
  await using fake = await startFakeSdServer({ model: 'dreamshaper_8.gguf' });
  for (const model of ['dreamshaper_8.gguf', 'dreamshaper_8']) {
    expect(await make(fake.url, { model }).made).toHaveLength(1);
  }
  await expect(make(fake.url, { model: 'flux' }).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message:
      'stable-diffusion.cpp has no model "flux". It has dreamshaper_8.gguf. Start it again with the other model, or leave the model empty.',
  });
  expect(orders(fake)).toHaveLength(2);
});

test('it says how many orders come first', async () => {
  await using fake = await startFakeSdServer();
  const others = [make(fake.url, { steps: 40 }), make(fake.url, { steps: 10 })];
  await until(() => fake.jobsWaiting() === 1);
  const { made, progress } = make(fake.url);
  await made;
  expect(progress.map(({ queue }) => queue)).toEqual([2, 1, 0]);
  expect(progress.at(-1)).toEqual({ queue: 0, step: null, steps: null, preview: null });
  await Promise.all(others.map((other) => other.made));
});

test('a cancelled order that waits is taken off the server at once', async () => {
  await using fake = await startFakeSdServer();
  const other = make(fake.url, { steps: 60 });
  await until(() => fake.jobsRunning() === 1);
  const waiting = make(fake.url);
  await until(() => waiting.progress.length > 0);
  const at = waiting.abort();
  await expect(waiting.made).rejects.toThrow('The user stopped it');
  expect(fake.cancels.map((cancel) => cancel - at < PROMPTLY)).toEqual([true]);
  expect(fake.jobsWaiting()).toBe(0);
  expect(await other.made).toHaveLength(1);
  expect(fake.stepsDone()).toBe(60);
});

test('a cancelled order that runs ends at once, and the server finishes it by itself', async () => {
  await using fake = await startFakeSdServer();
  const running = make(fake.url, { steps: 100 });
  await until(() => fake.stepsDone() > 2);
  const at = running.abort();
  await expect(running.made).rejects.toThrow('The user stopped it');
  expect(performance.now() - at).toBeLessThan(PROMPTLY);
  expect(fake.cancels.map((cancel) => cancel - at < PROMPTLY)).toEqual([true]);
  expect(fake.jobsRunning()).toBe(1);
});

test('an order that is cancelled before its id arrives is cancelled by that id', async () => {
  const seen: string[] = [];
  const id = 'job_1_00000000';
  await using server = await serve((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const isOrder = request.url === '/sdcpp/v1/img_gen';
    const answer = JSON.stringify(isOrder ? { id, status: 'queued' } : CAPABILITIES);
    setTimeout(() => response.writeHead(isOrder ? 202 : 200).end(answer), isOrder ? 150 : 0);
  });
  const { made, abort } = make(server.url);
  await until(() => seen.length === 2);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(seen).toEqual([
    'GET /sdcpp/v1/capabilities',
    'POST /sdcpp/v1/img_gen',
    `POST /sdcpp/v1/jobs/${id}/cancel`,
  ]);
});

test('a server that never tells the id is left after the time for a cancel', async () => {
  let orderClosed = false;
  await using server = await serve((request, response) => {
    if (request.url !== '/sdcpp/v1/img_gen') response.end(JSON.stringify(CAPABILITIES));
    else
      response.once('close', () => {
        orderClosed = true;
      });
  });
  const at = performance.now();
  const { made } = make(server.url, {}, { quickMs: 60_000, stallMs: 50, cancelMs: 100 });
  await expect(made).rejects.toMatchObject({ code: 'IMAGE_FAILED' });
  await until(() => orderClosed);
  expect(performance.now() - at).toBeLessThan(20_000);
});

test('an order that was cancelled already never reaches the server', async () => {
  await using fake = await startFakeSdServer();
  const { made, abort } = make(fake.url);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(orders(fake)).toEqual([]);
});

test('what answers another way is not there', async () => {
  const kind = { code: 'IMAGE_UNAVAILABLE', message: expect.stringContaining('such as LM Studio') };
  await using lmStudio = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ error: 'Unexpected endpoint or method.' }));
  });
  await expect(providerAt(lmStudio.url).inspect(none)).rejects.toMatchObject(kind);
  await expect(make(lmStudio.url).made).rejects.toMatchObject(kind);
  await using page = await serve((_, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here');
  });
  await expect(providerAt(page.url).inspect(none)).rejects.toMatchObject({
    code: 'IMAGE_UNAVAILABLE',
    message: expect.stringContaining('a page (status 404). Check its address'),
  });
  await using films = await startFakeSdServer({ drawsImages: false });
  await expect(providerAt(films.url).inspect(none)).rejects.toMatchObject({
    code: 'IMAGE_UNAVAILABLE',
    message: expect.stringContaining('makes no pictures. Start it with another model'),
  });
  const { url } = await startFakeSdServer().then(async (gone) => {
    await gone[Symbol.asyncDispose]();
    return gone;
  });
  await expect(providerAt(url).inspect(none)).rejects.toMatchObject({ code: 'IMAGE_UNAVAILABLE' });
});

test('a server that was started again in the middle has forgotten the order', async () => {
  await using fake = await startFakeSdServer();
  const { made, progress } = make(fake.url, { steps: 40 }, { pollMs: 500 });
  await until(() => progress.length > 0 && fake.jobsRunning() === 1);
  fake.fault = 'dies';
  await until(() => fake.jobsRunning() === 0);
  fake.fault = 'none';
  await expect(made).rejects.toMatchObject(FORGOTTEN);
});

test('an order that the server has dropped says so too', async () => {
  await using fake = await startFakeSdServer({ jobTtlMs: 0 });
  await expect(make(fake.url).made).rejects.toMatchObject(FORGOTTEN);
});

test('an order that another program cancels says so', async () => {
  await using fake = await startFakeSdServer();
  const other = make(fake.url, { steps: 60 });
  await until(() => fake.jobsRunning() === 1);
  const { made, progress } = make(fake.url);
  await until(() => progress.length > 0);
  const paths = fake.requests.map(({ path }) => path).filter((path) => path.includes('/jobs/'));
  const [, second] = [...new Set(paths)];
  await fetch(`${fake.url}${second}/cancel`, { method: 'POST' });
  await expect(made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringContaining('Another program cancelled the order'),
  });
  await other.made;
});

test('a full queue is said', async () => {
  await using fake = await startFakeSdServer({ maxPendingJobs: 1 });
  const other = make(fake.url, { steps: 60 });
  await until(() => fake.jobsRunning() === 1);
  await expect(make(fake.url).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringContaining('Wait until it has finished some'),
  });
  await other.made;
});

test('a refused order has the words of the server', async () => {
  await using fake = await startFakeSdServer();
  const order = { operation: 'edit', image: Buffer.from('no picture') } as const;
  await expect(make(fake.url, order).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: 'stable-diffusion.cpp refused the order (status 400): invalid generation parameters',
  });
});

test.each([
  ['out_of_memory', /generate_image returned no results.*Make the picture smaller/],
  ['dies', /stopped in the middle of the order.*Start it again\. Make the picture smaller/],
  ['html', /with a page \(status 200\)\. Check its address/],
  ['wrong_json', /something else than expected/],
] as const)('%s is an error that says what to do', async (fault, message) => {
  await using fake = await startFakeSdServer();
  fake.fault = fault;
  await expect(make(fake.url).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringMatching(message),
  });
});

test('an order that goes nowhere ends, and the server hears of it', async () => {
  await using fake = await startFakeSdServer();
  fake.fault = 'hangs';
  await expect(make(fake.url, {}, { stallMs: 100 }).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: 'stable-diffusion.cpp reported nothing new for 0.1 s. The order was cancelled.',
  });
  expect(fake.cancels).toHaveLength(1);
});

test('an endless answer is not read to its end', async () => {
  await using fake = await startFakeSdServer();
  fake.fault = 'huge';
  const { made } = make(fake.url, {}, { answerBytes: 1024 * 1024 });
  await expect(made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringContaining('sent more than 1 MB'),
  });
  await until(() => fake.hangUps.length > 0);
  expect(fake.bytesSent()).toBeLessThan(20 * 1024 * 1024);
});

test('what is no picture is passed on for those who decode it; what is no base64 is not', async () => {
  await using fake = await startFakeSdServer();
  fake.fault = 'not_a_picture';
  const [image] = await make(fake.url).made;
  expect(Buffer.from(image?.bytes ?? []).toString()).toBe('This is not a picture.');
  await using server = await serve((request, response) => {
    const images = [{ index: 0, b64_json: 'no base64 at all' }];
    const job = { status: 'completed', result: { images } };
    const isOrder = request.url?.endsWith('img_gen');
    const answer = request.url?.includes('/jobs/') ? job : isOrder ? { id: 'job_1' } : CAPABILITIES;
    response.end(JSON.stringify(answer));
  });
  await expect(make(server.url).made).rejects.toMatchObject({ code: 'IMAGE_FAILED' });
});

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

async function serve(answer: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
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
