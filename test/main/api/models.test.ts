import { expect, onTestFinished, test } from 'vitest';
import type { ModelRef } from '#contract/entities.ts';
import { type ModelPull, unknownProfile } from '#contract/models.ts';
import { Settings } from '#contract/settings.ts';
import { modelRequests } from '#main/api/models.ts';
import type { Notice } from '#main/api/types.ts';
import { systemClock } from '#main/base/clock.ts';
import { CHECK_TASKS } from '#main/models/model-check/check-tasks.ts';
import { ProfileRegistry } from '#main/models/profiles/profile-registry.ts';
import { recommendModels } from '#main/models/recommend.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import { openProfiles } from '#main/storage/profile-store.ts';
import type { ServerOptionsInput } from '../../fakes/model-server/options.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import { createTestService, failureOf, send } from '../models/harness.ts';
import { open, temporaryDir } from '../storage/support.ts';

const signal = new AbortController().signal;
const MODEL = { provider: 'ollama', name: 'fake:latest' };

/** The API over a real database and a scripted Ollama; everything is closed at the end of the test. */
async function openApi(options: ServerOptionsInput, changes: Partial<Settings> = {}) {
  const server = await startModelServer(options);
  const { connection } = open(temporaryDir());
  const settings = () => Settings.parse({ ollamaUrl: server.url, ...changes });
  const profileRegistry = new ProfileRegistry(openProfiles(connection), systemClock);
  const parts = {
    settings,
    readSecret: () => null,
    env: {},
    memoryBytes: 16 * 1024 ** 3,
    profileRegistry,
  };
  const models = createTestService(parts);
  const listeners = new Set<(notice: Notice) => void>();
  const { requests: api, ...closing } = modelRequests({
    ...parts,
    models,
    createAgent: createPlainAgent,
    broadcast: (notice) => {
      for (const listener of listeners) listener(notice);
    },
    clock: systemClock,
  });
  onTestFinished(async () => {
    await closing[Symbol.asyncDispose]();
    await server.close();
  });
  return { server, api, models, profileRegistry, listeners };
}

const weather = (city: string) => ({ name: 'get_weather', arguments: { city } });

/** A model that passes every task. */
const GOOD: ServerOptionsInput['turns'] = [
  { when: { tool: 'get_weather' }, times: 'always', steps: [{ text: 'It has -13 degrees.' }] },
  {
    when: { user: 'Oslo and of Rome' },
    steps: [{ call: weather('Oslo') }, { call: weather('Rome') }],
  },
  { when: { user: 'weather in Oslo|warm is it' }, times: 2, steps: [{ call: weather('Oslo') }] },
  {
    when: { user: 'Create the event' },
    steps: [
      {
        call: {
          name: 'create_event',
          arguments: {
            title: 'Review',
            when: { date: '2027-03-04', hour: 15 },
            guests: ['Ann', 'Bob'],
          },
        },
      },
    ],
  },
  { when: { user: '17 plus 25' }, steps: [{ text: '42.' }] },
  { when: { user: 'as JSON' }, steps: [{ text: '{"city":"Oslo","people":700000}' }] },
  { when: { user: 'rivers' }, steps: [{ text: 'Rhine, Danube.\nPINEAPPLE' }] },
  {
    when: { user: 'box is (?<code>MAPLE-\\d+)' },
    times: 3,
    steps: [{ text: '{{code}}' }],
  },
  { when: { user: 'picture' }, steps: [{ text: 'Red.' }] },
  {
    times: 'always',
    steps: [{ text: '1 2 3 4' }, { delay: 5 }, { metrics: { prompt: 50, eval: 60 } }],
  },
];

const FAKE = { name: 'fake:latest', capabilities: ['completion', 'tools', 'vision'], loadMs: 600 };

test('a good model passes every task, and its profile keeps the results', async () => {
  const { api, profileRegistry, server, listeners } = await openApi({
    ...{ models: [FAKE], turns: GOOD },
  });
  const items: Extract<Notice, { kind: 'model_check' }>[] = [];
  listeners.add((notice) => notice.kind === 'model_check' && items.push(notice));
  const { profile } = await api['models.check']({ model: MODEL });
  expect(items.map(({ model }) => model)).toEqual(items.map(() => MODEL));
  expect(items.map(({ item }) => [item.id, item.outcome])).toEqual(
    CHECK_TASKS.map(({ id }) => [id, 'passed']),
  );
  expect(profile).toMatchObject({
    ...{ toolMeans: 'native', jsonSchema: true, vision: true, tools: true },
    ...{ trainedContext: 32_768, tokensPerSecond: expect.any(Number) },
    reportCard: {
      tiers: ['max', 'pro', 'flash'],
      verdict: expect.stringContaining('Good for everything'),
    },
  });
  expect(profile.coldLoadMs).toBeGreaterThanOrEqual(500);
  expect(profileRegistry.get(MODEL).reportCard).toEqual(profile.reportCard);
  // The recall prompts really fill the window, and never exceed it.
  const sizes = server.recording.to('/api/chat').map(({ promptTokens }) => promptTokens ?? 0);
  expect(Math.max(...sizes)).toBeGreaterThan(16_384 * 0.6);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16_384);
});

