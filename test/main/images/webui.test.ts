import { createServer, type RequestListener } from 'node:http';
import { expect, test, vi } from 'vitest';
import { ImageHttp } from '#main/images/image-http.ts';
import { webui } from '#main/images/providers/webui.ts';
import type { ImageLimits, ImageOrder, ImageProgress } from '#main/images/types.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import type { FakeImageServer } from '../../fakes/images/fake-image-server.ts';
import { startFakeSdServer } from '../../fakes/images/fake-sd-server.ts';
import { startFakeWebui } from '../../fakes/images/fake-webui.ts';
import { pictureFacts, solidPng } from '../../fakes/images/png.ts';

/** Milliseconds: long before the job would have ended, on a machine that has much else to do. `npm run bench images` has the figure. */
const PROMPTLY = 5_000;

/** Against the fake, over HTTP. It tells when jobs began to the second, as the real one does. */

const FLAVORS = ['a1111', 'forge'] as const;
const ORDER: ImageOrder = {
  ...{ operation: 'create', prompt: 'a red barn', negativePrompt: '', width: 64, height: 128 },
  ...{ count: 1, seed: 7, steps: 4, guidance: null, model: null },
  ...{ image: null, mask: null, clearMask: null, strength: null, scale: 2 },
};
const IMAGE = solidPng(64, 128, [9, 99, 200]);
const MASK = solidPng(64, 128, [255, 255, 255]);
const ALL_BUT_STEPS = {
  ...{ prompt: 'a red barn', negative_prompt: '', width: 64, height: 128, seed: 7 },
  ...{ n_iter: 1, batch_size: 1, send_images: true, save_images: false },
};

function providerAt(url: string, limits: Partial<ImageLimits> = {}): ReturnType<typeof webui> {
  const names = { label: 'Forge', startHint: 'Start it with --api.' };
  const parts = { createAgent: createPlainAgent, limits: { pollMs: 10, ...limits } };
  return webui(new ImageHttp({ baseUrl: url, ...names, ...parts }));
}

interface Making {
  readonly made: ReturnType<ReturnType<typeof webui>['make']>;
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
async function orderOfOthers(url: string, steps: number): Promise<unknown> {
  const json = { prompt: 'a cat', steps, width: 64, height: 64, seed: 1 };
  return await (await fetch(`${url}/sdapi/v1/txt2img`, post(json))).json();
}

function orders({ requests }: FakeImageServer, path: string): readonly unknown[] {
  return requests.flatMap((one) => (one.path === `/sdapi/v1/${path}` ? [one.body] : []));
}

const none = new AbortController().signal;

function until(isSo: () => boolean): Promise<boolean> {
  return vi.waitUntil(isSo, { timeout: 60_000, interval: 2 });
}

test.each(FLAVORS)('it says which models %s has, the loaded one first', async (flavor) => {
  const models = ['a.safetensors', 'b\u0007.safetensors'];
  await using fake = await startFakeWebui({ flavor, models });
  const json = { sd_model_checkpoint: models[1] };
  await fetch(`${fake.url}/sdapi/v1/options`, post(json));
  expect(await providerAt(fake.url).inspect(none)).toEqual({
    models: ['b.safetensors [31e35c80fd]', 'a.safetensors [31e35c80fc]'],
    can: {
      ...{ edit: true, inpaint: true, upscale: true },
      ...{ negativePrompt: true, seed: true, steps: true },
    },
  });
});

test('of a server with very many models or long names it takes some', async () => {
  const models = Array.from({ length: 600 }, (_, index) => `${'m'.repeat(400)}${index}`);
  await using long = await startFakeWebui({ models });
  expect((await providerAt(long.url).inspect(none)).models).toEqual(['m'.repeat(300)]);
  await using many = await startFakeWebui({ models: models.map((name) => name.slice(399)) });
  expect((await providerAt(many.url).inspect(none)).models).toHaveLength(500);
});

test('what answers another way is not there', async () => {
  await using withoutApi = await serve((_, response) => sendJson(response, 404, NOT_FOUND));
  await using locked = await startFakeWebui({ auth: 'me:secret' });
  await using sd = await startFakeSdServer();
  await using page = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in');
  });
  const closed = await serve(() => undefined);
  await closed[Symbol.asyncDispose]();
  const found = await Promise.all(
    [withoutApi, locked, sd, page, closed].map(async ({ url }) => {
      const reason: unknown = await providerAt(url)
        .inspect(none)
        .catch((error: unknown) => error);
      return reason;
    }),
  );
  const code = 'IMAGE_UNAVAILABLE';
  expect(found).toMatchObject([
    { code, message: 'Forge answers, but its API is off. Start it with --api.' },
    {
      code,
      message:
        'Forge wants a user name and a password, which this app cannot send. Start it without --api-auth.',
    },
    { code, message: expect.stringContaining('not JSON (status 404). Check its address') },
    { code, message: expect.stringContaining('with a page (status 200). Check its address') },
    { code, message: expect.stringContaining('does not answer at') },
  ]);
  await expect(make(locked.url).made).rejects.toMatchObject({ code });
});

