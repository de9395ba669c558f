import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextParts } from '../../src-renderer/store/context-parts.ts';

const tokens = fc.integer({ min: 0, max: 200_000 });
const parts = fc.record({
  ...{ system: tokens, instructions: tokens, tools: tokens, history: tokens },
  ...{ attachments: tokens, reserve: tokens },
});

describe('the parts of the context', () => {
  it('sum up to the window, and those of the prompt to what the server counted', () => {
    fc.assert(
      fc.property(parts, tokens, fc.option(tokens), (given, used, contextWindow) => {
        const rows = contextParts(given, used, contextWindow);
        const sum = (wanted: (part: string) => boolean): number =>
          rows.filter(({ part }) => wanted(part)).reduce((all, one) => all + one.tokens, 0);
        if (
          given.system + given.instructions + given.tools + given.history + given.attachments ===
          0
        )
          return rows.length === 0;
        const isPrompt = (part: string): boolean => part !== 'reserve' && part !== 'free';
        expect(sum(isPrompt)).toBe(used);
        expect(sum(() => true)).toBe(Math.max(used, contextWindow ?? 0));
        expect(rows.every((row) => row.tokens > 0)).toBe(true);
        return true;
      }),
    );
  });

  it('leave out what is empty, and keep the shares of the estimate', () => {
    const given = { system: 100, tools: 300, history: 600, reserve: 500 };
    expect(contextParts(given, 2_000, 4_000)).toEqual([
      { part: 'system', tokens: 200 },
      { part: 'tools', tokens: 600 },
      { part: 'history', tokens: 1_200 },
      { part: 'reserve', tokens: 500 },
      { part: 'free', tokens: 1_500 },
    ]);
  });
});
