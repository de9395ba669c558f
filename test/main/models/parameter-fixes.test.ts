import { describe, expect, test } from 'vitest';
import type { ModelProfile } from '#contract/models.ts';
import type { ProfileRegistry } from '#main/models/profiles/profile-registry.ts';
import type { ModelRequest } from '#main/models/types.ts';
import type { ServerOptionsInput } from '../../fakes/model-server/options.ts';
import { type FakeModelServer, startModelServer } from '../../fakes/model-server/server.ts';
import { CHAT_PATHS, failureOf, newRegistry, openAt, type Protocol, send } from './harness.ts';

/** Clouds that refuse a parameter, in their own words: the request is repeated without it, and it stays away. */

type Json = Record<string, unknown>;

interface Asking {
  readonly registry: ProfileRegistry;
  readonly request?: Partial<ModelRequest>;
  readonly name?: string;
}

/** Sends one request to a model that is opened for it, and gives the bodies that the server got. */
async function ask(
  server: FakeModelServer,
  protocol: Protocol,
  { registry, request, name = 'fake' }: Asking,
): Promise<{ bodies: Json[]; retries: string[] }> {
  const before = server.recording.to(CHAT_PATHS[protocol]).length;
  await using model = await openAt(protocol, server.url, {
    parts: { profileRegistry: registry },
    name,
  });
  const { reply, progress } = await send(model, request);
  expect(reply.content).toBe('ok');
  const bodies = server.recording.to(CHAT_PATHS[protocol]).slice(before);
  return {
    bodies: bodies.map(({ json }) => json as Json),
    retries: progress.flatMap((entry) => (entry.kind === 'retrying' ? [entry.reason] : [])),
  };
}

const openAi = (message: string, param: string | null = null): string =>
  JSON.stringify({ error: { message, type: 'invalid_request_error', param, code: null } });
const anthropic = (message: string): string =>
  JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });
const detail = [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs' }];

interface Case {
  readonly name: string;
  readonly protocol: Protocol;
  /** Of the model; LangChain knows by it whether a model thinks. */
  readonly model?: string;
  readonly status?: number;
  readonly body: string;
  readonly request?: Partial<ModelRequest>;
  readonly fixes: ModelProfile['parameters'];
  /** Fields of the repeated request; undefined for those that it must not have. */
  readonly fields: Json;
}

const DROP = { kind: 'drop' } as const;
const format = { type: 'object', properties: {} };

const CASES: readonly Case[] = [
  {
    name: "OpenAI: 'temperature' has one value",
    protocol: 'openai-compatible',
    body: openAi(
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      'temperature',
    ),
    request: { temperature: 0 },
    fixes: { temperature: DROP },
    fields: { temperature: undefined, model: 'fake' },
  },
  {
    name: "OpenAI: 'max_tokens' has another name",
    protocol: 'openai-compatible',
    body: openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
    ),
    request: { maxOutputTokens: 9 },
    fixes: { max_tokens: { kind: 'rename', to: 'max_completion_tokens' } },
    fields: { max_tokens: undefined, max_completion_tokens: 9 },
  },
  {
    name: 'OpenAI: tools need an explicit effort',
    protocol: 'openai-compatible',
    body: openAi(
      "Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Please use /v1/responses instead, or set reasoning_effort to 'none'.",
    ),
    fixes: { reasoning_effort: { kind: 'set', value: 'none' } },
    fields: { reasoning_effort: 'none' },
  },
  {
    name: 'Mistral: stream_options is forbidden',
    protocol: 'openai-compatible',
    status: 422,
    body: JSON.stringify({ object: 'error', message: { detail }, type: 'invalid_request_error' }),
    fixes: { stream_options: DROP },
    fields: { stream_options: undefined, stream: true },
  },
  {
    name: 'Mistral of old: stream_options is forbidden',
    protocol: 'openai-compatible',
    status: 422,
    body: JSON.stringify({ detail }),
    fixes: { stream_options: DROP },
    fields: { stream_options: undefined },
  },
  {
    name: 'DeepSeek: no JSON schema',
    protocol: 'openai-compatible',
    body: openAi('This response_format type is unavailable now'),
    request: { format, tools: [] },
    fixes: { response_format: DROP },
    fields: { response_format: undefined },
  },
  {
    name: 'Gemini: a name is unknown',
    protocol: 'openai-compatible',
    body: `[${openAi('Invalid JSON payload received. Unknown name "seed": Cannot find field.')}]`,
    request: { seed: 7 },
    fixes: { seed: DROP },
    fields: { seed: undefined },
  },
  {
    name: 'OpenAI: no summaries for this account',
    protocol: 'openai',
    model: 'gpt-6-astra',
    body: openAi(
      'Your organization must be verified to generate reasoning summaries.',
      'reasoning.summary',
    ),
    fixes: { 'reasoning.summary': DROP },
    fields: { reasoning: undefined, store: false },
  },
  {
    name: 'OpenAI: nothing encrypted for this model',
    protocol: 'openai',
    body: openAi('Encrypted content is not supported with this model.', 'include'),
    fixes: { include: DROP },
    fields: { include: undefined },
  },
  {
    name: 'OpenAI: a schema that is refused goes, and the answer is checked by the app',
    protocol: 'openai',
    body: openAi("Invalid schema for response_format 'answer'", 'text.format.schema'),
    request: { format, tools: [] },
    fixes: { 'text.format': DROP },
    fields: { text: undefined },
  },
  {
    name: 'Anthropic: fewer tokens',
    protocol: 'anthropic',
    body: anthropic(
      'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for this model',
    ),
    fixes: { max_tokens: { kind: 'set', value: 8192 } },
    fields: { max_tokens: 8192 },
  },
  {
    name: 'Anthropic: no schema',
    protocol: 'anthropic',
    body: anthropic('output_config.format: Extra inputs are not permitted'),
    request: { format, tools: [] },
    fixes: { 'output_config.format': DROP },
    fields: { output_config: undefined },
  },
  {
    name: 'Anthropic: a word in its own quotes',
    protocol: 'anthropic',
    body: anthropic('`cache_control` is not available for this model.'),
    fixes: { cache_control: DROP },
    fields: { cache_control: undefined },
  },
];

