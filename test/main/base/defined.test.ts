import { expect, it } from 'vitest';
import { defined } from '#contract/defined.ts';

it('drops what is undefined, and nothing else, in order', () => {
  const given: { a: number; b: string | undefined; c: null; d: string | undefined; e: false } = {
    a: 0,
    b: undefined,
    c: null,
    d: '',
    e: false,
  };
  const kept = defined(given);
  expect(Object.entries(kept)).toEqual([
    ['a', 0],
    ['c', null],
    ['d', ''],
    ['e', false],
  ]);
  // The types say the same: `a` stays required, and an optional field cannot be undefined.
  const typed: { readonly a: number; readonly b?: string } = kept;
  expect('b' in typed).toBe(false);
});
