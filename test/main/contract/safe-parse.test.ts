import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';

/** What JSON can hold in the place of a length, so that it cannot be compared with a number. */
const HOSTILE: readonly unknown[] = [
  { toString: 0 },
  { toString: null, valueOf: 1 },
  { toString: {} },
];

describe('a value from outside', () => {
  const schemas = {
    'a text': z.string().max(5),
    'a text with a least length': z.string().min(1),
    'a list': z.array(z.string()).max(5),
    'a field': z.object({ name: z.string().max(5) }),
    'one of two': z.union([z.string().max(5), z.number()]),
  };

  it.each(Object.entries(schemas))('is refused as %s, whatever its length is', (_, schema) => {
    for (const length of HOSTILE) {
      const value = { length, name: { length } };
      expect(safeParse(schema, value)).toMatchObject({
        success: false,
        error: { issues: [expect.anything()] },
      });
      expect(safeParse(schema, value).error?.issues[0]?.message).not.toBe('');
    }
  });

  it('is what its schema makes of it otherwise', () => {
    expect(safeParse(z.string().max(5), 'tea')).toEqual({ success: true, data: 'tea' });
    expect(safeParse(z.string().max(5), 'too long').error?.issues[0]?.code).toBe('too_big');
    expect(safeParse(z.object({}).loose(), { length: { toString: 0 } }).success).toBe(true);
  });

  it('does not hide what a schema of the app itself throws', () => {
    const broken = z.string().transform(() => {
      throw new TypeError('a fault of the app');
    });
    expect(() => safeParse(broken, 'tea')).toThrow('a fault of the app');
  });
});