test.each(FLAVORS)('an order arrives at %s whole, and its pictures come back', async (flavor) => {
  await using fake = await startFakeWebui({ flavor });
  const order = { count: 3, negativePrompt: 'fog', guidance: 5.5, model: 'dreamshaper_8' };
  const images = await make(fake.url, order).made;
  expect(orders(fake, 'txt2img')).toEqual([
    {
      ...{ ...ALL_BUT_STEPS, negative_prompt: 'fog', n_iter: 3, steps: 4, cfg_scale: 5.5 },
      override_settings: { sd_model_checkpoint: 'dreamshaper_8.safetensors [31e35c80fd]' },
    },
  ]);
  expect(
    images.map(({ bytes, seed, model }) => ({
      ...{ seed, model },
      ...pictureFacts(Buffer.from(bytes)),
    })),
  ).toEqual(
    [7, 8, 9].map((seed) => ({
      ...{ seed, model: 'dreamshaper_8', width: 64, height: 128, channels: 3 },
    })),
  );
  const [again] = await make(fake.url, { ...order, count: 1, seed: 8 }).made;
  expect(Buffer.from(again?.bytes ?? []).equals(Buffer.from(images[1]?.bytes ?? []))).toBe(true);
});

test('a model that is not there is refused before anything is drawn', async () => {
  const models = Array.from({ length: 7 }, (_, index) => `m${index}.safetensors`);
  await using fake = await startFakeWebui({ models });
  await expect(make(fake.url, { model: 'flux' }).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringMatching(
      /^Forge has no model "flux"\. It has m0\.safetensors \[31e35c80fc\], m1.* and 2 more\. Choose one/,
    ),
  });
  expect(orders(fake, 'txt2img')).toEqual([]);
});

test.each([
  ['edit', { image: IMAGE }, { denoising_strength: 0.6, steps: 4 }],
  ['edit', { image: IMAGE, strength: 0.3, steps: null }, { denoising_strength: 0.3 }],
  [
    'inpaint',
    { image: IMAGE, mask: MASK },
    {
      ...{ steps: 4, denoising_strength: 0.75, mask: MASK.toString('base64') },
      ...{ mask_blur: 4, inpainting_fill: 1, inpaint_full_res: false },
    },
  ],
] as const)('%s sends the picture, %#', async (operation, parts, sent) => {
  await using fake = await startFakeWebui();
  const images = await make(fake.url, { operation, ...parts }).made;
  expect(images.map(({ seed }) => seed)).toEqual([7]);
  expect(orders(fake, 'img2img')).toEqual([
    { ...ALL_BUT_STEPS, init_images: [IMAGE.toString('base64')], ...sent },
  ]);
});

