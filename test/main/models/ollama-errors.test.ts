import { expect, test } from 'vitest';
import type { WireStep } from '../../fakes/model-server/options.ts';
import { failureOf, openAt, openOn, send, stepsOf } from './harness.ts';

/** Every known error of Ollama, over HTTP: its code, and what the message tells the user to do. */

function refuse(status: number, error: string, extra: object = {}): WireStep {
  const body = JSON.stringify({ error, ...extra });
  return { refuse: { status, body, contentType: 'application/json; charset=utf-8' } };
}

const llamaServerError = JSON.stringify({
  error: {
    code: 400,
    message:
      'request (6009 tokens) exceeds the available context size (4096 tokens), try increasing it',
    type: 'exceed_context_size_error',
    n_prompt_tokens: 6009,
    n_ctx: 4096,
  },
});

test.each<[string, WireStep, string, RegExp]>([
  ['empty body', refuse(400, 'missing request body'), 'MODEL_BAD_REQUEST', /refused the request/],
  [
    'type error',
    refuse(400, 'json: cannot unmarshal array into Go struct field X of type string'),
    'MODEL_BAD_REQUEST',
    /cannot unmarshal array/,
  ],
  ['no model', refuse(400, 'model is required'), 'MODEL_BAD_REQUEST', /ollama list/],
  ['invalid name', refuse(400, 'invalid model name'), 'MODEL_BAD_REQUEST', /ollama list/],
  [
    'unknown model',
    refuse(404, "model 'x' not found"),
    'MODEL_NOT_FOUND',
    /ollama pull fake:latest/,
  ],
  [
    'blob missing',
    refuse(404, 'model "x" not found, try pulling it first'),
    'MODEL_NOT_FOUND',
    /ollama pull fake:latest/,
  ],
  [
    'thinking on a model without it',
    refuse(400, '"gemma:2b" does not support thinking'),
    'MODEL_LACKS_CAPABILITY',
    /Turn thinking off/,
  ],
  [
    'chat with an embedding model',
    refuse(400, '"x" does not support chat'),
    'MODEL_LACKS_CAPABILITY',
    /Choose a chat model/,
  ],
  [
    'bad format',
    refuse(500, 'invalid format: "x"; expected "json" or a valid JSON Schema object'),
    'MODEL_BAD_REQUEST',
    /schema/,
  ],
  ['given up while queued', refuse(499, 'request canceled'), 'MODEL_STREAM_BROKEN', /Try again/],
  [
    'load failed',
    refuse(500, 'llama-server process has terminated: signal: killed'),
    'MODEL_LOAD_FAILED',
    /smaller model/,
  ],
  [
    'out of memory at start',
    refuse(500, 'llama-server reported out-of-memory during startup: cuda'),
    'MODEL_LOAD_FAILED',
    /memory/,
  ],
  [
    'load timed out',
    refuse(500, 'timed out waiting for llama-server to start: x'),
    'MODEL_LOAD_FAILED',
    /smaller context window/,
  ],
  [
    'out of memory, before 2026-05',
    refuse(500, 'model requires more system memory (9 GiB) than is available (4 GiB)'),
    'MODEL_LOAD_FAILED',
    /9 GiB/,
  ],
  [
    'runner died',
    refuse(
      500,
      'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details',
    ),
    'MODEL_LOAD_FAILED',
    /log/,
  ],
  [
    'cloud off',
    refuse(403, 'ollama cloud is disabled: remote model is unavailable'),
    'CLOUD_MODEL_NOT_ALLOWED',
    /runs here/,
  ],
  [
    'cloud, not signed in',
    refuse(401, 'unauthorized', { signin_url: 'https://ollama.com/connect?x' }),
    'MODEL_UNAUTHORIZED',
    /ollama signin/,
  ],
  [
    'cloud unreachable',
    refuse(502, 'dial tcp: lookup ollama.com: no such host'),
    'MODEL_SERVER_UNREACHABLE',
    /Check the network/,
  ],
  [
    'image-generation model',
    refuse(400, 'image generation models are not currently supported'),
    'MODEL_LACKS_CAPABILITY',
    /Choose a chat model/,
  ],
  [
    'prompt too long, in words',
    refuse(
      400,
      'the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length',
    ),
    'MODEL_CONTEXT_EXCEEDED',
    /larger context window/,
  ],
  [
    'prompt too long, as a string inside a string',
    refuse(400, llamaServerError),
    'MODEL_CONTEXT_EXCEEDED',
    /6009 tokens .* 4096 tokens/,
  ],
  ['an unknown failure', refuse(500, 'something else'), 'MODEL_STREAM_BROKEN', /something else/],
  [
    'a proxy in between',
    { refuse: { status: 404, body: '404 page not found', contentType: 'text/plain' } },
    'MODEL_NOT_A_MODEL_SERVER',
    /address and the port/,
  ],
  [
    'a redirect',
    { refuse: { status: 302, body: '', contentType: 'text/html' } },
    'MODEL_NOT_A_MODEL_SERVER',
    /redirects/,
  ],
])('%s', async (_name, step, code, message) => {
  await using setup = await openOn('ollama', { turns: [{ steps: [step] }] });
  const failure = await failureOf(send(setup.model));
  expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(message)]);
  expect(setup.fake.recording.to('/api/chat')).toHaveLength(1);
});

