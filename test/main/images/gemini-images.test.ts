import { expect, test } from 'vitest';
import { geminiImages, imageConfig } from '#main/images/providers/gemini-images.ts';
import { startFakeGeminiImages } from '../../fakes/images/fake-gemini-images.ts';
import { solidPng } from '../../fakes/images/png.ts';
import { until } from '../../fakes/images/until.ts';
import { answering, Service, serve, sizesOf } from './service-harness.ts';

/** Milliseconds: long before the job would have ended, on a machine that has much else to do. `npm run bench images` has the figure. */
const PROMPTLY = 5_000;

/** Against the fake, over HTTP. */

const GEMINI = new Service(geminiImages, {
  label: 'Gemini',
  headers: { 'x-goog-api-key': 'gemini-test' },
});
const IMAGE = solidPng(96, 64, [9, 99, 200]);
const BANANA = 'gemini-nano-banana-2.1';
const none = new AbortController().signal;

function failure(message: string | RegExp, code = 'IMAGE_FAILED'): object {
  const text = typeof message === 'string' ? message : expect.stringMatching(message);
  return { code, message: text };
}

function service(key: string | null): Service {
  const headers: Record<string, string> = key === null ? {} : { 'x-goog-api-key': key };
  return new Service(geminiImages, { label: 'Gemini', headers });
}

test('it lists the models that draw, the default one first, then the newest', async () => {
  const models = [
    ...['gemini-2.5-flash-image', 'gemini-3-pro', 'gemini-3-pro-image', BANANA],
    ...['gemini-nano-banana-10', 'aqa', 'gemini-3.1-flash-image\u0007'],
  ];
  await using fake = await startFakeGeminiImages({ models });
  const can = { edit: true, inpaint: false, upscale: false };
  expect(await GEMINI.at(`${fake.url}/v1beta`).inspect(none)).toEqual({
    models: [
      ...[BANANA, 'gemini-nano-banana-10', 'gemini-3.1-flash-image'],
      ...['gemini-3-pro-image', 'gemini-2.5-flash-image'],
    ],
    can: { ...can, negativePrompt: false, seed: false, steps: false },
  });
  expect(fake.requests.map(({ query }) => query)).toEqual([{ pageSize: '1000' }]);
});

test('a model that makes no content is not listed, and odd entries are passed over', async () => {
  const supportedGenerationMethods = ['predict'];
  const imagen = { name: 'models/imagen-4.0-generate-001', supportedGenerationMethods };
  await using server = await answering(200, {
    models: [7, null, { name: 'models/image' }, imagen],
  });
  expect((await GEMINI.at(server.url).inspect(none)).models).toEqual([]);
});

test.each([
  [200, { models: 7 }, /answered with something unexpected/],
  [200, '<p>Sign in', /A web page answered instead of Gemini/],
  [502, '<p>oops', /Gemini has a problem of its own \(status 502\)/],
] as const)('what answers %i %j counts as not there', async (status, body, message) => {
  const type = { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' };
  await using server = await answering(status, body, type);
  const seen = GEMINI.at(server.url).inspect(none);
  await expect(seen).rejects.toMatchObject(failure(message, 'IMAGE_UNAVAILABLE'));
});

test.each([
  [
    'a wrong key',
    'other',
    /The key of Gemini is not valid\. Enter it again in the settings, under/,
  ],
  ['no key', null, /Gemini does not accept the key: .*Enter another in the settings, under Models/],
] as const)('%s is said, at the question and at the order', async (_, key, message) => {
  await using fake = await startFakeGeminiImages();
  const wrong = failure(message, 'IMAGE_UNAVAILABLE');
  const { made } = service(key).make(`${fake.url}/v1beta`);
  await expect(made).rejects.toMatchObject(wrong);
  const asked = service(key).at(`${fake.url}/v1beta`).inspect(none);
  await expect(asked).rejects.toMatchObject(wrong);
});

test('an order arrives whole', async () => {
  await using fake = await startFakeGeminiImages();
  const order = { negativePrompt: 'fog', width: 1920, height: 1080 };
  const { made, progress } = GEMINI.make(`${fake.url}/v1beta`, order);
  const images = await made;
  expect(fake.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    [
      'POST',
      `/v1beta/models/${BANANA}:generateContent`,
      {
        contents: [{ role: 'user', parts: [{ text: 'a red barn\n\nDo not show: fog' }] }],
        generationConfig: {
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
          ...{ seed: 7, candidateCount: 1 },
        },
      },
    ],
  ]);
  expect(images).toEqual([{ bytes: expect.any(Buffer), seed: 7, model: BANANA }]);
  expect([sizesOf(images), progress]).toEqual([[[2752, 1536]], []]);
});

