import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mapUnits, reversed } from '#main/guardrails/units.ts';

const TEXTS = fc.string({ unit: 'binary', maxLength: 30 });

it('turns a text from its end, and no character with it; halves of characters stay what they are', () => {
  expect(reversed('a\u{1f642}\ud800b\udc00\ud83d')).toBe('\ud83d\udc00b\ud800\u{1f642}a');
  fc.assert(fc.property(TEXTS, (text) => reversed(text) === [...text].reverse().join('')));
});

it('changes units one by one, above the first byte too', () => {
  expect(mapUnits('a\u0430\u{1f642}\ud800', (unit) => (unit < 0x500 ? unit + 1 : unit))).toBe(
    'b\u0431\u{1f642}\ud800',
  );
  expect(mapUnits('a', () => 0x0430)).toBe('\u0430');
});
