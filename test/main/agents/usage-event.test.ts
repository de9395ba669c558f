import { expect, it } from 'vitest';
import { usageEvent } from '#main/agents/usage-event.ts';
import type { ChatModel, ModelReply } from '#main/models/types.ts';

const MODEL = { ref: { provider: 'llama-cpp', name: 'a' }, contextWindow: null } as ChatModel;
const REPLY: ModelReply = {
  ...{ content: 'x'.repeat(320), reasoning: 'y'.repeat(32), toolCalls: [], invalidToolCalls: [] },
  ...{
    finish: 'stop',
    usage: { durationMs: 5 },
    requestBytes: 10,
    prefix: { hit: true, bytes: 4 },
  },
};

it('estimates the answer where the server reports no count, and only there', () => {
  const estimate = (reply: Partial<ModelReply>) =>
    usageEvent({ ...REPLY, ...reply }, MODEL, 1).completionEstimate;
  expect(estimate({})).toBe(110);
  expect(estimate({ toolCalls: [{ id: 'c', name: 'look', arguments: {} }] })).toBeGreaterThan(115);
  expect(estimate({ usage: { durationMs: 5, completionTokens: 0 } })).toBeUndefined();
});