test('a poor model gets a poor report card', async () => {
  const { api } = await openApi({
    models: [{ name: 'fake:latest', capabilities: ['completion'] }],
    turns: [{ times: 'always', steps: [{ text: 'I like turtles.' }] }],
  });
  const { reportCard, toolMeans } = (await api['models.check']({ model: MODEL })).profile;
  expect([reportCard?.tiers, toolMeans]).toEqual([[], null]);
  expect(reportCard?.verdict).toContain('Too weak for this app');
});

test('stopping a check closes its request, and only one check runs at a time', async () => {
  const { api, server } = await openApi({
    models: [FAKE],
    turns: [{ steps: [{ stall: true }] }],
  });
  const check = api['models.check']({ model: MODEL });
  const failure = failureOf(check);
  while (server.recording.to('/api/chat').length < 2) await new Promise((r) => setTimeout(r, 5));
  const second = await failureOf(api['models.check']({ model: MODEL }));
  api['models.cancelCheck']();
  const [request] = server.recording.to('/api/chat').slice(-1);
  await request?.closed;
  expect([(await failure).code, second.code, request?.aborted]).toEqual([
    'CANCELLED',
    'CONFLICT',
    true,
  ]);
});

test('what is learnt in use is stored, and discarded when the file of the model changes', async () => {
  const { models, profileRegistry } = await openApi({
    models: [FAKE],
    turns: [
      {
        steps: [
          { thinking: 'Hm.' },
          { call: { name: 'shell_command', arguments: { command: 'ls' } } },
        ],
      },
    ],
  });
  const model = await models.open(MODEL, { signal });
  await send(model);
  await model[Symbol.asyncDispose]();
  const learnt = profileRegistry.get(MODEL);
  const { profile } = model;
  const changed = profileRegistry.recordFacts(MODEL, { ...profile, digest: 'another' });
  expect([learnt.toolMeans, learnt.thinkingKey, changed.toolMeans, changed.trainedContext]).toEqual(
    ['native', 'thinking', null, 32_768],
  );
  expect(learnt.coldLoadMs).toBeGreaterThanOrEqual(500);
});

/** All reports of a pull, until it ends; `onPull` sees each. */
async function follow(
  { api, listeners }: Awaited<ReturnType<typeof openApi>>,
  model: ModelRef,
  onPull: (pull: ModelPull) => void = () => undefined,
): Promise<ModelPull[]> {
  const seen: ModelPull[] = [];
  const ended = Promise.withResolvers<void>();
  const listen = (notice: Notice): void => {
    if (notice.kind !== 'model_pull') return;
    seen.push(notice.pull);
    onPull(notice.pull);
    if (notice.pull.status !== 'running') ended.resolve();
  };
  listeners.add(listen);
  await api['models.pull']({ model });
  await ended.promise;
  listeners.delete(listen);
  return seen;
}

test('a pull reports its progress over all layers, and continues after a stop', async () => {
  const opened = await openApi({
    library: { big: [4_000, 6_000] },
    pullTickMs: 5,
  });
  const { api, server } = opened;
  const model = { provider: 'ollama', name: 'big' };
  const first = await follow(opened, model, (pull) => {
    if (pull.completedBytes > 0 && pull.status === 'running') api['models.cancelPull']({ model });
  });
  const [request] = server.recording.to('/api/pull');
  await request?.closed;
  const second = await follow(opened, model);
  const last = second.at(-1);
  expect({
    ends: [first.at(-1)?.status, last?.status],
    closed: request?.aborted,
    whole: [last?.completedBytes, last?.totalBytes],
    listed: api['models.pulls']().pulls.map(({ status }) => status),
    grows: second.every((pull, i) => pull.completedBytes >= (second[i - 1]?.completedBytes ?? 0)),
  }).toEqual({
    ends: ['cancelled', 'completed'],
    closed: true,
    whole: [10_000, 10_000],
    listed: ['completed'],
    grows: true,
  });
});

