import { expect, test } from 'vitest';
import { pictureKind } from '#main/pictures/picture-kind.ts';
import { expectLinearWork } from '../../setup/growth.ts';

const kindOf = (text: string): string | null => pictureKind(Buffer.from(text));

test.each([
  ['<svg>', 'svg'],
  ['\ufeff<?xml version="1.0"?>\n<!-- a --><!-- b -->\n<svg width="1">', 'svg'],
  ['<!DOCTYPE svg [<!ENTITY a "]">]><!-- a --><svg>', 'svg'],
  ['<!-- a --><html><svg>', null],
  ['<!-- <svg> -->', null],
])('a text is a drawing by its first element: %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

test.each(['<!---->', '<!DOCTYPE svg[]>'])('what has no first element is read once: %s', (unit) => {
  expectLinearWork((units) => `${unit.repeat(units)}x`, kindOf, 3);
});
