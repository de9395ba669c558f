import { expect, test } from 'vitest';
import { allowedSize, openAiImages } from '#main/images/providers/openai-images.ts';
import type { MultipartBody } from '../../fakes/images/fake-image-server.ts';
import { startFakeOpenAiImages } from '../../fakes/images/fake-openai-images.ts';
import { solidPng } from '../../fakes/images/png.ts';
import { answering, clearPng, Service, serve, sizesOf, until } from './service-harness.ts';

/** Milliseconds: long before the job would have ended, on a machine that has much else to do. `npm run bench images` has the figure. */
const PROMPTLY = 5_000;

/** Against the fake, over HTTP. */

const OPENAI = new Service(openAiImages, {
  label: 'OpenAI',
  headers: { authorization: 'Bearer sk-test' },
});
const STRANGER = new Service(openAiImages, {
  label: 'OpenAI',
  headers: { authorization: 'Bearer sk-wrong' },
});
const IMAGE = solidPng(96, 64, [9, 99, 200]);
const MASK = solidPng(96, 64, [255, 255, 255]);
const CLEAR = clearPng(96, 64);
const FLARE = 'gpt-image-2.5-flare';
const none = new AbortController().signal;

function event(type: string, data: unknown): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function failure(message: string | RegExp, code = 'IMAGE_FAILED'): object {
  const text = typeof message === 'string' ? message : expect.stringMatching(message);
  return { code, message: text };
}

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

test('cancelling closes the connection at once, and nothing more is ordered', async () => {
  await using fake = await startFakeOpenAiImages({ steps: 300 });
  const { made, abort } = OPENAI.make(`${fake.url}/v1`, { count: 3 });
  await until(() => fake.stepsDone() > 2);
  const at = abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(performance.now() - at).toBeLessThan(PROMPTLY);
  await until(() => fake.hangUps.length === 1 && fake.jobsRunning() === 0);
  expect(fake.cancels.map((cancel) => cancel - at < PROMPTLY)).toEqual([true]);
  expect(fake.requests).toHaveLength(1);
});

test('cancelling between the pictures loses them, and orders no other', async () => {
  await using fake = await startFakeOpenAiImages({ steps: 40 });
  const { made, abort } = OPENAI.make(`${fake.url}/v1`, { count: 3 });
  await until(() => fake.requests.length === 2 && fake.jobsRunning() === 1);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  await until(() => fake.jobsRunning() === 0);
  expect(fake.requests).toHaveLength(2);
});

test('an order that was cancelled already never leaves', async () => {
  await using fake = await startFakeOpenAiImages();
  const { made, abort } = OPENAI.make(`${fake.url}/v1`);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(fake.requests).toEqual([]);
});

test('an order that goes nowhere ends, and so does its connection', async () => {
  await using fake = await startFakeOpenAiImages();
  fake.fault = 'hangs';
  const { made } = OPENAI.make(`${fake.url}/v1`, {}, { stallMs: 150 });
  await expect(made).rejects.toMatchObject(
    failure('OpenAI reported nothing new for 0.15 s. The order was cancelled.'),
  );
  await until(() => fake.hangUps.length === 1);
});

test.each([
  ['dies', /The connection to OpenAI broke: .*Check the network/],
  ['html', /A web page answered instead of OpenAI\. Perhaps the network wants you to sign in/],
  ['wrong_json', /answered with something unexpected\. Try again/],
  ['out_of_memory', /OpenAI has a problem of its own\. Try again in a few minutes/],
] as const)('%s is an error that says what to do', async (fault, message) => {
  await using fake = await startFakeOpenAiImages();
  fake.fault = fault;
  await expect(OPENAI.make(`${fake.url}/v1`).made).rejects.toMatchObject(failure(message));
  await until(() => fake.jobsRunning() === 0);
});

test('an answer that is too large is not read to its end', async () => {
  await using fake = await startFakeOpenAiImages();
  fake.fault = 'huge';
  const megabyte = 1024 * 1024;
  const limits = { answerBytes: 16 * megabyte };
  await expect(OPENAI.make(`${fake.url}/v1`, {}, limits).made).rejects.toMatchObject(
    failure('OpenAI sent more than 16 MB; the rest was not read.'),
  );
  await until(() => fake.hangUps.length === 1);
  expect(fake.bytesSent()).toBeLessThan(40 * megabyte);
});

