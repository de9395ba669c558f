import { expect, it } from 'vitest';
import { scenarioOf } from '#main/agents/research/depth.ts';

it('guesses the scenario from the words of a question', () => {
  expect(
    [
      'What do clinical studies say about fasting?',
      'Which vendors lead the market for heat pumps, and at what prices?',
      'How does the QUIC protocol recover from loss?',
      'What was announced this week about the election?',
      '最新的新闻有哪些？',
      'What is a fjord?',
    ].map(scenarioOf),
  ).toEqual(['academic', 'market', 'technical', 'news', 'news', 'technical']);
});
