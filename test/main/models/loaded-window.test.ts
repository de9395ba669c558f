import { expect, test } from 'vitest';
import { openOn, send } from './harness.ts';

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
