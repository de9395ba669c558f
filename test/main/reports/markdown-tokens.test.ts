import { expect, it } from 'vitest';
import { fromMarkdown } from '#main/reports/markdown-tokens.ts';

const spend = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

it('what takes long only at its first use is made of the tokens all the same', async () => {
  let attempts = 0;
  const kinds = await fromMarkdown('# Title\n\nText', (tokens) => {
    attempts += 1;
    if (attempts === 1) spend(500);
    return tokens.map(({ type }) => type);
  });
  expect(kinds).toEqual(['heading', 'space', 'paragraph']);
  expect(attempts).toBeGreaterThan(1);
});

it('what takes long every time is passed on line by line', async () => {
  const kinds = await fromMarkdown('# Title\n\nText', (tokens) => {
    if (tokens[0]?.type === 'heading') spend(500);
    return tokens.map(({ type }) => type);
  });
  expect(new Set(kinds)).toEqual(new Set(['code']));
});