test.each([
  [['4x-UltraSharp', 'R-ESRGAN 4x+'], 'R-ESRGAN 4x+'],
  [['SwinIR'], 'Lanczos'],
])('with %j it enlarges by the best', async (upscalers, upscaler_1) => {
  await using fake = await startFakeWebui({ upscalers });
  const [image] = await make(fake.url, { operation: 'upscale', image: IMAGE, scale: 3 }).made;
  expect(orders(fake, 'extra-single-image')).toEqual([
    { image: IMAGE.toString('base64'), resize_mode: 0, upscaling_resize: 3, upscaler_1 },
  ]);
  expect([image?.seed, image?.model, pictureFacts(Buffer.from(image?.bytes ?? []))]).toEqual([
    null,
    upscaler_1,
    { width: 192, height: 384, channels: 3 },
  ]);
});

test('it says how far it is over all pictures, and shows them unfinished', async () => {
  await using fake = await startFakeWebui();
  fake.stepMs = 20;
  const { made, progress } = make(fake.url, { steps: 12, count: 2 });
  await made;
  const steps = progress.map(({ step }) => step ?? 0);
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  expect(steps.at(-1)).toBeGreaterThan(20);
  const whole = { queue: 0, steps: 24 };
  expect(progress.map(({ queue, steps }) => ({ queue, steps }))).toEqual(progress.map(() => whole));
  const previews = progress.flatMap(({ preview }) => (preview === null ? [] : [preview]));
  expect(previews.map((bytes) => pictureFacts(Buffer.from(bytes))?.width)).toContain(64);
});

test('of a job of others it shows nothing but that it comes first', async () => {
  await using fake = await startFakeWebui();
  const other = orderOfOthers(fake.url, 250);
  await until(() => fake.stepsDone() > 0);
  const { made, progress } = make(fake.url, { steps: 20 });
  await until(() => fake.stepsDone() > 200);
  expect(progress).toEqual([{ queue: 1, step: null, steps: null, preview: null }]);
  await made;
  expect(progress.at(-1)).toMatchObject({ queue: 0, steps: 20 });
  await other;
});

test.each([
  ['create', 1],
  ['upscale', 1],
  // Before it was ever asked how far it is.
  ['create', 60_000],
] as const)('a cancelled %s is interrupted at once, %#', async (operation, pollMs) => {
  await using fake = await startFakeWebui();
  fake.stepMs = 30;
  const order = { operation, steps: 100, image: operation === 'create' ? null : IMAGE };
  const { made, abort } = make(fake.url, order, { pollMs });
  await until(() => fake.stepsDone() > 0);
  const at = abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(fake.cancels.map((cancel) => cancel - at < PROMPTLY)).toEqual([true]);
  expect([fake.jobsRunning(), fake.stepsDone() < 10]).toEqual([0, true]);
});

test('an order that waits is never cancelled by interrupting a job of others', async () => {
  await using fake = await startFakeWebui();
  const other = orderOfOthers(fake.url, 120);
  await until(() => fake.stepsDone() > 0);
  const { made, progress, abort } = make(fake.url, {}, { cancelMs: 200 });
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  await until(() => fake.hangUps.length > 0);
  await other;
  expect(fake.cancels).toEqual([]);
});

test('an order that begins soon after its end is interrupted then', async () => {
  await using fake = await startFakeWebui();
  fake.stepMs = 10;
  const other = orderOfOthers(fake.url, 120);
  await until(() => fake.stepsDone() > 0);
  const { made, progress, abort } = make(fake.url, { steps: 300 }, { cancelMs: 10_000 });
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(fake.cancels).toHaveLength(1);
  expect([fake.jobsRunning(), fake.stepsDone() < 200]).toEqual([0, true]);
  await other;
});

