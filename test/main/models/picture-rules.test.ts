import { expect, test } from 'vitest';
import { pictureRules } from '#main/models/pictures/picture-rules.ts';
import type { ChatMessage } from '#main/models/types.ts';
import { TokenEstimator } from '#main/models/window/token-estimate.ts';

/** Sizes with the counts that makers of models publish, or that follow from their rule by hand. */
const PUBLISHED: readonly (readonly [string, string, number, number, number])[] = [
  // OpenAI: "a 1024 × 1024 image in high costs 765, a 2048 × 4096 one 1105".
  ['openai', 'gpt-4o', 1_024, 1_024, 765],
  ['openai', 'gpt-4o', 2_048, 4_096, 1_105],
  ['openai', 'gpt-4.1', 1_024, 1_024, 765],
  ['openai', 'gpt-5', 1_024, 1_024, 630],
  ['openai', 'o3', 1_024, 1_024, 675],
  ['openai', 'gpt-4o-mini', 1_024, 1_024, 25_501],
  // "A 1024 × 1024 image is 1024 patches; a 1800 × 2400 one is made smaller to 1452": times 1.62, 1.72, 2.46.
  ['openai', 'gpt-4.1-mini', 1_024, 1_024, 1_659],
  ['openai', 'gpt-4.1-mini', 1_800, 2_400, 2_353],
  ['openai', 'o4-mini', 1_024, 1_024, 1_762],
  ['openai', 'gpt-5-nano', 1_024, 1_024, 2_520],
  ['openai', 'gpt-5.6-terra', 1_024, 1_024, 1_024],
  // Anthropic: patches of 28 pixels; "1092 × 1092 about 1,590, 1000 × 1000 about 1,334, 200 × 200 about 54".
  ['anthropic', 'claude-sonnet-5-5', 1_092, 1_092, 1_521],
  ['anthropic', 'claude-sonnet-5-5', 1_000, 1_000, 1_296],
  ['anthropic', 'claude-sonnet-5-5', 784, 1_568, 1_568],
  // Google: 258 up to 384 pixels, else 258 a tile; "960 × 540 has 6 tiles". From Gemini 3 on 1,120.
  ['gemini', 'gemini-2.5-flash', 384, 384, 258],
  ['gemini', 'gemini-2.5-flash', 960, 540, 1_548],
  ['gemini', 'gemini-3.8-flash', 960, 540, 1_120],
  // Qwen: a token for 28 × 28 pixels, from Qwen3-VL on 32 × 32. Ollama makes it 1,024 at least.
  ['lm-studio', 'qwen2.5-vl-7b-instruct', 840, 560, 600],
  ['lm-studio', 'qwen3-vl-8b', 640, 640, 400],
  ['ollama', 'qwen2.5vl:7b', 280, 280, 1_024],
  ['ollama', 'qwen3-vl:8b', 1_120, 1_120, 1_225],
  // Fixed counts.
  ['ollama', 'gemma3:12b', 3_000, 2_000, 256],
  ['ollama', 'llava:13b', 3_000, 2_000, 576],
  ['ollama', 'moondream', 3_000, 2_000, 729],
  // Pixtral: a row of 1024 pixels is 64 patches of 16, here 37 of 28 and the end of the row.
  ['vllm', 'mistral-small-3.2-24b', 1_036, 1_036, 1_406],
];

test.each(PUBLISHED)('%s %s: a picture of %i × %i', (provider, name, width, height, published) => {
  const rules = pictureRules({ provider, name });
  const counted = rules.tokens(rules.sizeFor({ width, height }));
  expect(Math.abs(counted - published) / published).toBeLessThanOrEqual(0.05);
});

const MODELS = [
  ...new Set(PUBLISHED.map(([provider, name]) => `${provider}:${name}`)),
  'x:unknown',
];

test.each(MODELS)('%s: a picture gets smaller, keeps its shape, and stays what it is', (model) => {
  const [provider = '', name = ''] = model.split(/:(.*)/s);
  const rules = pictureRules({ provider, name });
  for (const [width, height] of [
    [1, 1],
    [16, 9],
    [1_920, 1_080],
    [2_048, 40],
    [3, 20_000],
    [8_000, 8_000],
  ] as const) {
    const sent = rules.sizeFor({ width, height });
    expect(sent.width).toBeLessThanOrEqual(width);
    expect(sent.height).toBeLessThanOrEqual(height);
    expect(Math.max(sent.width, sent.height)).toBeLessThanOrEqual(2_048);
    expect(Math.abs(sent.width - (width / height) * sent.height)).toBeLessThanOrEqual(
      1 + width / height,
    );
    // The server finds nothing left to do.
    expect(rules.sizeFor(sent)).toEqual(sent);
    expect(rules.tokens(sent)).toBeGreaterThan(0);
  }
});

test('pictures are counted by their rule, whatever the estimate for text has learnt', () => {
  const { tokens, sizeFor } = pictureRules({ provider: 'openai', name: 'gpt-4o' });
  const estimator = new TokenEstimator(null, (size) => tokens(sizeFor(size)));
  const picture = { name: 'a.png', sha256: 'a'.repeat(64), mimeType: 'image/png' as const };
  const plain: ChatMessage = { role: 'user', content: 'Look at this '.repeat(100) };
  const seen: ChatMessage = { ...plain, pictures: [{ ...picture, width: 1_024, height: 1_024 }] };
  const textTokens = estimator.message(plain);
  expect(estimator.message(seen)).toBe(textTokens + 765);
  // The server counts twice the text.
  estimator.learn(textTokens + 765, textTokens * 2 + 765, 765);
  expect(estimator.message(seen) - estimator.message(plain)).toBe(765);
  expect(estimator.message(plain) / textTokens).toBeCloseTo(2 * 1.08, 1);
});
