import { describe, expect, test } from 'vitest';
import type { ModelServer, ModelSummary } from '#contract/entities.ts';
import { findSeeing, knownVision } from '#main/models/pictures/known-vision.ts';
import type { ServerOptionsInput } from '../../fakes/model-server/options.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import { createTestService, newRegistry, openOn } from './harness.ts';

/** Whether a model sees comes from its server, a published list or a check; never from a guess. */

const signal = new AbortController().signal;

type V1 = NonNullable<ServerOptionsInput['v1']>;

const SERVERS: readonly (readonly [string, V1])[] = [
  ['llama.cpp', { visionKey: 'props', ownedBy: 'llamacpp' }],
  ['LM Studio', { visionKey: 'lm-studio', ownedBy: 'organization_owner' }],
  ['an older LM Studio', { visionKey: 'older-lm-studio', ownedBy: 'organization_owner' }],
  ['OpenRouter', { visionKey: 'openrouter' }],
  ['Mistral', { visionKey: 'mistral' }],
  ['a list like that of Anthropic', { visionKey: 'anthropic' }],
];

describe.each(SERVERS)('%s', (_name, v1) => {
  test.each([true, false])('says that a model sees: %s', async (vision) => {
    const capabilities = ['completion', 'tools', ...(vision ? ['vision'] : [])];
    await using setup = await openOn('openai-compatible', {
      models: [{ name: 'fake:latest', capabilities }],
      v1,
    });
    expect(setup.model.profile.vision).toBe(vision);
  });
});

test('a server that says nothing is not asked twice, and its model is not known to see', async () => {
  await using setup = await openOn(
    'openai-compatible',
    { models: [{ name: 'qwen3-vl:8b', capabilities: ['completion', 'vision'] }] },
    { name: 'qwen3-vl:8b' },
  );
  expect(setup.model.profile.vision).toBe(null);
  expect(setup.fake.recording.requests.map(({ path }) => path)).toEqual(['/v1/models']);
});

test('Ollama says it with its capabilities', async () => {
  for (const vision of [true, false]) {
    const capabilities = ['completion', ...(vision ? ['vision'] : [])];
    await using setup = await openOn('ollama', { models: [{ name: 'fake:latest', capabilities }] });
    expect(setup.model.profile.vision).toBe(vision);
  }
});

test('what a check of the model found out counts where the server does not say', async () => {
  await using server = await startModelServer({});
  const profileRegistry = newRegistry();
  const service = createTestService({ profileRegistry });
  const ref = { provider: 'openai-compatible', name: 'fake:latest' };
  profileRegistry.learn(ref, { vision: true });
  await using model = await service.open(ref, { baseUrl: server.url, signal });
  expect(model.profile.vision).toBe(true);
});

test('models of clouds that are published to see', () => {
  const seeing = [
    ['openai', 'gpt-6-astra', 'gpt-5.6-luna', 'gpt-4o-mini', 'gpt-4.1', 'o3', 'o4-mini'],
    ['anthropic', 'claude-opus-5-5', 'claude-haiku-5-5', 'claude-3-5-sonnet-20241022'],
    ['gemini', 'gemini-3.8-flash', 'models/gemini-3.5-flash-lite'],
  ];
  for (const [provider = '', ...names] of seeing) {
    for (const name of names) expect([name, knownVision({ provider, name })]).toEqual([name, true]);
  }
  for (const [provider, name] of [
    ['openai', 'gpt-3.5-turbo'],
    ['openai', 'o1-mini'],
    ['openai', 'o3-mini'],
    ['anthropic', 'claude-2.1'],
    ['ollama', 'gpt-4o'],
    ['openai-compatible', 'claude-opus-5-5'],
  ] as const) {
    expect([name, knownVision({ provider, name })]).toEqual([name, null]);
  }
});

test('a model in place of a blind one: of the same server first, and a cloud only for a cloud', () => {
  const model = (
    provider: string,
    name: string,
    more: Partial<ModelSummary> = {},
  ): ModelSummary => ({
    ...{ provider, name, contextWindow: null, tools: true, vision: false, thinking: null },
    ...{ cloud: false, size: null, ...more },
  });
  const server = (
    provider: string,
    kind: ModelServer['kind'],
    models: readonly ModelSummary[],
  ): ModelServer => ({
    ...{ provider, kind, label: provider, baseUrl: '', reachable: true, problem: null },
    models: [...models],
  });
  const blind = { provider: 'ollama', name: 'a' };
  const cloud = server('openai', 'cloud', [
    model('openai', 'text', { cloud: true }),
    model('openai', 'gpt', { vision: true, cloud: true }),
  ]);
  const ollama = (...models: readonly ModelSummary[]): ModelServer =>
    server('ollama', 'ollama', [model('ollama', 'a'), ...models]);
  const studio = server('lm-studio', 'openai-compatible', [
    model('lm-studio', 'b', { vision: true }),
  ]);
  const seeing = model('ollama', 'c', { vision: true });
  const far = model('ollama', 'd:cloud', { vision: true, cloud: true });
  expect(findSeeing([studio, ollama(seeing), cloud], blind)?.name).toBe('c');
  expect(findSeeing([studio, ollama(far), cloud], blind)?.name).toBe('b');
  expect(findSeeing([{ ...studio, reachable: false }, ollama(far), cloud], blind)).toBe(null);
  expect(findSeeing([cloud, ollama()], { provider: 'openai', name: 'text' })?.name).toBe('gpt');
  expect(findSeeing([ollama(model('ollama', 'e', { vision: null }))], blind)).toBe(null);
});
