import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortenJson } from '#main/tools/shorten-result.ts';
import { trials } from '../../setup/sampling.ts';

it('keeps the shape of a long result, and says what is missing in texts, lists and records', () => {
  const answer = {
    skill_id: 'x',
    output: {
      text: `BEGIN${'😀'.repeat(20_000)}END`,
      rows: Array.from({ length: 5_000 }, (_, n) => ({ n })),
      fields: Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`f${n}`, n])),
    },
    success: true,
  };
  const { content, omittedChars } = shortenJson(JSON.stringify(answer, null, 2), 24_000);
  const short = JSON.parse(content);
  expect([short.skill_id, short.success, content.length <= 24_000]).toEqual(['x', true, true]);
  expect(omittedChars).toBe(JSON.stringify(answer, null, 2).length - content.length);
  expect([short.output.text.startsWith('BEGIN😀'), short.output.text.endsWith('😀END')]).toEqual([
    true,
    true,
  ]);
  expect(short.output.text.isWellFormed()).toBe(true);
  expect(short.output.rows[0]).toEqual({ n: 0 });
  expect(short.output.rows.at(-1)).toMatch(/^\[… \d+ more items left out here …\]$/);
  expect(short.output.fields['…']).toMatch(/^\[… \d+ more fields left out here …\]$/);
});

it('gives JSON within the limit for every JSON, and cuts text as text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.string({ minLength: 3_000 }), (some, long) => {
      const content = JSON.stringify({ some, long, again: [some, long] });
      const short = shortenJson(content, 3_000).content;
      expect(() => JSON.parse(short)).not.toThrow();
      expect(short.length).toBeLessThanOrEqual(3_000);
    }),
    trials(300, { name: 'shortened JSON', size: 60 }),
  );
  const wide = (depth: number): unknown =>
    depth === 0 ? 'x'.repeat(50) : Array.from({ length: 4 }, () => wide(depth - 1));
  for (const value of [wide(8), { ['k'.repeat(50_000)]: 1 }, [['"'.repeat(50_000)]]]) {
    const short = shortenJson(JSON.stringify(value), 1_000).content;
    expect([typeof JSON.parse(short), short.length <= 1_000]).toEqual(['object', true]);
  }
  expect(shortenJson('x'.repeat(5_000), 1_000).content).toContain('characters left out here');
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  expect(shortenJson(deep, 1_000).content).toContain('characters left out here');
  expect(shortenJson('{"__proto__":{"a":1}}', 1_000).content).toBe('{"__proto__":{"a":1}}');
});