test('the order of others behind a cancelled one is drawn to its end', async () => {
  await using fake = await startFakeWebui();
  const { made, progress, abort } = make(fake.url, { steps: 100 });
  await until(() => progress.length > 0);
  const other = orderOfOthers(fake.url, 60);
  await until(() => fake.jobsWaiting() === 1);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  const before = fake.stepsDone();
  await other;
  expect(fake.cancels).toHaveLength(1);
  expect(fake.stepsDone() - before).toBeGreaterThan(50);
});

test('an interrupt that got lost is sent again, until the answer', async () => {
  let interrupts = 0;
  await using server = await serveWebui({
    state: ({ isDrawing }) => (isDrawing ? { job_timestamp: '2', job_count: 1 } : {}),
    interrupted: (answer) => {
      interrupts += 1;
      if (interrupts === 3) answer();
    },
  });
  const { made, progress, abort } = make(server.url);
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(interrupts).toBe(3);
});

test('an interrupt does not wait until the server says how far it is', async () => {
  let isSilent = false;
  let interrupts = 0;
  await using server = await serveWebui({
    state: ({ isDrawing }) => {
      if (isSilent) return null;
      return isDrawing ? { job_timestamp: '2', job_count: 1 } : {};
    },
    interrupted: (answer) => {
      interrupts += 1;
      answer();
    },
  });
  const { made, progress, abort } = make(server.url, {}, { cancelMs: 5_000 });
  await until(() => progress.length > 0);
  isSilent = true;
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(interrupts).toBe(1);
});

test('the job that begins behind an interrupted one is not interrupted', async () => {
  let interrupts = 0;
  await using server = await serveWebui({
    // The answer to the order is still on its way.
    state: ({ isDrawing }) =>
      isDrawing ? { job_timestamp: interrupts === 0 ? '2' : '3', job_count: 1 } : {},
    interrupted: () => {
      interrupts += 1;
    },
  });
  const { made, progress, abort } = make(server.url, {}, { cancelMs: 500 });
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(interrupts).toBe(1);
});

test.each([
  ['of its own window', { job: 'task(abc)', job_timestamp: '2', job_count: 1 }],
  ['that began before', { job_timestamp: '1', job_count: 1 }],
  ['that is over', { job_timestamp: '1', job_count: 0 }],
])('a job %s is not interrupted', async (_, running) => {
  let interrupts = 0;
  const before = { job_timestamp: '1', job_count: running.job_count };
  await using server = await serveWebui({
    state: ({ isDrawing }) => (isDrawing ? running : before),
    interrupted: () => {
      interrupts += 1;
    },
  });
  const { made, progress, abort } = make(server.url, {}, { cancelMs: 300 });
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(interrupts).toBe(0);
});

test('what its window forgets to count is still ours', async () => {
  // Its window sets the number of jobs to 0 whenever it ends something, also while another job runs.
  let interrupts = 0;
  await using server = await serveWebui({
    state: ({ isDrawing }) => ({ job_timestamp: isDrawing ? '2' : '1', job_count: 0 }),
    interrupted: (answer) => {
      interrupts += 1;
      answer();
    },
  });
  const { made, progress, abort } = make(server.url);
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(interrupts).toBe(1);
});

test('a picture that someone else stopped half-way is not passed on as made', async () => {
  await using fake = await startFakeWebui();
  const { made } = make(fake.url, { steps: 100 });
  await until(() => fake.stepsDone() > 5);
  await fetch(`${fake.url}/sdapi/v1/interrupt`, { method: 'POST' });
  await expect(made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringContaining('stopped at Forge, in its own window or by another program'),
  });
});

test('a grid before the pictures and maps behind them are left out', async () => {
  const image = (text: string): string => Buffer.from(text).toString('base64');
  const info = { index_of_first_image: 1, all_seeds: [7, 8], sd_model_name: 'x' };
  await using server = await serveWebui({
    state: () => ({}),
    drawn: { images: ['grid', 'one', 'two', 'map'].map(image), info: JSON.stringify(info) },
  });
  const images = await make(server.url, { count: 2 }).made;
  expect(images.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['one', 'two']);
});

