import { expect, test } from 'vitest';
import { allowedSize } from '#main/images/providers/openai-images.ts';
import type { MultipartBody } from '../../fakes/images/fake-image-server.ts';
import { startFakeOpenAiImages } from '../../fakes/images/fake-openai-images.ts';
import { until } from '../../fakes/images/until.ts';
import {
  CLEAR,
  FLARE,
  failure,
  IMAGE,
  MASK,
  none,
  OPENAI,
  STRANGER,
} from './openai-images-harness.ts';
import { answering, sizesOf } from './service-harness.ts';

test('it lists the models that draw, the default one first, then the newest', async () => {
  const models = [
    ...['gpt-6', 'gpt-image-1-mini', 'dall-e-3', 'gpt-image-2', 'gpt-image-2.5-sunburst'],
    ...[FLARE, 'chatgpt-image-latest', 'gpt-image-10', 'gpt-image-1.5', 'gpt-image-x\u0007\u202ey'],
  ];
  await using fake = await startFakeOpenAiImages({ models });
  const can = { edit: true, inpaint: true, upscale: false };
  expect(await OPENAI.at(`${fake.url}/v1`).inspect(none)).toEqual({
    models: [
      ...[FLARE, 'gpt-image-xy', 'gpt-image-10', 'gpt-image-2.5-sunburst', 'gpt-image-2'],
      ...['gpt-image-1.5', 'gpt-image-1-mini', 'chatgpt-image-latest'],
    ],
    can: { ...can, negativePrompt: false, seed: false, steps: false },
  });
});

test('a list with odd entries, or none, is read all the same, and a long one is cut', async () => {
  const many = Array.from({ length: 900 }, (_, at) => ({ id: `gpt-image-9-${at}` }));
  await using odd = await answering(200, { data: [null, 7, { id: 5 }, ...many] });
  expect((await OPENAI.at(odd.url).inspect(none)).models).toHaveLength(500);
  await using empty = await answering(200, { data: [] });
  expect((await OPENAI.at(empty.url).inspect(none)).models).toEqual([]);
});

test.each([
  [200, { data: 7 }, /answered with something unexpected/],
  [200, '<p>Sign in', /A web page answered instead of OpenAI/],
  [500, '<p>oops', /OpenAI has a problem of its own \(status 500\)/],
  [429, {}, /takes no more orders from this account now\. Try again in a few minutes/],
  [403, { error: { message: 'Missing scopes: api.model.read.' } }, /Missing scopes: api\.model/],
] as const)('what answers %i %j counts as not there', async (status, body, message) => {
  const type = { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' };
  await using server = await answering(status, body, type);
  const seen = OPENAI.at(server.url).inspect(none);
  await expect(seen).rejects.toMatchObject(failure(message, 'IMAGE_UNAVAILABLE'));
});

test('an endless list of models is not read', async () => {
  await using server = await answering(200, `[${'1,'.repeat(3 * 1024 * 1024)}1]`);
  await expect(OPENAI.at(server.url).inspect(none)).rejects.toMatchObject(
    failure('OpenAI sent more than 4 MB; the rest was not read.', 'IMAGE_UNAVAILABLE'),
  );
});

test('a wrong key is said, at the question and at the order', async () => {
  await using fake = await startFakeOpenAiImages();
  const wrong = failure(
    'The key of OpenAI is not valid. Enter it again in the settings, under Models.',
    'IMAGE_UNAVAILABLE',
  );
  await expect(STRANGER.at(`${fake.url}/v1`).inspect(none)).rejects.toMatchObject(wrong);
  await expect(STRANGER.make(`${fake.url}/v1`).made).rejects.toMatchObject(wrong);
});

test('an order arrives whole, and its unfinished states are seen', async () => {
  await using fake = await startFakeOpenAiImages();
  const order = { negativePrompt: 'fog, people', width: 1200, height: 800 };
  const { made, progress } = OPENAI.make(`${fake.url}/v1`, order);
  const images = await made;
  expect(fake.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    [
      'POST',
      '/v1/images/generations',
      {
        ...{ model: FLARE, prompt: 'a red barn\n\nDo not show: fog, people', size: '1200x800' },
        ...{ output_format: 'png', stream: true, partial_images: 2 },
      },
    ],
  ]);
  expect(images).toEqual([{ bytes: expect.any(Buffer), seed: null, model: FLARE }]);
  expect(sizesOf(images)).toEqual([[1200, 800]]);
  const previews = progress.map(({ preview, ...rest }) => [
    sizesOf([{ bytes: preview ?? MASK }]),
    rest,
  ]);
  const unknown = { queue: null, step: null, steps: null };
  expect(previews).toEqual([
    [[[1200, 800]], unknown],
    [[[1200, 800]], unknown],
  ]);
  const seen = [...progress.map(({ preview }) => preview), images[0]?.bytes];
  expect(new Set(seen.map((bytes) => Buffer.from(bytes ?? []).toString('base64'))).size).toBe(3);
});

test('a picture may take longer than other answers', async () => {
  await using fake = await startFakeOpenAiImages({ steps: 40 });
  expect(await OPENAI.make(`${fake.url}/v1`, {}, { quickMs: 50 }).made).toHaveLength(1);
});