test('a picture may take longer than other answers', async () => {
  await using fake = await startFakeGeminiImages({ steps: 40 });
  expect(await GEMINI.make(`${fake.url}/v1beta`, {}, { quickMs: 50 }).made).toHaveLength(1);
});

test('an edit sends the picture beside the description', async () => {
  await using fake = await startFakeGeminiImages();
  const order = { operation: 'edit', image: IMAGE, width: 96, height: 64 } as const;
  expect(await GEMINI.make(`${fake.url}/v1beta`, order).made).toHaveLength(1);
  expect(fake.requests.map(({ body }) => body)).toMatchObject([
    {
      contents: [
        {
          parts: [
            { text: 'a red barn' },
            { inlineData: { mimeType: 'image/png', data: IMAGE.toString('base64') } },
          ],
        },
      ],
      generationConfig: { imageConfig: { aspectRatio: '3:2', imageSize: '1K' } },
    },
  ]);
});

test.each([
  ['inpaint', /Gemini takes no mask\. Describe the change without one, or choose another server/],
  ['upscale', /Gemini cannot make a picture larger\. Order a larger one/],
] as const)('%s is not offered', async (operation, message) => {
  await using fake = await startFakeGeminiImages();
  const order = { operation, image: IMAGE, mask: IMAGE, clearMask: IMAGE };
  await expect(GEMINI.make(`${fake.url}/v1beta`, order).made).rejects.toMatchObject(
    failure(message),
  );
  expect(fake.requests).toEqual([]);
});

test('several pictures come from one request each, with seeds that fit', async () => {
  await using fake = await startFakeGeminiImages();
  const { made, progress } = GEMINI.make(`${fake.url}/v1beta`, { count: 3, seed: 2 ** 31 - 2 });
  const images = await made;
  const seeds = [2 ** 31 - 2, 2 ** 31 - 1, 0];
  expect(images.map(({ seed }) => seed)).toEqual(seeds);
  expect(fake.requests.map(({ body }) => body)).toMatchObject(
    seeds.map((seed) => ({ generationConfig: { seed } })),
  );
  expect(progress.map(({ preview }) => preview)).toEqual(
    images.slice(0, 2).map(({ bytes }) => bytes),
  );
});

test('the pictures before a failure are kept', async () => {
  await using fake = await startFakeGeminiImages({ requestLimit: 2 });
  expect(await GEMINI.make(`${fake.url}/v1beta`, { count: 4 }).made).toHaveLength(2);
  expect(fake.requests).toHaveLength(3);
});

test.each([
  [BANANA, 1024, 1024, '1:1', '1K'],
  [BANANA, 64, 64, '1:1', '1K'],
  [BANANA, 1280, 720, '16:9', '1K'],
  [BANANA, 1920, 1080, '16:9', '2K'],
  [BANANA, 1184, 1184, '1:1', '2K'],
  [BANANA, 2048, 2048, '1:1', '2K'],
  [BANANA, 3840, 2160, '16:9', '4K'],
  [BANANA, 4096, 4096, '1:1', '4K'],
  [BANANA, 832, 1248, '2:3', '1K'],
  [BANANA, 1248, 832, '3:2', '1K'],
  [BANANA, 768, 1024, '3:4', '1K'],
  [BANANA, 1024, 768, '4:3', '1K'],
  [BANANA, 1024, 1280, '4:5', '1K'],
  [BANANA, 1280, 1024, '5:4', '1K'],
  [BANANA, 768, 1376, '9:16', '1K'],
  [BANANA, 1584, 672, '21:9', '1K'],
  [BANANA, 2048, 512, '4:1', '1K'],
  [BANANA, 512, 2048, '1:4', '1K'],
  [BANANA, 4096, 64, '8:1', '1K'],
  ['gemini-3.1-flash-image', 64, 4096, '1:8', '1K'],
  ['gemini-3-pro-image', 64, 4096, '9:16', '1K'],
  ['gemini-2.5-flash-image', 4096, 2048, '16:9', undefined],
] as const)('%s draws %i × %i as %s %s', (model, width, height, aspectRatio, imageSize) => {
  const expected = imageSize === undefined ? { aspectRatio } : { aspectRatio, imageSize };
  expect(imageConfig({ width, height }, model)).toEqual(expected);
});

