import { expect, test } from 'vitest';
import type { ServerOptionsInput, WireStepInput } from '../../fakes/model-server/options.ts';
import { failureOf, openOn, send } from './harness.ts';

/** How servers of OpenAI's protocol refuse and fail, each with its code and message. */

function sse(...events: unknown[]): WireStepInput {
  return { raw: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') };
}

function delta(fields: object, finish_reason: string | null = null): unknown {
  return { choices: [{ index: 0, delta: fields, finish_reason }] };
}

test.each<[string, WireStepInput[], ServerOptionsInput['v1'], string]>([
  ['an error that Ollama loses', [{ error: 'boom' }], { errors: 'lost' }, 'MODEL_STREAM_BROKEN'],
  ['an error as data', [{ error: 'boom' }], { errors: 'data' }, 'MODEL_STREAM_BROKEN'],
  ['an error as an event', [{ error: 'boom' }], { errors: 'event' }, 'MODEL_STREAM_BROKEN'],
  [
    'an error as a field (llama.cpp)',
    [{ error: 'boom' }],
    { errors: 'field' },
    'MODEL_STREAM_BROKEN',
  ],
  [
    'an error as vLLM writes it',
    [sse({ object: 'error', message: 'boom', code: 500 })],
    {},
    'MODEL_STREAM_BROKEN',
  ],
  [
    'a window that turns out too small (LM Studio)',
    [
      {
        error:
          'Trying to keep the first 5064 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      },
    ],
    { errors: 'event' },
    'MODEL_CONTEXT_EXCEEDED',
  ],
  ['a cut', [{ cut: true }], {}, 'MODEL_STREAM_BROKEN'],
  ['[DONE] without a finish reason', [{ raw: 'data: [DONE]\n\n' }], {}, 'MODEL_STREAM_BROKEN'],
  ['an end by the server', [sse(delta({}, 'abort'))], {}, 'MODEL_STREAM_BROKEN'],
  ['an end by its filter', [sse(delta({}, 'content_filter'))], {}, 'MODEL_STREAM_BROKEN'],
  ['a malformed line', [{ raw: 'data: {"choices":\n\n' }], {}, 'MODEL_STREAM_BROKEN'],
  ['a reset', [{ delay: 30 }, { reset: true }], {}, 'MODEL_STREAM_BROKEN'],
])(
  'in mid-stream: %s is no normal end; the text so far is kept',
  async (_name, steps, v1, code) => {
    await using setup = await openOn('openai-compatible', {
      v1: v1 ?? {},
      turns: [{ times: 'always', steps: [{ text: 'Half ' }, ...steps] }],
    });
    const failure = await failureOf(send(setup.model));
    expect([failure.code, failure.details.partial]).toEqual([code, 'Half ']);
    expect(setup.fake.recording.to('/v1/chat/completions')).toHaveLength(1);
  },
);

test.each<[string, number, unknown, string, RegExp]>([
  [
    'llama.cpp: window',
    400,
    {
      error: {
        code: 400,
        message: 'request (6009 tokens) exceeds the available context size (4096 tokens)',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 6009,
        n_ctx: 4096,
      },
    },
    'MODEL_CONTEXT_EXCEEDED',
    /6009 tokens .* 4096 tokens/,
  ],
  [
    'vLLM: window',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
      type: 'BadRequestError',
      code: 400,
    },
    'MODEL_CONTEXT_EXCEEDED',
    /5000 tokens .* 4096 tokens/,
  ],
  [
    'OpenAI: window',
    400,
    {
      error: {
        message: 'too long',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    },
    'MODEL_CONTEXT_EXCEEDED',
    /does not fit/,
  ],
  [
    'Anthropic: window',
    400,
    { error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
    'MODEL_CONTEXT_EXCEEDED',
    /210000 tokens .* 200000 tokens/,
  ],
  [
    'vLLM: window',
    400,
    {
      object: 'error',
      message:
        "You passed 5065 input tokens and requested 512 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3584 tokens.",
    },
    'MODEL_CONTEXT_EXCEEDED',
    /5,?065 tokens .* 4,?096 tokens/,
  ],
  [
    'LM Studio: window',
    400,
    { error: 'Cannot truncate prompt with n_keep (5065) >= n_ctx (4096)' },
    'MODEL_CONTEXT_EXCEEDED',
    /5,?065 tokens .* 4,?096 tokens/,
  ],
  [
    'LM Studio: window, in other words',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5065>= n_ctx: 4096).',
    },
    'MODEL_CONTEXT_EXCEEDED',
    /5,?065 tokens .* 4,?096 tokens/,
  ],
  [
    'LM Studio: nothing loaded',
    404,
    { error: { message: 'No models loaded. Please load a model in the developer page' } },
    'MODEL_NOT_FOUND',
    /Load one/,
  ],
  [
    'vLLM: unknown model',
    404,
    { object: 'error', message: 'The model `x` does not exist.' },
    'MODEL_NOT_FOUND',
    /does not have/,
  ],
  [
    'Gemini: errors in an array',
    404,
    [{ error: { code: 404, message: 'models/x is not found for API version v1main' } }],
    'MODEL_NOT_FOUND',
    /does not have/,
  ],
  [
    'a key that is refused',
    401,
    { error: { message: 'Invalid key' } },
    'MODEL_UNAUTHORIZED',
    /key/,
  ],
  [
    'the rate limit',
    429,
    { error: { message: 'Rate limit reached' } },
    'MODEL_OVERLOADED',
    /Rate limit/,
  ],
  [
    'FastAPI: another program',
    404,
    { detail: 'Not Found' },
    'MODEL_NOT_A_MODEL_SERVER',
    /no OpenAI-compatible chat/,
  ],
  [
    'a web server',
    404,
    '<html>404</html>',
    'MODEL_NOT_A_MODEL_SERVER',
    /no OpenAI-compatible chat/,
  ],
  [
    'a gateway without its model',
    502,
    '<html>Bad gateway</html>',
    'MODEL_SERVER_UNREACHABLE',
    /behind it/,
  ],
  [
    'a refusal',
    400,
    { error: { message: 'temperature must be positive' } },
    'MODEL_BAD_REQUEST',
    /must be positive/,
  ],
  ['a failure', 500, { error: 'boom' }, 'MODEL_STREAM_BROKEN', /boom/],
])('refused: %s', async (_name, status, body, code, message) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  await using setup = await openOn('openai-compatible', {
    turns: [{ times: 'always', steps: [{ refuse: { status, body: text } }] }],
  });
  const failure = await failureOf(send(setup.model));
  expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(message)]);
});