test('what is no picture is passed on for the decoder to refuse', async () => {
  await using fake = await startFakeOpenAiImages();
  fake.fault = 'not_a_picture';
  const [image] = await OPENAI.make(`${fake.url}/v1`).made;
  expect(Buffer.from(image?.bytes ?? []).toString()).toBe('This is not a picture.');
});

test('a refused description is said with the reasons', async () => {
  await using fake = await startFakeOpenAiImages();
  await expect(OPENAI.make(`${fake.url}/v1`, { prompt: 'forbidden' }).made).rejects.toMatchObject(
    failure('OpenAI refused the description for safety reasons (violence). Change it.'),
  );
});

test('an account without credit is said, and one that orders too fast', async () => {
  await using poor = await startFakeOpenAiImages({ isOutOfQuota: true });
  await expect(OPENAI.make(`${poor.url}/v1`).made).rejects.toMatchObject(
    failure(/The account at OpenAI has no credit left.*Add credit at platform\.openai\.com/),
  );
  await using fast = await startFakeOpenAiImages({ requestLimit: 0 });
  await expect(OPENAI.make(`${fast.url}/v1`).made).rejects.toMatchObject(
    failure('OpenAI takes no more orders from this account now. Try again after 20 s.'),
  );
});

test('a model that is not there is said with those that are', async () => {
  await using fake = await startFakeOpenAiImages();
  await expect(OPENAI.make(`${fake.url}/v1`, { model: 'gpt-image-7' }).made).rejects.toMatchObject(
    failure(
      'OpenAI has no model "gpt-image-7". It has gpt-image-2.5-flare, gpt-image-2.5-sunburst, gpt-image-2, gpt-image-1.5, gpt-image-1-mini. Choose another in the settings, under Pictures, or leave the model empty.',
    ),
  );
});

test.each([
  [404, /has no model "gpt-image-2\.5-flare"\. It has gpt-image-2\. Choose/],
  [403, /^OpenAI does not allow this: It is not for this project\. Choose another model/],
] as const)(
  'a model that is listed and refused with %i is not offered again',
  async (status, message) => {
    await using server = await serve((request, response) => {
      const isList = request.url === '/models';
      response.writeHead(isList ? 200 : status, { 'content-type': 'application/json' });
      const error = { message: 'It is not for this project', code: 'model_not_found' };
      response.end(
        JSON.stringify(isList ? { data: [{ id: FLARE }, { id: 'gpt-image-2' }] } : { error }),
      );
    });
    await expect(OPENAI.make(server.url).made).rejects.toMatchObject(failure(message));
  },
);

test.each([
  [
    'an organization that is not verified',
    [403, { message: 'Your organization must be verified to use the model `gpt-image-2`.' }],
    /to verified organizations only\. Verify yours at platform\.openai\.com/,
  ],
  [
    'the same as a bad request',
    [400, { message: 'Your organization must be verified to stream this model.', param: 'stream' }],
    /to verified organizations only/,
  ],
  [
    'a country',
    [403, { message: 'Country, region, or territory not supported', code: 'unsupported_country' }],
    'OpenAI does not allow this: Country, region, or territory not supported. Choose another model or server in the settings, under Pictures.',
  ],
  [
    'a withheld picture',
    [
      400,
      {
        ...{ message: 'Rejected', code: 'moderation_blocked' },
        moderation_details: {
          moderation_stage: 'output',
          categories: ['self\u0007-harm', 'sexual'],
        },
      },
    ],
    'OpenAI withheld the finished picture for safety reasons (self-harm, sexual). Change the description.',
  ],
  [
    'a refusal in the older way',
    [
      400,
      {
        message: 'Rejected by the safety system. safety_violations=[sexual, hate].',
        type: 'invalid_request_error',
      },
    ],
    'OpenAI refused the description for safety reasons (sexual, hate). Change it.',
  ],
  [
    'the end of the budget',
    [400, { message: 'Billing hard limit has been reached', code: 'billing_hard_limit_reached' }],
    /no credit left, or has reached its limit/,
  ],
  [
    'a longer wait',
    [429, { message: 'Please try again in 1m20.5s.', code: 'rate_limit_exceeded' }],
    'OpenAI takes no more orders from this account now. Try again after 81 s.',
  ],
  [
    'a short wait',
    [429, { message: 'Please try again in 850ms.', code: 'rate_limit_exceeded' }],
    /after 1 s\./,
  ],
  ['an overload', [503, { message: 'Overloaded' }], /problem of its own \(status 503\)/],
  [
    'anything else',
    [400, { message: 'Invalid size\u0000\u202e\n here', code: 'invalid_value', param: 'size' }],
    'OpenAI refused the request (status 400): Invalid size here',
  ],
  ['no words', [418, 7], 'OpenAI refused the request (status 418).'],
] as const)('%s is an error that says what to do', async (_, [status, error], message) => {
  await using server = await answering(status, { error });
  await expect(OPENAI.make(server.url).made).rejects.toMatchObject(failure(message));
});