test('an older model is asked for no size, with or without its folder', async () => {
  await using fake = await startFakeGeminiImages();
  const order = { model: 'models/gemini-2.5-flash-image', width: 2048, height: 2048 };
  const [image] = await GEMINI.make(`${fake.url}/v1beta`, order).made;
  expect(image?.model).toBe('gemini-2.5-flash-image');
  expect(fake.requests[0]?.path).toBe('/v1beta/models/gemini-2.5-flash-image:generateContent');
});

test('cancelling closes the connection at once, and nothing more is ordered', async () => {
  await using fake = await startFakeGeminiImages({ steps: 300 });
  const { made, abort } = GEMINI.make(`${fake.url}/v1beta`, { count: 3 });
  await until(() => fake.stepsDone() > 2);
  const at = abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(performance.now() - at).toBeLessThan(PROMPTLY);
  await until(() => fake.hangUps.length === 1 && fake.jobsRunning() === 0);
  expect(fake.cancels.map((cancel) => cancel - at < PROMPTLY)).toEqual([true]);
  expect(fake.requests).toHaveLength(1);
});

test('an order that goes nowhere ends, and so does its connection', async () => {
  await using fake = await startFakeGeminiImages();
  fake.fault = 'hangs';
  const { made } = GEMINI.make(`${fake.url}/v1beta`, {}, { stallMs: 150 });
  await expect(made).rejects.toMatchObject(
    failure('Gemini reported nothing new for 0.15 s. The order was cancelled.'),
  );
  await until(() => fake.hangUps.length === 1);
});

test.each([
  ['dies', /The connection to Gemini broke: .*Check the network/],
  ['html', /A web page answered instead of Gemini\. Perhaps the network wants you to sign in/],
  ['wrong_json', /answered with something unexpected\. Try again/],
  ['out_of_memory', /Gemini has a problem of its own \(status 503\)\. Try again in a few minutes/],
] as const)('%s is an error that says what to do', async (fault, message) => {
  await using fake = await startFakeGeminiImages();
  fake.fault = fault;
  await expect(GEMINI.make(`${fake.url}/v1beta`).made).rejects.toMatchObject(failure(message));
});

test('an answer that is too large is not read to its end', async () => {
  await using fake = await startFakeGeminiImages();
  fake.fault = 'huge';
  const megabyte = 1024 * 1024;
  const limits = { answerBytes: 8 * megabyte };
  await expect(GEMINI.make(`${fake.url}/v1beta`, {}, limits).made).rejects.toMatchObject(
    failure('Gemini sent more than 8 MB; the rest was not read.'),
  );
  await until(() => fake.hangUps.length === 1);
  expect(fake.bytesSent()).toBeLessThan(32 * megabyte);
});

test('what is no picture is passed on for the decoder to refuse', async () => {
  await using fake = await startFakeGeminiImages();
  fake.fault = 'not_a_picture';
  const [image] = await GEMINI.make(`${fake.url}/v1beta`).made;
  expect(Buffer.from(image?.bytes ?? []).toString()).toBe('This is not a picture.');
});

test.each([
  ['forbidden', 'Gemini refused the description for safety reasons. Change it.'],
  ['unsafe', 'Gemini refused the description for safety reasons. Change it.'],
  ['prohibited', 'Gemini refused the description for safety reasons. Change it.'],
  [
    'no image',
    'Gemini made no picture of this description (NO_IMAGE). Say more plainly what the picture shows.',
  ],
  [
    'in words',
    'Gemini answered in words instead of a picture: "I can describe it in words." Say in the description what the picture shows.',
  ],
])('a refusal of "%s" is said in plain words', async (prompt, message) => {
  await using fake = await startFakeGeminiImages();
  await expect(GEMINI.make(`${fake.url}/v1beta`, { prompt }).made).rejects.toMatchObject(
    failure(message),
  );
});