test('the sign-in address is passed on', async () => {
  const step = refuse(401, 'unauthorized', { signin_url: 'https://ollama.com/connect?x' });
  await using setup = await openOn('ollama', { turns: [{ steps: [step] }] });
  const failure = await failureOf(send(setup.model));
  expect(failure.details.signinUrl).toBe('https://ollama.com/connect?x');
});

test('a busy server is asked again once, visibly, and then it is an error', async () => {
  const busy = refuse(503, 'server busy, please try again.  maximum pending requests exceeded');
  await using once = await openOn('ollama', {
    turns: [{ steps: [busy] }, { steps: [{ text: 'ok' }] }],
  });
  const sent = await send(once.model);
  expect([sent.reply.content, stepsOf(sent)[0]]).toEqual([
    'ok',
    { kind: 'retrying', attempt: 1, reason: 'The server was busy.' },
  ]);
  await using always = await openOn('ollama', { turns: [{ times: 'always', steps: [busy] }] });
  const failure = await failureOf(send(always.model));
  expect([failure.code, always.fake.recording.to('/api/chat').length]).toEqual([
    'MODEL_OVERLOADED',
    2,
  ]);
});

test.each<[string, WireStep[], string, string]>([
  [
    'an error line',
    [{ text: 'Half an ' }, { error: 'an error was encountered while running the model: x' }],
    'MODEL_STREAM_BROKEN',
    'Half an ',
  ],
  [
    'a stream without the final message',
    [{ text: 'Half ' }, { cut: true }],
    'MODEL_STREAM_BROKEN',
    'Half ',
  ],
  ['a cut before anything', [{ cut: true }], 'MODEL_STREAM_BROKEN', ''],
  ['a reset', [{ text: 'Half ' }, { delay: 30 }, { reset: true }], 'MODEL_STREAM_BROKEN', 'Half '],
  ['a malformed line', [{ text: 'Half ' }, { raw: '{"model":\n' }], 'MODEL_STREAM_BROKEN', 'Half '],
  [
    'bytes that are not UTF-8',
    [{ text: 'Half ' }, { rawBase64: 'wygK' }],
    'MODEL_STREAM_BROKEN',
    'Half ',
  ],
  [
    'a call, then a cut: the call is not run',
    [{ call: { name: 'shell_command', arguments: {} } }, { cut: true }],
    'MODEL_STREAM_BROKEN',
    '',
  ],
])(
  'in mid-stream: %s keeps the text so far and is not retried',
  async (_name, steps, code, partial) => {
    await using setup = await openOn('ollama', { turns: [{ times: 'always', steps }] });
    const failure = await failureOf(send(setup.model));
    expect([failure.code, failure.details.partial]).toEqual([code, partial]);
    expect(setup.fake.recording.to('/api/chat')).toHaveLength(1);
  },
);

test('a problem found while opening stops before any conversation is sent', async () => {
  const models = [
    { name: 'fake' },
    { name: 'embed', capabilities: ['embedding'] },
    { name: 'big:120b-cloud' },
    { name: 'copied', remoteModel: 'big:120b', remoteHost: 'https://ollama.com:443' },
  ];
  await using setup = await openOn('ollama', { models });
  const { url, recording } = setup.fake;
  const open = (name: string): Promise<unknown> => openAt('ollama', url, { name });
  const codes = [];
  for (const name of ['absent', 'embed', 'big:120b-cloud', 'copied', 'no such name']) {
    codes.push((await failureOf(open(name))).code);
  }
  expect(codes).toEqual([
    'MODEL_NOT_FOUND',
    'MODEL_LACKS_CAPABILITY',
    'CLOUD_MODEL_NOT_ALLOWED',
    'CLOUD_MODEL_NOT_ALLOWED',
    'MODEL_BAD_REQUEST',
  ]);
  expect(recording.to('/api/chat')).toEqual([]);

  await using agreed = await openAt('ollama', url, {
    name: 'copied',
    open: { allowCloud: true },
  });
  expect(agreed.profile.cloud).toBe(true);
});

test('a server without /api/show is used with an unknown profile', async () => {
  await using setup = await openOn('ollama', {
    missingPaths: ['/api/show'],
    turns: [{ steps: [{ text: 'ok' }] }],
  });
  expect([(await send(setup.model)).reply.content, setup.model.profile]).toEqual([
    'ok',
    { trainedContext: null, tools: null, thinking: null, vision: null, cloud: false },
  ]);
});
