import { expect, test } from 'vitest';
import { startFakeOpenAiImages } from '../../fakes/images/fake-openai-images.ts';
import { until } from '../../fakes/images/until.ts';
import { event, FLARE, failure, IMAGE, none, OPENAI, PROMPTLY } from './openai-images-harness.ts';
import { answering, serve } from './service-harness.ts';

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