test.each(FLAVORS)('%s without memory is an error that says what to do', async (flavor) => {
  await using fake = await startFakeWebui({ flavor });
  fake.fault = 'out_of_memory';
  for (const operation of ['create', 'upscale'] as const) {
    const order = { operation, image: operation === 'create' ? null : IMAGE };
    await expect(make(fake.url, order).made).rejects.toMatchObject({
      code: 'IMAGE_FAILED',
      message:
        'Forge has too little memory for this picture. Make it smaller, or close other programs that use the graphics card.',
    });
  }
});

test.each(FLAVORS)('the refusal of %s has its words', async (flavor) => {
  await using fake = await startFakeWebui({ flavor });
  const message = expect.stringMatching(/^Forge refused img2img \(status 500\): .*Invalid encoded/);
  const order = { operation: 'edit', image: Buffer.from('no picture') } as const;
  await expect(make(fake.url, order).made).rejects.toMatchObject({ message });
  const wrong = { width: 'wide' as unknown as number };
  await expect(make(fake.url, wrong).made).rejects.toMatchObject({
    message: expect.stringMatching(/^Forge refused txt2img \(status 422\): body\.width: \w+/),
  });
});

test.each([
  [{ error: 'OutOfMemoryError', detail: '', message: 'Allocation on device' }, /too little memory/],
  [{ error: 'RuntimeError', detail: '', errors: 'MPS backend out of memory' }, /too little memory/],
  [{ error: 'NansException', detail: '', message: 'All NaNs' }, /\(status 500\): All NaNs$/],
  [{ error: 'KeyError', detail: '', body: 7, errors: 7 }, /\(status 500\): KeyError$/],
  [[], /refused txt2img \(status 500\)\.$/],
])('%j is an error with its words', async (drawn, message) => {
  await using server = await serveWebui({ state: () => ({}), drawn, status: 500 });
  await expect(make(server.url).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringMatching(message),
  });
});

test.each([
  ['dies', /The connection to Forge broke: .* Start it with --api\./],
  ['html', /with a page \(status 200\)\. Check its address/],
  ['wrong_json', /something else than expected/],
] as const)('%s is an error that says what to do', async (fault, message) => {
  await using fake = await startFakeWebui();
  fake.fault = fault;
  await expect(make(fake.url).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringMatching(message),
  });
});

test('an order that goes nowhere ends, and the server hears of it', async () => {
  await using fake = await startFakeWebui();
  fake.fault = 'hangs';
  const limits = { stallMs: 200, cancelMs: 300 };
  await expect(make(fake.url, {}, limits).made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: 'Forge reported nothing new for 0.2 s. The order was cancelled.',
  });
  expect(fake.cancels.length).toBeGreaterThan(0);
});

test('an endless answer is not read to its end', async () => {
  await using fake = await startFakeWebui();
  fake.fault = 'huge';
  const { made } = make(fake.url, {}, { answerBytes: 1024 * 1024 });
  await expect(made).rejects.toMatchObject({
    code: 'IMAGE_FAILED',
    message: expect.stringContaining('sent more than 1 MB'),
  });
  await until(() => fake.hangUps.length > 0);
  expect(fake.bytesSent()).toBeLessThan(20 * 1024 * 1024);
});

test('what is no picture is passed on for those who decode it', async () => {
  await using fake = await startFakeWebui();
  fake.fault = 'not_a_picture';
  const [image] = await make(fake.url).made;
  expect(Buffer.from(image?.bytes ?? []).toString()).toBe('This is not a picture.');
});

const NOT_FOUND = { detail: 'Not Found' };

function post(json: unknown): RequestInit {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(json) };
}

type Answer = Parameters<RequestListener>[1];

function sendJson(response: Answer, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

/** A webui that says what a test wants; it answers an order at once, or when an interrupt lets it. */
async function serveWebui(parts: {
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