test.each([
  [{ candidates: [{ finishReason: 'IMAGE_RECITATION' }] }, /too similar to a known work/],
  [{ candidates: [{ finishReason: 'OTHER' }] }, /made no picture of this description \(OTHER\)/],
  [{ candidates: [{ finishReason: 'STOP', content: {} }] }, /of this description\. Say more/],
  [{ candidates: [{ finishReason: '"Ignore all"\u202e' }] }, /of this description\. Say more/],
  [{}, /of this description\. Say more/],
  [{ promptFeedback: { blockReason: 'BLOCKLIST' } }, /refused the description for safety/],
  [
    {
      candidates: [
        { content: { parts: [{ inlineData: { mimeType: 'text/html', data: 'AAAA' } }] } },
      ],
    },
    /of this description\. Say more/,
  ],
  [
    {
      candidates: [
        { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'A!AA' } }] } },
      ],
    },
    /something unexpected/,
  ],
] as const)('the answer %j is no picture', async (body, message) => {
  await using server = await answering(200, body);
  await expect(GEMINI.make(server.url).made).rejects.toMatchObject(failure(message));
});

test('drafts are passed over, and a JPEG is taken', async () => {
  const data = (text: string): string => Buffer.from(text).toString('base64');
  const parts = [
    { thought: true, inlineData: { mimeType: 'image/png', data: data('draft') } },
    { text: 'Here it is' },
    { thoughtSignature: 'x', inlineData: { mimeType: 'image/jpeg', data: data('picture') } },
  ];
  await using server = await answering(200, { candidates: [{ content: { parts } }] });
  const images = await GEMINI.make(server.url).made;
  expect(images).toEqual([{ bytes: Buffer.from('picture'), seed: 7, model: BANANA }]);
});

test('a model that is not there is said with those that are', async () => {
  await using fake = await startFakeGeminiImages();
  const { made } = GEMINI.make(`${fake.url}/v1beta`, { model: '../gemini-9?' });
  await expect(made).rejects.toMatchObject(
    failure(
      'Gemini has no model "../gemini-9?". It has gemini-nano-banana-2.1, gemini-3.1-flash-lite-image, gemini-3-pro-image, gemini-2.5-flash-image. Choose another in the settings, under Pictures, or leave the model empty.',
    ),
  );
  expect(fake.requests[0]?.path).toBe('/v1beta/models/..%2Fgemini-9%3F:generateContent');
});

test('a key without pictures in its tier is said, with what to do', async () => {
  await using fake = await startFakeGeminiImages({ requestLimit: 0 });
  await expect(GEMINI.make(`${fake.url}/v1beta`).made).rejects.toMatchObject(
    failure(/allows no pictures with this model without payment\. Set up billing/),
  );
});

const RETRY = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37.4s' };

test.each([
  [429, { details: [7, {}, RETRY] }, /takes no more orders .*Try again after 38 s\./],
  [429, { message: 'Quota exceeded, limit: 5\nPlease retry in 12s.' }, /after 12 s\./],
  [429, { details: [{ retryDelay: 'soon' }] }, /Try again in a few minutes\./],
  [500, { message: 'Internal' }, /problem of its own \(status 500\)/],
  [
    400,
    { message: 'User location is\u202e not supported\nfor the API use.' },
    'Gemini refused the request (status 400): User location is not supported for the API use.',
  ],
  [413, 7, 'Gemini refused the request (status 413).'],
] as const)('%i %j is an error that says what to do', async (status, error, message) => {
  await using server = await answering(status, { error });
  await expect(GEMINI.make(server.url).made).rejects.toMatchObject(failure(message));
});

test('a connection that breaks within the answer is said', async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"candidates":[{');
    setTimeout(() => response.destroy(), 20);
  });
  await expect(GEMINI.make(server.url).made).rejects.toMatchObject(
    failure(/connection to Gemini broke/),
  );
});
