import { expect, onTestFinished, test } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import { createTestService, openOn, send } from './harness.ts';

test.each([
  ['llama.cpp, from /props', 'props'],
  ['LM Studio, from its loaded instances', 'instances'],
] as const)(
  'the window that a server has loaded is read next to /v1: %s',
  async (_server, windowKey) => {
    await using setup = await openOn('openai-compatible', {
      v1: { windowKey },
      defaultContext: 8192,
      turns: [{ steps: [{ text: 'ok' }] }],
    });
    const before = setup.model.contextWindow;
    await send(setup.model);
    while (setup.model.contextWindow === null) await new Promise((done) => setTimeout(done, 5));
    expect([before, setup.model.contextWindow]).toEqual([null, 8192]);
  },
);

test.each([
  ['LM Studio', 'instances', 32_768],
  ['llama.cpp', 'meta', 131_072],
] as const)(
  'the list names the trained window and the smaller one that %s has loaded',
  async (_name, windowKey, trained) => {
    const models = [{ name: 'm:latest', trainedContext: 131_072 }];
    const server = await startModelServer({ models, v1: { windowKey } });
    onTestFinished(() => server.close());
    const settings = () =>
      Settings.parse({
        servers: [{ name: 'mine', baseUrl: `${server.url}/v1` }],
        ollamaUrl: 'http://127.0.0.1:1',
      });
    const servers = await createTestService({ settings }).listServers(new AbortController().signal);
    const listed = servers.find(({ provider }) => provider === 'mine')?.models[0];
    expect([listed?.contextWindow, listed?.loadedWindow]).toEqual([trained, 4_096]);
  },
);

test('the list names the window with which Ollama has loaded a model, and none for others', async () => {
  const models = [
    { name: 'm', trainedContext: 131_072 },
    { name: 'other', trainedContext: 131_072 },
  ];
  const server = await startModelServer({ models, turns: [{ steps: [{ text: 'ok' }] }] });
  onTestFinished(() => server.close());
  const settings = () => Settings.parse({ ollamaUrl: server.url, contextWindow: 8_192 });
  const service = createTestService({ settings });
  await using model = await service.open(
    { provider: 'ollama', name: 'm' },
    { signal: new AbortController().signal },
  );
  await send(model);
  const servers = await service.listServers(new AbortController().signal);
  const listed = servers.find(({ provider }) => provider === 'ollama')?.models ?? [];
  expect(listed.map(({ contextWindow, loadedWindow }) => [contextWindow, loadedWindow])).toEqual([
    [131_072, 8_192],
    [131_072, undefined],
  ]);
});