test.each(['edit', 'inpaint'] as const)('%s sends the pictures as files', async (operation) => {
  await using fake = await startFakeOpenAiImages();
  const masks = operation === 'inpaint' ? { mask: MASK, clearMask: CLEAR } : {};
  const { made, progress } = OPENAI.make(`${fake.url}/v1`, { operation, image: IMAGE, ...masks });
  expect(sizesOf(await made)).toEqual([[1024, 1024]]);
  expect(progress).toHaveLength(2);
  const [{ path, body } = { path: '', body: {} }] = fake.requests;
  const { fields, files } = body as MultipartBody;
  expect([path, fields]).toEqual([
    '/v1/images/edits',
    {
      ...{ model: FLARE, prompt: 'a red barn', size: '1024x1024', output_format: 'png' },
      ...{ stream: 'true', partial_images: '2' },
    },
  ]);
  const sent = [
    ['image[]', 'image.png', IMAGE],
    ...(masks.mask ? [['mask', 'mask.png', CLEAR]] : []),
  ];
  expect(files).toEqual(
    sent.map(([field, filename, bytes]) => ({ field, filename, bytes, type: 'image/png' })),
  );
});

test('larger is not offered', async () => {
  await using fake = await startFakeOpenAiImages();
  const { made } = OPENAI.make(`${fake.url}/v1`, { operation: 'upscale', image: IMAGE });
  await expect(made).rejects.toMatchObject(failure(/cannot make a picture larger\. Order/));
  expect(fake.requests).toEqual([]);
});

test('several pictures come from one request each, in a row, and each is shown', async () => {
  await using fake = await startFakeOpenAiImages();
  const { made, progress } = OPENAI.make(`${fake.url}/v1`, { count: 3, model: 'gpt-image-1.5' });
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, fake.jobsRunning());
  }, 1);
  const images = await made.finally(() => clearInterval(watch));
  expect(images.map(({ model }) => model)).toEqual(Array(3).fill('gpt-image-1.5'));
  expect([fake.requests.length, most]).toEqual([3, 1]);
  expect(progress.some(({ preview }) => preview === images[0]?.bytes)).toBe(true);
});

test('the pictures before a failure are kept', async () => {
  await using fake = await startFakeOpenAiImages({ requestLimit: 2 });
  expect(await OPENAI.make(`${fake.url}/v1`, { count: 4 }).made).toHaveLength(2);
  expect(fake.requests).toHaveLength(3);
});

test('the pictures before one that goes nowhere are kept', async () => {
  await using fake = await startFakeOpenAiImages();
  const { made } = OPENAI.make(`${fake.url}/v1`, { count: 3 }, { stallMs: 2_000 });
  await until(() => fake.requests.length === 2);
  fake.fault = 'hangs';
  expect(await made).toHaveLength(1);
  await until(() => fake.hangUps.length === 1);
});

test.each([
  // Those that are allowed stay.
  [FLARE, 1024, 1024, 1024, 1024],
  [FLARE, 3840, 2160, 3840, 2160],
  [FLARE, 480, 1440, 480, 1440],
  ['gpt-image-2', 1536, 864, 1536, 864],
  ['gpt-image-2-2026-04-21', 1024, 768, 1024, 768],
  ['gpt-image-10', 2000, 1000, 2000, 1008],
  // Not on the grid.
  [FLARE, 1000, 1000, 1008, 1008],
  [FLARE, 1920, 1080, 1920, 1088],
  // Too few or too many pixels.
  [FLARE, 512, 512, 816, 816],
  [FLARE, 64, 64, 816, 816],
  [FLARE, 128, 96, 944, 704],
  [FLARE, 4096, 4096, 2880, 2880],
  [FLARE, 4096, 2304, 3840, 2160],
  // Too long.
  [FLARE, 4096, 64, 1440, 480],
  [FLARE, 64, 4096, 480, 1440],
  [FLARE, 3072, 768, 2640, 880],
  // Of older ones, and of unknown ones, the shape alone.
  ['gpt-image-1.5', 512, 512, 1024, 1024],
  ['gpt-image-1.5', 4096, 64, 1536, 1024],
  ['gpt-image-1-mini', 1080, 1920, 1024, 1536],
  ['chatgpt-image-latest', 1200, 1024, 1024, 1024],
  ['chatgpt-image-latest', 1280, 1024, 1536, 1024],
] as const)('%s draws %i × %i as %i × %i', (model, width, height, w, h) => {
  expect(allowedSize({ width, height }, model)).toEqual({ width: w, height: h });
});

test('the service takes every size that is sent', async () => {
  await using fake = await startFakeOpenAiImages({ steps: 1 });
  for (const [width, height] of [
    [64, 64],
    [4096, 64],
    [1000, 1368],
    [4096, 4096],
  ] as const) {
    for (const model of [FLARE, 'gpt-image-1.5']) {
      const made = await OPENAI.make(`${fake.url}/v1`, { width, height, model }).made;
      const allowed = allowedSize({ width, height }, model);
      expect(sizesOf(made)).toEqual([[allowed.width, allowed.height]]);
    }
  }
});
