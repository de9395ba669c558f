import { expect, test } from 'vitest';
import { Settings } from '#contract/settings.ts';
import type { ServerOptionsInput } from '../../fakes/model-server/options.ts';
import {
  CHAT_PATHS,
  createTestService,
  newRegistry,
  openAt,
  openOn,
  type Protocol,
  send,
} from './harness.ts';

/** Thinking that the user switched off, or on, in the words of each protocol. */

type Json = Record<string, unknown>;

const ok: ServerOptionsInput['turns'] = [{ times: 'always', steps: [{ text: 'ok' }] }];
const can = ['completion', 'tools', 'thinking'];

interface Case {
  readonly protocol: Protocol;
  readonly name: string;
  readonly capabilities?: string[];
  readonly thinking: boolean | undefined;
  /** Fields of the request; undefined for those that it must not have. */
  readonly fields: Json;
}

const kwargs = (on: boolean): Json => ({
  chat_template_kwargs: { enable_thinking: on, thinking: on },
});

test.each<Case>([
  {
    protocol: 'ollama',
    name: 'qwen3:8b',
    capabilities: can,
    thinking: false,
    fields: { think: false },
  },
  {
    protocol: 'ollama',
    name: 'qwen3:8b',
    capabilities: can,
    thinking: undefined,
    fields: { think: true },
  },
  {
    protocol: 'ollama',
    name: 'gpt-oss:20b',
    capabilities: can,
    thinking: false,
    fields: { think: 'low' },
  },
  { protocol: 'ollama', name: 'gemma:2b', thinking: false, fields: { think: undefined } },
  { protocol: 'openai-compatible', name: 'glm', thinking: false, fields: kwargs(false) },
  { protocol: 'openai-compatible', name: 'glm', thinking: true, fields: kwargs(true) },
  {
    protocol: 'openai-compatible',
    name: 'glm',
    thinking: undefined,
    fields: { chat_template_kwargs: undefined, reasoning_effort: undefined },
  },
  {
    protocol: 'openai-compatible',
    name: 'gpt-oss-20b',
    thinking: false,
    fields: { ...kwargs(false), reasoning_effort: 'low' },
  },
  {
    protocol: 'openai',
    name: 'gpt-6-astra',
    thinking: false,
    fields: { reasoning: { effort: 'none' } },
  },
  {
    protocol: 'openai',
    name: 'gpt-6-astra',
    thinking: undefined,
    fields: { reasoning: { summary: 'auto' } },
  },
  {
    protocol: 'anthropic',
    name: 'claude-opus-4-8',
    thinking: false,
    fields: { thinking: { type: 'disabled' } },
  },
  {
    protocol: 'anthropic',
    name: 'claude-opus-4-8',
    thinking: true,
    fields: { thinking: { type: 'adaptive' } },
  },
  {
    protocol: 'anthropic',
    name: 'claude-opus-4-8',
    thinking: undefined,
    fields: { thinking: undefined },
  },
])('$protocol: $name, thinking $thinking', async (given) => {
  const { protocol, name, capabilities = ['completion', 'tools'], thinking, fields } = given;
  const modelThinking = thinking === undefined ? {} : { [`${protocol}:${name}`]: thinking };
  const settings = (): Settings => Settings.parse({ modelThinking });
  const server = { models: [{ name, capabilities }], turns: ok };
  await using setup = await openOn(protocol, server, { name, parts: { settings } });
  await send(setup.model);
  const body = setup.fake.recording.to(CHAT_PATHS[protocol])[0]?.json as Json;
  expect(Object.fromEntries(Object.keys(fields).map((key) => [key, body[key]]))).toEqual(fields);
});

test('Qwen 3 gets the word too, for servers that pass no switches to templates', async () => {
  const name = 'qwen3-8b';
  const settings = (): Settings =>
    Settings.parse({ modelThinking: { [`openai-compatible:${name}`]: false } });
  const server = { models: [{ name }], turns: ok };
  await using setup = await openOn('openai-compatible', server, { name, parts: { settings } });
  await send(setup.model);
  const body = setup.fake.recording.to('/v1/chat/completions')[0]?.json as {
    messages: { content: string }[];
  };
  expect(body.messages.map(({ content }) => content)).toEqual(['Be brief. /no_think', 'Hello']);
});

test('the choice for a model comes before that for its server', async () => {
  const server = { models: [{ name: 'glm' }], turns: ok };
  await using setup = await openOn('openai-compatible', server, { name: 'glm' });
  const { url } = setup.fake;
  const settings = (): Settings =>
    Settings.parse({
      servers: [{ name: 'office', baseUrl: url, thinking: false }],
      modelThinking: { 'office:glm': true },
    });
  const { signal } = new AbortController();
  await using model = await createTestService({ settings }).open(
    { provider: 'office', name: 'glm' },
    { signal },
  );
  await send(model);
  const body = setup.fake.recording.to('/v1/chat/completions')[0]?.json as Json;
  expect(body.chat_template_kwargs).toEqual({ enable_thinking: true, thinking: true });
});

test('a cloud that cannot switch it off gets its smallest effort, and nothing once it is left to the model', async () => {
  const name = 'gpt-6-astra';
  let modelThinking: Record<string, boolean> = { [`openai:${name}`]: false };
  const settings = (): Settings => Settings.parse({ modelThinking });
  const message =
    "Unsupported value: 'none' is not supported with the 'gpt-6-astra' model. Supported values are: 'minimal', 'low', 'medium', and 'high'.";
  const body = JSON.stringify({
    error: { message, type: 'invalid_request_error', param: 'reasoning.effort' },
  });
  const server = {
    models: [{ name }],
    turns: [{ steps: [{ refuse: { status: 400, body } }] }, ...ok],
  };
  const parts = { settings, profileRegistry: newRegistry() };
  await using setup = await openOn('openai', server, { name, parts });
  await send(setup.model);
  modelThinking = {};
  await using later = await openAt('openai', setup.fake.url, { name, parts });
  await send(later);
  const sent = setup.fake.recording.to('/v1/responses').map(({ json }) => (json as Json).reasoning);
  expect(sent).toEqual([{ effort: 'none' }, { effort: 'minimal' }, { summary: 'auto' }]);
});
