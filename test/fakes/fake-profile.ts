import type { ModelRef } from '#contract/entities.ts';
import { type ModelProfile, type TierRecommendation, unknownProfile } from '#contract/models.ts';

/** A model that was used and checked. */
export function fakeProfile(model: ModelRef): ModelProfile {
  const item = { detail: 'it called get_weather({"city":"Oslo"})', durationMs: 900 };
  return {
    ...unknownProfile(model, 1),
    ...{ trainedContext: 40_960, loadedContext: 16_384, tools: true, toolMeans: 'native' },
    ...{ thinking: true, vision: false, jsonSchema: true, tokensPerSecond: 21.4 },
    coldLoadMs: 8_200,
    reportCard: {
      at: 1,
      verdict: 'Good for everyday tasks, too weak for app building; calls tools natively.',
      tiers: ['pro', 'flash'],
      items: [
        { ...item, id: 'one_call', label: 'One tool call', outcome: 'passed' },
        { ...item, id: 'two_calls', label: 'Two tool calls at once', outcome: 'failed' },
        { ...item, id: 'vision', label: 'Seeing an image', outcome: 'skipped' },
      ],
    },
  };
}

const model = { provider: 'ollama', name: 'qwen3:8b' };

export const FAKE_RECOMMENDATIONS: TierRecommendation[] = [
  { tier: 'max', model, reason: 'It calls tools.' },
  { tier: 'pro', model, reason: 'It calls tools.' },
  { tier: 'flash', model: null, reason: 'No installed model fits.' },
];