test.each([
  [
    { type: 'error', error: { message: 'Rejected', code: 'moderation_blocked' } },
    'OpenAI refused the description for safety reasons. Change it.',
  ],
  [
    { type: 'error', code: 'server_error', message: 'Sorry' },
    'OpenAI has a problem of its own. Try again in a few minutes.',
  ],
  [
    { error: { message: 'Something   broke' } },
    'OpenAI stopped in the middle of the picture: Something broke. Order it again.',
  ],
  [{ type: 'error' }, /in the middle of the picture: it does not say why/],
  [{ type: 'image_generation.completed', b64_json: '!!!!' }, /something unexpected/],
  [{ type: 'image_generation.completed' }, /something unexpected/],
  [7, /something unexpected/],
  [
    { type: 'image_generation.partial_image', b64_json: 7 },
    'OpenAI stopped in the middle of the picture. Order it again.',
  ],
] as const)('an event %j in the stream is an error', async (data, message) => {
  const body = `: hello\n\n${event('something_new', {})}${event('error', data)}`;
  // What has its own type is no error by its name.
  await using server = await answering(200, body, { 'content-type': 'text/event-stream' });
  const { made, progress } = OPENAI.make(server.url);
  await expect(made).rejects.toMatchObject(failure(message));
  expect(progress).toEqual([]);
});

test('a stream that is cut between events is no picture, and neither is one that is not text', async () => {
  const type = { 'content-type': 'text/event-stream' };
  const partial = event('image_generation.partial_image', { b64_json: IMAGE.toString('base64') });
  await using cut = await answering(200, `${partial}event: image_generation.completed\n`, type);
  const { made, progress } = OPENAI.make(cut.url);
  await expect(made).rejects.toMatchObject(failure(/stopped in the middle of the picture/));
  expect(progress.map(({ preview }) => preview)).toEqual([IMAGE]);
  await using bytes = await serve((_, response) => {
    response.writeHead(200, type).end(Buffer.from([0x64, 0xc3, 0x28, 0x0a]));
  });
  await expect(OPENAI.make(bytes.url).made).rejects.toMatchObject(failure(/invalid data: a line/));
});

test('a picture is there with its last event, though the connection stays open', async () => {
  let isClosed = false;
  await using server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event('image_generation.completed', { b64_json: IMAGE.toString('base64') }));
    response.once('close', () => {
      isClosed = true;
    });
  });
  expect(await OPENAI.make(server.url).made).toEqual([{ bytes: IMAGE, seed: null, model: FLARE }]);
  await until(() => isClosed);
});

test('an endless refusal is not read to its end', async () => {
  let isClosed = false;
  await using server = await serve((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(Buffer.alloc(64 * 1024, 'A')), 1);
    response.once('close', () => {
      clearInterval(timer);
      isClosed = true;
    });
  });
  await expect(OPENAI.make(server.url).made).rejects.toMatchObject(failure(/\(status 400\)\.$/));
  await until(() => isClosed);
});

test('a service that cannot be reached is not there', async () => {
  const closed = await answering(200, {});
  await closed[Symbol.asyncDispose]();
  const gone = failure(/OpenAI does not answer at .*Check the network/, 'IMAGE_UNAVAILABLE');
  await expect(OPENAI.at(closed.url).inspect(none)).rejects.toMatchObject(gone);
  await expect(OPENAI.make(closed.url).made).rejects.toMatchObject(gone);
});
