import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { chooseContextWindow, isCloudName } from '#main/models/ollama/ollama-profile.ts';
import { openAiBaseUrl } from '#main/models/openai/base-url.ts';
import { ollamaAddress } from '#main/models/providers.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import type { ModelService } from '#main/models/types.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import { createTestService, failureOf, openAt, send } from './harness.ts';

const signal = new AbortController().signal;
const KEY = 'sk-test-0123456789';

/** An agent that redirects each well-known port to an address of the test, and connects to nothing else. */
function redirect(ports: Readonly<Record<string, string>>): typeof createPlainAgent {
  return (url) => {
    const target = ports[url.port];
    const port = target === undefined ? 1 : Number(new URL(target).port);
    const agent = createPlainAgent(url);
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (options, callback) =>
      connect({ ...options, host: '127.0.0.1', port }, callback);
    return agent;
  };
}

/** Stands in for the agent of a cloud: it connects to a server of the test, without encryption. */
function unencrypted(url: URL, target: string): http.Agent {
  const agent = new http.Agent();
  Object.assign(agent, { protocol: url.protocol });
  const port = url.protocol === 'https:' ? Number(new URL(target).port) : 1;
  agent.createConnection = () => net.connect(port, '127.0.0.1');
  return agent;
}

async function startWebSite(): Promise<string> {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>My blog</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('all local servers are asked; missing and unrelated ones are reported', async () => {
  const models = [
    { name: 'qwen3:8b', capabilities: ['completion', 'tools', 'thinking'], size: 5 },
    { name: 'big:cloud', capabilities: ['completion'], remoteModel: 'big' },
  ];
  await using ollama = await startModelServer({ models, oldTags: true });
  await using lmStudio = await startModelServer({ models: [{ name: 'gemma' }] });
  await using own = await startModelServer({ apiKey: KEY, models: [{ name: 'mine' }] });
  const website = await startWebSite();
  const service = createTestService({
    settings: () => Settings.parse({ servers: [{ name: 'office', baseUrl: own.url }] }),
    readSecret: (name) => (name === 'office' ? KEY : null),
    createAgent: redirect({
      '11434': ollama.url,
      '1234': lmStudio.url,
      '8080': website,
      [new URL(own.url).port]: own.url,
    }),
  });
  const servers = await service.listServers(signal);
  const summary = {
    contextWindow: null,
    tools: null,
    vision: null,
    thinking: null,
    cloud: false,
    size: null,
  };
  expect(
    servers.map(({ provider, reachable, problem, models }) => ({
      provider,
      reachable,
      problem,
      models,
    })),
  ).toEqual([
    {
      provider: 'ollama',
      reachable: true,
      problem: null,
      models: [
        {
          provider: 'ollama',
          name: 'big:cloud',
          contextWindow: 32_768,
          tools: false,
          vision: false,
          thinking: false,
          cloud: true,
          size: 5_000_000_000,
        },
        {
          provider: 'ollama',
          name: 'qwen3:8b',
          contextWindow: 32_768,
          tools: true,
          vision: false,
          thinking: true,
          cloud: false,
          size: 5,
        },
      ],
    },
    {
      provider: 'office',
      reachable: true,
      problem: null,
      models: [{ ...summary, provider: 'office', name: 'mine:latest' }],
    },
    {
      provider: 'lm-studio',
      reachable: true,
      problem: null,
      models: [{ ...summary, provider: 'lm-studio', name: 'gemma:latest' }],
    },
    {
      provider: 'llama-cpp',
      reachable: false,
      problem: expect.stringContaining('does not answer like'),
      models: [],
    },
    {
      provider: 'vllm',
      reachable: false,
      problem: expect.stringContaining('Nothing answers at'),
      models: [],
    },
    {
      provider: 'jan',
      reachable: false,
      problem: expect.stringContaining('Nothing answers at'),
      models: [],
    },
    {
      provider: 'demo',
      reachable: true,
      problem: null,
      models: [expect.objectContaining({ name: 'scripted' })],
    },
  ]);
});

test('a key is sent as a bearer token and appears in no error', async () => {
  await using fake = await startModelServer({
    apiKey: KEY,
    turns: [{ times: 'always', steps: [{ text: 'ok' }] }],
  });
  await using good = await openAt('openai-compatible', fake.url, { open: { apiKey: KEY } });
  expect((await send(good)).reply.content).toBe('ok');

  const wrong = `${KEY}-wrong`;
  await using bad = await openAt('openai-compatible', fake.url, { open: { apiKey: wrong } });
  const failure = await failureOf(send(bad));
  expect(failure.code).toBe('MODEL_UNAUTHORIZED');
  expect(JSON.stringify(failure)).not.toContain(wrong);

  await using withPassword = await openAt(
    'openai-compatible',
    fake.url.replace('http://', 'http://me:hunter2@'),
  );
  expect(JSON.stringify(await failureOf(send(withPassword)))).not.toContain('hunter2');
});

test('a cloud service takes its key from the store, then from the environment, and reports a missing one', async () => {
  await using fake = await startModelServer({
    turns: [{ times: 'always', steps: [{ text: 'ok' }] }],
  });
  const sentKeys = [];
  for (const parts of [
    {
      readSecret: (name: string) => (name === 'openai' ? 'sk-store' : null),
      env: { OPENAI_API_KEY: 'sk-env' },
    },
    { readSecret: () => null, env: { OPENAI_API_KEY: 'sk-env' } },
  ]) {
    const ref = { provider: 'openai', name: 'fake' };
    await using model = await createTestService(parts).open(ref, { baseUrl: fake.url, signal });
    await send(model);
    const [request] = fake.recording.to('/v1/responses').slice(-1);
    sentKeys.push(request?.headers.authorization);
  }
  expect(sentKeys).toEqual(['Bearer sk-store', 'Bearer sk-env']);

  const failure = await failureOf(
    createTestService().open({ provider: 'anthropic', name: 'x' }, { signal }),
  );
  expect([failure.code, failure.message]).toEqual([
    'MODEL_UNAUTHORIZED',
    expect.stringContaining('ANTHROPIC_API_KEY'),
  ]);
});

test('a failure to open a model says why', async () => {
  const service = createTestService();
  const open = async (provider: string, name: string, baseUrl?: string): Promise<string> => {
    const options = { signal, ...(baseUrl === undefined ? {} : { baseUrl }) };
    const failure = await failureOf(service.open({ provider, name }, options));
    return `${failure.code}: ${failure.message}`;
  };
  expect(
    await Promise.all([
      open('nobody', 'x'),
      open('openai-compatible', 'x'),
      open('ollama', 'x', 'ftp://x'),
      open('demo', 'gpt'),
      open('openai-compatible', 'big:120b-cloud', 'http://127.0.0.1:9/v1'),
    ]),
  ).toEqual([
    expect.stringMatching(/^BAD_REQUEST: There is no model provider "nobody"\. Use one of: .*demo/),
    expect.stringMatching(/^BAD_REQUEST: .*--base-url/),
    expect.stringMatching(/^BAD_REQUEST: "ftp:\/\/x" is not the address/),
    expect.stringMatching(/^MODEL_NOT_FOUND: .*"scripted"/),
    expect.stringMatching(/^CLOUD_MODEL_NOT_ALLOWED/),
  ]);
});

test('addresses are accepted in every form that users enter', () => {
  const forms = [
    'http://h:8080',
    'http://h:8080/',
    'http://h:8080/v1/',
    'http://h/v1/chat/completions',
    'https://g/v1beta/openai',
    'https://o/api/v4',
    'http://h/proxy',
  ];
  expect(forms.map(openAiBaseUrl)).toEqual([
    'http://h:8080/v1',
    'http://h:8080/v1',
    'http://h:8080/v1',
    'http://h/v1',
    'https://g/v1beta/openai',
    'https://o/api/v4',
    'http://h/proxy/v1',
  ]);
  const standard = 'http://127.0.0.1:11434';
  const hosts = [
    '',
    '0.0.0.0',
    '0.0.0.0:8000',
    ':9000',
    'box',
    'http://box:80',
    'https://box',
    '[::]:7',
  ];
  expect(hosts.map((host) => ollamaAddress(standard, host))).toEqual([
    standard,
    standard,
    'http://127.0.0.1:8000',
    'http://127.0.0.1:9000',
    'http://box:11434',
    'http://box',
    'https://box',
    'http://[::1]:7',
  ]);
  expect(ollamaAddress('http://mine:1', 'other:2')).toBe('http://mine:1');
});

test('the window: the setting of the user, then the Modelfile, then the memory, never beyond the training', () => {
  const GIB = 1024 ** 3;
  const none = { setting: null, modelfile: null, trained: null, memoryBytes: 16 * GIB };
  expect([
    chooseContextWindow(none),
    chooseContextWindow({ ...none, memoryBytes: 7.5 * GIB }),
    chooseContextWindow({ ...none, memoryBytes: 64 * GIB }),
    chooseContextWindow({ ...none, modelfile: 12_000 }),
    chooseContextWindow({ ...none, modelfile: 12_000, setting: 50_000 }),
    chooseContextWindow({ ...none, setting: 50_000, trained: 8192 }),
  ]).toEqual([16_384, 8192, 32_768, 12_000, 50_000, 8192]);
});

test('names that are forwarded to a cloud are recognised by their tag', () => {
  const names = [
    'a:cloud',
    'a:120b-cloud',
    'n/a:CLOUD',
    'a-cloud',
    'cloud',
    'a:8b',
    'a:cloud:local',
  ];
  expect(names.filter(isCloudName)).toEqual(['a:cloud', 'a:120b-cloud', 'n/a:CLOUD']);
});

test('a cloud is listed once it has a key, with its models for chat, and asked only if the key is stored', async () => {
  const names = [
    'gpt-5.6-luna',
    'gpt-5.6-luna-2026-07-09',
    'gpt-image-2',
    'gpt-6-astra',
    'gpt-4.1',
  ];
  await using cloud = await startModelServer({
    hostName: 'api.openai.com',
    apiKey: KEY,
    models: names.map((name) => ({ name })),
  });
  const asked: string[] = [];
  const list = async (parts: Parameters<typeof createTestService>[0]): Promise<unknown[]> => {
    const createAgent = (url: URL): http.Agent => {
      if (url.protocol === 'https:') asked.push(url.host);
      return unencrypted(url, cloud.url);
    };
    const servers = await createTestService({ ...parts, createAgent }).listServers(signal);
    return servers
      .filter(({ kind }) => kind === 'cloud')
      .map(({ provider, problem, models }) => ({
        provider,
        problem,
        models: models.map((model) => `${model.name}${model.cloud ? ' (cloud)' : ''}`),
      }));
  };
  const usual = ['gpt-6-astra (cloud)', 'gpt-5.6-terra (cloud)', 'gpt-5.6-luna (cloud)'];
  const stored = (value: string) => (name: string) => (name === 'openai' ? value : null);

  expect(await list({})).toEqual([]);
  const env = { OPENAI_API_KEY: KEY };
  expect(await list({ env })).toEqual([{ provider: 'openai', problem: null, models: usual }]);
  expect([asked, cloud.recording.requests]).toEqual([[], []]);

  expect(await list({ readSecret: stored(KEY) })).toEqual([
    {
      provider: 'openai',
      problem: null,
      models: ['gpt-6-astra (cloud)', 'gpt-5.6-luna (cloud)', 'gpt-4.1 (cloud)'],
    },
  ]);
  expect(await list({ readSecret: stored('sk-wrong-key') })).toEqual([
    { provider: 'openai', problem: expect.stringContaining('does not accept the key'), models: [] },
  ]);
  expect(asked).toEqual(['api.openai.com', 'api.openai.com']);
});

test('the tiers of a task with a cloud model are those of its cloud, and the choice of the user counts first', () => {
  const mine = { provider: 'ollama', name: 'small' };
  const settings = Settings.parse({ tiers: { max: null, pro: null, flash: mine } });
  const service = createTestService({ settings: () => settings });
  const plain = createTestService();
  const tiersOf = (from: ModelService, provider: string): string[] =>
    (['max', 'pro', 'flash'] as const).map((tier) => {
      const { name } = from.ofTier(tier, { provider, name: 'mine' });
      return name;
    });
  expect([
    tiersOf(plain, 'openai'),
    tiersOf(plain, 'anthropic'),
    tiersOf(plain, 'gemini'),
    tiersOf(plain, 'ollama'),
    tiersOf(service, 'openai'),
  ]).toEqual([
    ['gpt-6-astra', 'mine', 'gpt-5.6-luna'],
    ['claude-opus-5-5', 'mine', 'claude-haiku-5-5'],
    ['gemini-3.1-pro-preview', 'mine', 'gemini-3.5-flash-lite'],
    ['mine', 'mine', 'mine'],
    ['gpt-6-astra', 'mine', 'small'],
  ]);
});
