import { expect, test } from 'vitest';
import { startFakeSdServer } from '../../fakes/images/fake-sd-server.ts';
import { startFakeWebui } from '../../fakes/images/fake-webui.ts';
import { pictureFacts } from '../../fakes/images/png.ts';
import { until } from '../../fakes/images/until.ts';
import {
  ALL_BUT_STEPS,
  FLAVORS,
  IMAGE,
  MASK,
  make,
  NOT_FOUND,
  none,
  orderOfOthers,
  orders,
  post,
  providerAt,
  sendJson,
  serve,
  serveWebui,
} from './webui-harness.ts';

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
