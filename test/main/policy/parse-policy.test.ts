import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parsePolicy } from '#main/policy/parse-policy.ts';
import { readPolicy } from '#main/policy/read-policy.ts';
import { file } from '#main/policy/sources.ts';
import type { PolicyState } from '#main/policy/types.ts';

/**
 * Policy files that another wrote from docs/administrators.md alone, without sight of the code. Two of them were decided
 * otherwise afterwards (`decided`).
 */
const Cases = z.array(
  z.looseObject({
    name: z.string(),
    text: z.string().optional(),
    base64: z.string().optional(),
    /** A text, how often it stands there, and what stands between; `#` in it counts. */
    parts: z.array(z.tuple([z.string(), z.int()]).rest(z.string())).optional(),
    valid: z.boolean(),
    line: z.int().nullish(),
    about: z.string().default(''),
    expect: z.record(z.string(), z.unknown()).default({}),
  }),
);
const CASES = Cases.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/policy/blind.json'), 'utf8')),
);
const dir = mkdtempSync(join(tmpdir(), 'hyperagent-policy-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function bytesOf({ text = '', base64, parts }: (typeof CASES)[number]): Buffer {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  const whole = (parts ?? []).map(([part, count, between = '']) =>
    Array.from({ length: count }, (_, index) => part.replace('#', String(index))).join(between),
  );
  return Buffer.from(text + whole.join(''));
}

/** What of the expectation does not hold. */
function misses(expected: (typeof CASES)[number], found: PolicyState): string[] {
  if (expected.valid !== (found.state === 'holds')) return [`is ${found.state}`];
  if (found.state === 'invalid') {
    const [first = { line: null, text: '' }] = found.problems;
    const isThere = expected.line == null || expected.line === first.line;
    const isNamed = first.text.toLowerCase().includes(expected.about.toLowerCase());
    return isThere && isNamed ? [] : [`${first.line}: ${first.text}`];
  }
  if (found.state !== 'holds') return [];
  const { document, locked, defaults } = found.policy;
  // The switch in the title bar goes with the network.
  const { egressWhenOn, ...own } = locked;
  const wanted = expected.expect;
  const settings = { defaults, locked: 'egressWhenOn' in Object(wanted.locked) ? locked : own };
  const held: Readonly<Record<string, unknown>> = { ...document, ...settings };
  return Object.entries(wanted).flatMap(([name, value]) =>
    JSON.stringify(held[name]) === JSON.stringify(value)
      ? []
      : [`${name}: ${JSON.stringify(held[name])}`],
  );
}

describe('policy files written blind', () => {
  it.each(CASES)('$name', (one) => {
    const path = join(dir, 'policy.json');
    writeFileSync(path, bytesOf(one));
    expect(misses(one, readPolicy([file(path)]))).toEqual([]);
  });

  it('are many, of both kinds', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(270);
    expect(CASES.filter(({ valid }) => valid).length).toBeGreaterThanOrEqual(35);
  });
});

it('lists every problem of a file, up to twenty', () => {
  const two = parsePolicy('{\n  "settings": { "egres": 1 },\n  "sandboxes": ["chroot"]\n}');
  expect(two).toEqual({
    ok: false,
    problems: [
      expect.objectContaining({ line: 3, text: expect.stringMatching(/^sandboxes\[0\]: /) }),
    ],
  });
  const many = parsePolicy(
    JSON.stringify({
      settings: Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`x${n}`, 1])),
    }),
  );
  expect(many.ok ? [] : many.problems).toHaveLength(20);
  const repeated = parsePolicy(`{"settings":{${'"x":0,\n'.repeat(33_000)}"y":1}}`);
  expect(repeated.ok ? [] : repeated.problems).toHaveLength(20);
});

it('never throws, whatever a damaged file holds', () => {
  const good = JSON.stringify(CASES.find(({ valid }) => valid)?.text ?? '{"settings":{}}');
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '\\',
    '/*',
    '*/',
    '//',
    '\n',
    '\u0000',
    '__proto__',
    '1e9',
  ];
  let seed = 7;
  const next = (limit: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % limit;
  };
  for (let round = 0; round < 2_000; round += 1) {
    const at = next(good.length);
    const text = `${good.slice(0, at)}${pieces[next(pieces.length)]}${good.slice(at + next(5))}`;
    expect(() => parsePolicy(text), text).not.toThrow();
  }
});