test('a failed pull says why', async () => {
  const opened = await openApi({});
  const unknown = await follow(opened, { provider: 'ollama', name: 'nosuch' });
  const other = await failureOf(
    opened.api['models.pull']({ model: { provider: 'vllm', name: 'x' } }),
  );
  expect([unknown.at(-1)?.status, unknown.at(-1)?.problem, other.code]).toEqual([
    'failed',
    expect.stringContaining('has no model "nosuch"'),
    'BAD_REQUEST',
  ]);
});

test('a cloud model is used only after consent, which is stored for it alone', async () => {
  const cloud = { name: 'big:cloud', remoteModel: 'big', remoteHost: 'https://ollama.invalid' };
  const options = { models: [cloud, { ...cloud, name: 'other:cloud' }] };
  const { models } = await openApi(options, { cloudConsents: ['ollama:big:cloud'] });
  const refused = await failureOf(
    models.open({ provider: 'ollama', name: 'other:cloud' }, { signal }),
  );
  await using agreed = await models.open({ provider: 'ollama', name: 'big:cloud' }, { signal });
  expect([refused.code, agreed.profile.cloud]).toEqual(['CLOUD_MODEL_NOT_ALLOWED', true]);
  expect(refused.message).toContain('hyperagent models allow ollama:other:cloud');
});

test('recommendations fit the memory, prefer checked models, and never include cloud models', () => {
  const model = (name: string, size: number, more = {}) => ({
    ...{ provider: 'ollama', name, size, contextWindow: 32_768, tools: true, vision: false },
    ...{ thinking: false, cloud: false, profile: null, ...more },
  });
  const good = {
    ...unknownProfile({ provider: 'ollama', name: 'mid:8b' }, 1),
    tokensPerSecond: 20,
    reportCard: { at: 1, verdict: '', tiers: ['pro' as const, 'flash' as const], items: [] },
  };
  const installed = [
    model('huge:70b', 40e9),
    model('large:14b', 9e9),
    model('mid:8b', 5e9, { profile: good }),
    model('small:1b', 1e9),
    model('best:cloud', 1, { cloud: true }),
    model('nomic-embed-text', 0.3e9, { tools: false }),
  ];
  const names = recommendModels(installed, 16e9).map((one) => [one.tier, one.model?.name]);
  expect(names).toEqual([
    ['max', 'large:14b'],
    ['pro', 'mid:8b'],
    ['flash', 'mid:8b'],
  ]);
  expect(
    recommendModels([], 16e9).map(({ model: none, reason }) => [none, reason.slice(0, 21)]),
  ).toEqual(Array.from({ length: 3 }, () => [null, 'No model is installed']));
});

test('the model of a tier: the setting of the user, else that of the server, else the model of the task', () => {
  const settings = Settings.parse({
    tiers: { max: { provider: 'ollama', name: 'big' }, pro: null, flash: null },
    servers: [{ name: 'office', baseUrl: 'http://127.0.0.1:1/v1', models: { flash: 'quick' } }],
  });
  const service = createTestService({ settings: () => settings });
  const task = { provider: 'office', name: 'slow' };
  expect([
    service.ofTier('max', task),
    service.ofTier('flash', task),
    service.ofTier('pro', task),
  ]).toEqual([{ provider: 'ollama', name: 'big' }, { provider: 'office', name: 'quick' }, task]);
});

test('a model is not offered in its own place', async () => {
  const blind = { provider: 'ollama', name: 'fake:latest' };
  const { api } = await openApi({}, { model: blind, visionModel: blind });
  const caller = { closed: signal } as Parameters<(typeof api)['models.sight']>[1];
  expect(await api['models.sight']({}, caller)).toEqual({
    ...{ model: blind, vision: false, other: null },
  });
});

test('the sight of the next model: known, unknown, and another one that sees', async () => {
  const models = [
    { name: 'text:8b', capabilities: ['completion', 'tools'] },
    { name: 'eyes:8b', capabilities: ['completion', 'vision'] },
  ];
  const { api } = await openApi({ models }, { model: { provider: 'ollama', name: 'text:8b' } });
  const caller = { closed: signal } as Parameters<(typeof api)['models.sight']>[1];
  const eyes = { provider: 'ollama', name: 'eyes:8b' };
  expect(await api['models.sight']({}, caller)).toEqual({
    ...{ model: { provider: 'ollama', name: 'text:8b' }, vision: false, other: eyes },
  });
  expect(await api['models.sight']({ model: eyes }, caller)).toEqual({
    ...{ model: eyes, vision: true, other: null },
  });
  expect(
    await failureOf(api['models.sight']({ model: { ...eyes, name: 'no' } }, caller)),
  ).toMatchObject({
    code: 'MODEL_NOT_FOUND',
  });
});
