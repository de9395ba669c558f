import { expect, it } from 'vitest';
import {
  DEEPEST_JSON,
  isTooDeep,
  nestsTooDeeply,
  parseOutsideJson,
} from '#main/base/outside-json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

it('takes data as deep as any reader of it can go, and no deeper', () => {
  expect(() => JSON.stringify(parseOutsideJson(nested(DEEPEST_JSON)))).not.toThrow();
  expect(() => parseOutsideJson(nested(DEEPEST_JSON + 1))).toThrow(/nested more than 256 deep/);
  expect(() => parseOutsideJson(nested(200_000))).toThrow(SyntaxError);
});

it('counts no bracket within a text', () => {
  const text = JSON.stringify({ a: `${'['.repeat(1_000)}"\\` });
  expect([nestsTooDeeply(text), parseOutsideJson(text)]).toEqual([false, JSON.parse(text)]);
});

it('measures values that came as such; one that holds itself has no end', () => {
  const ring: Record<string, unknown> = {};
  ring.self = ring;
  const values = [JSON.parse(nested(100)), JSON.parse(nested(20_000)), ring, null, 'text'];
  expect(values.map(isTooDeep)).toEqual([false, true, true, false, false]);
});
