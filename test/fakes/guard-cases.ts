import { readFileSync } from 'node:fs';

/** An attack and a harmless text that looks like it. */
export interface GuardCase {
  readonly place: 'input' | 'output' | 'arguments' | 'results';
  readonly kind: string;
  readonly attack: string;
  readonly twin: string;
  /** For arguments: the field they stand in; `code` is run, others are not. */
  readonly field?: string;
  /** For output: what of the twin stands in the conversation already. */
  readonly seen?: string;
}

/** The cases of a set, one JSON object a line, with what is written as `{{way:text}}` disguised so. */
export function readGuardCases(file: string): GuardCase[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const entry = JSON.parse(line) as GuardCase;
      return { ...entry, attack: expand(entry.attack), twin: expand(entry.twin) };
    });
}

function expand(text: string): string {
  return text.replace(/\{\{([a-z0-9]+):([^}]*)\}\}/g, (whole, way: string, inner: string) => {
    return DISGUISES[way]?.(inner) ?? whole;
  });
}

const letters = (text: string, change: (letter: string) => string): string =>
  [...text].map(change).join('');

const shifted =
  (lower: number, upper: number) =>
  (letter: string): string => {
    const code = letter.charCodeAt(0);
    if (/[a-z]/.test(letter)) return String.fromCodePoint(code - 97 + lower);
    if (/[A-Z]/.test(letter)) return String.fromCodePoint(code - 65 + upper);
    return letter;
  };

const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{ a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у', v: 'ν' },
  ...{ A: 'Α', I: 'Ι', O: 'Ο', Y: 'Υ', D: 'D' },
};
const LEET: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };

const DISGUISES: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  url: (text) => letters(text, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (one) =>
      String.fromCharCode(one.charCodeAt(0) + (one.toLowerCase() < 'n' ? 13 : -13)),
    ),
  reverse: (text) => [...text].reverse().join(''),
  zw: (text) => [...text].join('\u200b'),
  spaced: (text) =>
    text
      .split(' ')
      .map((word) => [...word].join(' '))
      .join('   '),
  leet: (text) => letters(text, (one) => LEET[one] ?? one),
  homoglyph: (text) => letters(text, (one) => LOOKALIKES[one] ?? one),
  fullwidth: (text) => letters(text, shifted(0xff41, 0xff21)),
  circled: (text) => letters(text, shifted(0x24d0, 0x24b6)),
  math: (text) => letters(text, shifted(0x1d41a, 0x1d400)),
  tags: (text) => letters(text, (one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))),
  flag: (code) =>
    `\u{1f3f4}${letters(code, (one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0)))}\u{e007f}`,
  key: (name) => KEYS[name] ?? name,
};

/** Made here and not written out: things that look like keys set off alarms wherever they lie. */
const some = (alphabet: string, length: number): string =>
  Array.from({ length }, (_, i) => alphabet[(i * 7 + i * i * 3 + 5) % alphabet.length]).join('');
const ALNUM = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL';
const HEX = '0a1b2c3d4e5f6789';
const UPPER = 'QW3ER5TY7UI2OP4AS6DF';
const BODY = (lines: number): string =>
  Array.from({ length: lines }, (_, i) => some(`${ALNUM}+/`, 64 - i)).join('\n');
const pem = (label: string, lines: number): string =>
  `-----BEGIN ${label}-----\n${BODY(lines)}\n-----END ${label}-----`;

const KEYS: Readonly<Record<string, string>> = {
  openai: `sk-${'proj'}-${some(ALNUM, 48)}`,
  anthropic: `sk-${'ant'}-api03-${some(ALNUM, 80)}`,
  github: `ghp${'_'}${some(ALNUM, 36)}`,
  'github-pat': `github${'_pat_'}${some(ALNUM, 60)}`,
  slack: `xoxb${'-'}${some('0123456789', 11)}-${some('9876543210', 12)}-${some(ALNUM, 24)}`,
  aws: `AKIA${some(UPPER, 16)}`,
  'aws-example': `AKIA${'IOSFODNN7'}EXAMPLE`,
  google: `AIza${some(ALNUM, 35)}`,
  stripe: `sk${'_live_'}${some(ALNUM, 24)}`,
  jwt: `eyJ${some(ALNUM, 33)}.eyJ${some(ALNUM, 120)}.${some(ALNUM, 43)}`,
  hex: some(HEX, 40),
  pem: pem(`RSA ${'PRIVATE'} KEY`, 8),
  'pem-ec': pem(`EC ${'PRIVATE'} KEY`, 3),
  'pem-openssh': pem(`OPENSSH ${'PRIVATE'} KEY`, 6),
  'pem-public': pem('PUBLIC KEY', 6),
};
