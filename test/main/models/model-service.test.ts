import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Settings } from '#contract/entities.ts';
import { chooseContextWindow, isCloudName } from '#main/models/ollama/ollama-profile.ts';
import { openAiBaseUrl } from '#main/models/openai/base-url.ts';
import { ollamaAddress } from '#main/models/providers.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
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
    await send(model, { maxOutputTokens: 9 });
    const [request] = fake.recording.to('/v1/chat/completions').slice(-1);
    sentKeys.push(request?.headers.authorization);
    expect(request?.json).toMatchObject({ max_completion_tokens: 9 });
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
