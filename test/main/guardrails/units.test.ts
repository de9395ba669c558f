import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mapUnits, reversed } from '#main/guardrails/units.ts';

const TEXTS = fc.string({ unit: 'binary', maxLength: 30 });

it('turns a text from its end, and no character with it; halves of characters stay what they are', () => {
  expect(reversed('a\u{1f642}\ud800b\udc00\ud83d')).toBe('\ud83d\udc00b\ud800\u{1f642}a');
  fc.assert(fc.property(TEXTS, (text) => reversed(text) === [...text].reverse().join('')));
  expect(reversed('caf\u00e9')).toBe('\u00e9fac');
});

it('changes units one by one, above the first byte too', () => {
  const next = (unit: number): number => (unit < 0x7f ? unit + 1 : unit === 0x430 ? 0x61 : unit);
  expect([mapUnits('a\u00e9', next), mapUnits('a\u0430\u0431\u{1f642}\ud800', next)]).toEqual([
    'b\u00e9',
    'ba\u0431\u{1f642}\ud800',
  ]);
});
