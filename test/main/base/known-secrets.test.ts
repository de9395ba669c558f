import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formsOfSecret, KnownSecrets, REDACTED_KEY } from '#main/base/known-secrets.ts';

const KEY = `sk-${randomBytes(12).toString('base64url')}/a"b\\c+=`;
const OTHER = `other-${randomBytes(12).toString('hex')}`;

function knowing(...secrets: string[]): KnownSecrets {
  const known = new KnownSecrets();
  for (const secret of secrets) known.register(secret);
  return known;
}

function inPieces(known: KnownSecrets, pieces: Iterable<string>): string {
  const stream = known.stream();
  let shown = '';
  for (const piece of pieces) shown += stream.push(piece);
  return shown + stream.end();
}

const unicode = (text: string): string =>
  [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Encodings of a key, none of which hides it. */
const FORMS: Readonly<Record<string, string>> = {
  plain: KEY,
  JSON: JSON.stringify(KEY).slice(1, -1),
  'JSON in JSON': JSON.stringify(JSON.stringify(KEY)).slice(3, -3),
  'JSON, all of it escaped': unicode(KEY),
  'JSON, half of it escaped': unicode(KEY.slice(0, 9)) + JSON.stringify(KEY.slice(9)).slice(1, -1),
  'JSON with escaped slashes': JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/'),
  address: encodeURIComponent(KEY),
  'address in small letters': encodeURIComponent(KEY)
    .toLowerCase()
    .replace(/.*/, () =>
      encodeURIComponent(KEY).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    ),
  'address, all of it': [...Buffer.from(KEY)]
    .map((b) => `%${b.toString(16).padStart(2, '0')}`)
    .join(''),
  hex: Buffer.from(KEY).toString('hex'),
  HEX: Buffer.from(KEY).toString('hex').toUpperCase(),
  base64: Buffer.from(KEY).toString('base64'),
  'base64, JSON': JSON.stringify(Buffer.from(KEY).toString('base64'))
    .slice(1, -1)
    .replaceAll('/', '\\/'),
  'the same character before': `s${KEY}`,
  'a percent sign before': `%${KEY}`,
  'a backslash before': `\\${KEY}`,
};

describe('known secrets', () => {
  it('are removed in each form, and the text around them stays', () => {
    const known = knowing(KEY, OTHER);
    const left = Object.entries(FORMS).map(([name, form]) => [name, known.text(`a ${form} b`)]);
    const around = (name: string | undefined) =>
      name === 'the same character before' ? 's' : /percent/.test(name ?? '') ? '%' : '';
    for (const [name, text] of left.filter(([name]) => name !== 'a backslash before')) {
      expect([name, text]).toEqual([name, `a ${around(name)}${REDACTED_KEY} b`]);
    }
  });

  it('are removed from base64 at any offset of a longer text', () => {
    const known = knowing(KEY);
    for (const before of ['', 'x', 'xy', 'user:']) {
      for (const coding of ['base64', 'base64url'] as const) {
        const text = known.text(`t ${Buffer.from(`${before}${KEY}z`).toString(coding)} t`);
        const rest = text.replace(REDACTED_KEY, '');
        expect(text).toContain(REDACTED_KEY);
        expect(rest.length).toBeLessThan(before.length * 2 + 12);
      }
    }
  });

  it('are removed wherever a stream is cut, with the same result', () => {
    const known = knowing(KEY, OTHER, `${OTHER}-2`);
    for (const [name, form] of Object.entries(FORMS)) {
      const text = `before ${form} between ${OTHER} and ${OTHER}-2 ${KEY}${OTHER}.`;
      const whole = known.text(text);
      expect([name, whole.includes(OTHER), whole.includes(form)]).toEqual([name, false, false]);
      expect([name, inPieces(known, text)]).toEqual([name, whole]);
      for (let at = 1; at < text.length; at += 1) {
        const halves = inPieces(known, [text.slice(0, at), text.slice(at)]);
        if (halves !== whole) expect([name, at, halves]).toEqual([name, at, whole]);
      }
    }
  });

  it('delay only what may be the start of one', () => {
    const known = knowing(OTHER);
    const stream = known.stream();
    const steps = [...`No secret here; ${OTHER.slice(0, 10)}! Other words.`].map((letter) => {
      const shown = stream.push(letter);
      return [letter, shown];
    });
    let open = '';
    for (const [letter, shown] of steps) {
      open += letter;
      expect(open.startsWith(shown ?? '')).toBe(true);
      open = open.slice(shown?.length);
      expect(formsOfSecret(OTHER).some((form) => form.startsWith(open))).toBe(true);
    }
    expect(stream.end()).toBe('');
  });

  it('show at most seven characters where a stream pauses', () => {
    const stream = knowing(OTHER).stream();
    let shown = '';
    for (const letter of OTHER) shown += stream.push(letter) + stream.flushPrefix();
    expect(shown + stream.end()).toBe(`${OTHER.slice(0, 7)}${REDACTED_KEY}`);
    const other = knowing(OTHER).stream();
    const words = other.push('see others') + other.flushPrefix() + other.push(' too') + other.end();
    expect(words).toBe('see others too');
  });

  it('are removed from values, names and numbers, at any depth, and nothing else changes', () => {
    const known = knowing(KEY, '4242424242424242');
    const date = new Date();
    const clean = { a: [1, { b: 'text' }], date, long: 'x'.repeat(10_000) };
    expect(known.value(clean)).toBe(clean);
    expect(known.value({ ...clean, [KEY]: [KEY, 4242424242424242, null, true] })).toEqual({
      ...clean,
      [REDACTED_KEY]: [REDACTED_KEY, REDACTED_KEY, null, true],
    });
    let deep: unknown = KEY;
    for (let i = 0; i < 20_000; i += 1) deep = [deep];
    let inner = known.value(deep);
    while (Array.isArray(inner)) inner = inner[0];
    expect(inner).toBe(REDACTED_KEY);
    const proto = JSON.parse(`{"__proto__": {"a": ${JSON.stringify(KEY)}}}`) as object;
    expect(JSON.stringify(known.value(proto))).toBe(`{"__proto__":{"a":"${REDACTED_KEY}"}}`);
  });

  it('are not words: short ones and dummy keys from manuals stay', () => {
    const known = knowing('short12', 'lm-studio', 'not-needed', 'sk-no-key-required', '');
    const text = 'short12 lm-studio not-needed sk-no-key-required';
    expect([known.isEmpty, known.text(text)]).toEqual([true, text]);
  });

  it.each([
    ...['terminal', 'complete', 'assistant', 'execute_code', 'terminal_complete', 'two words'],
    ...[
      '00000000',
      '0000000000000000000000',
      '20261123',
      '2026-11-23',
      '127.0.0.1',
      '::ffff:10.0.0.1',
    ],
    ...[
      'localhost',
      'localhost:11434',
      '192.168.100.100:11434',
      '[fe80::1]:8080',
      'пароль',
      '\\\\\\\\\\\\\\\\',
    ],
  ])('do not include %s', (word) => expect(knowing(word).isEmpty).toBe(true));

  it.each(['%41%42%43', '%2e%2e%2e', '%20%20%20%20%20%20', 'C:\\\\\\\\\\\\\\'])(
    'do not match a few characters that occur everywhere: %s',
    (key) => {
      const text = 'ABC ... "C:\\Users\\\\x" C:\\ \\n      end';
      expect(knowing(key).text(text)).toBe(text);
      expect(knowing(key).text(`a ${key} b`)).toBe(`a ${REDACTED_KEY} b`);
    },
  );

  it('are found behind what looks like the start of an escape', () => {
    const hex = 'ab12cd34ef56ab12cd34ef56ab12cd34';
    const known = knowing(hex);
    const last = hex.slice(0, -1);
    for (const before of ['%', '%1', '100%', '\\u', '\\\\u00']) {
      for (const end of ['%34', '\\u0034']) {
        const text = `x ${before}${last}${end} y`;
        expect(known.text(text)).toBe(`x ${before}${REDACTED_KEY} y`);
        expect(inPieces(known, text)).toBe(known.text(text));
      }
    }
  });

  it.each([
    ['abc\\ndefgh1', 'abc\ndefgh1'],
    ['tab\\there12', 'tab\there12'],
    ['\\\\srv\\nas01', '\\\\srv\\nas01'],
    ['back\\slash12', 'back\\slash12'],
  ])('are removed from what runs as from what is shown: %j', (key, text) => {
    const known = knowing(key);
    const runs = known.value({ code: `echo ${text}; echo on` });
    expect(known.text(JSON.stringify(runs))).toBe(JSON.stringify(runs));
  });

  it('leave discriminators alone, and stored JSON stays valid', () => {
    const known = knowing('terminalcompleteness', '\\"},{\\"a1');
    const kinds = { type: 'terminalcompleteness', text: 'terminalcompleteness "},{"a1' };
    expect(known.value(kinds)).toMatchObject({ type: kinds.type });
    const stored = JSON.parse(known.stored(JSON.stringify(kinds))) as typeof kinds;
    expect([stored.type, stored.text.includes('terminal')]).toEqual([kinds.type, false]);
    expect(known.stored('see terminalcompleteness')).toBe(`see ${REDACTED_KEY}`);
  });

  it('cost one pass over the text, however many there are', () => {
    const secretsOf = (count: number) =>
      knowing(
        ...Array.from({ length: count }, () => `sk-${randomBytes(24).toString('base64url')}`),
      );
    const text = 'Some sk-words of a text, with % and \\ in it. '.repeat(6_000);
    const cpuOf = (known: KnownSecrets): number => {
      known.text('warm up, and build what is searched with');
      const times = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        expect(known.text(text)).toBe(text);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...times);
    };
    const one = cpuOf(secretsOf(1));
    const many = cpuOf(secretsOf(40));
    console.log(
      `Known secrets: ${text.length} characters, CPU ${one} µs with 1, ${many} µs with 40`,
    );
    expect(many).toBeLessThan(one * 10);
  });

  it('that repeat themselves without end are not buffered forever', () => {
    const known = knowing('abababababab');
    const stream = known.stream();
    let shown = 0;
    for (let i = 0; i < 4_000; i += 1) shown += stream.push('abab').length;
    expect(shown).toBeGreaterThan(0);
    expect(stream.end()).not.toContain('abababababab');
  });
});