const ok: NonNullable<ServerOptionsInput['turns']>[number] = {
  times: 'always',
  steps: [{ text: 'ok' }],
};

const models = [{ name: 'fake' }, { name: 'gpt-6-astra' }];

describe('a refused parameter', () => {
  test.each(CASES)('$name', async (given) => {
    const { protocol, model: name = 'fake', status = 400, body, request = {} } = given;
    const { fixes, fields } = given;
    await using server = await startModelServer({
      models,
      turns: [{ steps: [{ refuse: { status, body } }] }, ok],
    });
    const registry = newRegistry();
    const first = await ask(server, protocol, { registry, request, name });
    const [refused, repeated] = first.bodies;
    const sent = Object.fromEntries(Object.keys(fields).map((key) => [key, repeated?.[key]]));
    expect([sent, first.bodies.length, first.retries.length]).toEqual([fields, 2, 1]);
    expect(repeated).not.toEqual(refused);
    expect(registry.get({ provider: protocol, name }).parameters).toEqual(fixes);
    // What was learnt holds for the next run, from its first request on.
    const next = await ask(server, protocol, { registry, request, name });
    expect([next.bodies, next.retries]).toEqual([[repeated], []]);
  });

  test.each<Protocol>(['openai', 'openai-compatible'])(
    'is one of three, and %s takes the request at the fourth time',
    async (protocol) => {
      const refusedParameters: Readonly<Record<string, string>> =
        protocol === 'openai'
          ? { include: 'No.', 'reasoning.summary': 'Not this.', max_output_tokens: 'Nor this.' }
          : { temperature: 'No.', stream_options: 'Not this.', seed: 'Nor this.' };
      await using server = await startModelServer({ models, refusedParameters, turns: [ok] });
      const registry = newRegistry();
      const request = { temperature: 0, seed: 7, maxOutputTokens: 99 };
      const name = 'gpt-6-astra';
      const first = await ask(server, protocol, { registry, request, name });
      const next = await ask(server, protocol, { registry, request, name });
      const learnt = registry.get({ provider: protocol, name }).parameters;
      expect([first.bodies.length, next.bodies.length, learnt]).toEqual([
        4,
        1,
        Object.fromEntries(Object.keys(refusedParameters).map((path) => [path, DROP])),
      ]);
    },
  );

  test.each<[string, string]>([
    ['names no parameter', openAi('This is a bad request.')],
    ['names what a request cannot do without', openAi("Invalid 'messages[0]'.", 'messages[0]')],
    ['names a parameter that was not sent', openAi("Unknown parameter: 'top_k'.", 'top_k')],
    ['is no JSON', 'temperature'],
  ])('is not guessed at: a refusal that %s is an error at once', async (_name, body) => {
    await using server = await startModelServer({
      turns: [{ steps: [{ refuse: { status: 400, body } }] }, ok],
    });
    await using model = await openAt('openai-compatible', server.url);
    const { code } = await failureOf(send(model, { temperature: 0 }));
    const sent = server.recording.to('/v1/chat/completions').length;
    const codes = ['MODEL_BAD_REQUEST', 'MODEL_NOT_A_MODEL_SERVER'];
    expect([codes.includes(code), sent]).toEqual([true, 1]);
  });

  test('is not remembered where leaving it out did not help', async () => {
    const refuse = { status: 400, body: openAi('The temperature is wrong.') };
    await using server = await startModelServer({
      turns: [{ times: 'always', steps: [{ refuse }] }],
    });
    const registry = newRegistry();
    await using model = await openAt('openai-compatible', server.url, {
      parts: { profileRegistry: registry },
    });
    expect((await failureOf(send(model, { temperature: 0 }))).code).toBe('MODEL_BAD_REQUEST');
    const sent = server.recording.to('/v1/chat/completions').length;
    const { parameters } = registry.get({ provider: 'openai-compatible', name: 'fake:latest' });
    expect([sent, parameters]).toEqual([2, {}]);
  });
});
