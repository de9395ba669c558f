/** Values of the public formats of secrets, of chance: nothing here is one. Each start gives the same ones. */

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const UPPER = LOWER.toUpperCase();

const ALPHABETS = {
  hex: `${DIGITS}abcdef`,
  HEX: `${DIGITS}ABCDEF`,
  digits: DIGITS,
  lower: LOWER + DIGITS,
  UPPER: UPPER + DIGITS,
  base32: `${UPPER}234567`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  alnum: LOWER + UPPER + DIGITS,
  base64: `${LOWER}${UPPER}${DIGITS}+/`,
  base64url: `${LOWER}${UPPER}${DIGITS}-_`,
} as const;

const START = 20_261_123;
let state = START;

/** The same values again, whatever other tests of the process have drawn. */
export function startAgain(): void {
  state = START;
}

/** Marsaglia's xorshift. */
function below(limit: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % limit;
}

/** `length` characters of an alphabet: as random ones have them, with digits and letters of each case. */
export function random(alphabet: keyof typeof ALPHABETS, length: number): string {
  const letters = ALPHABETS[alphabet];
  for (;;) {
    const text = Array.from({ length }, () => letters[below(letters.length)]).join('');
    const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(letters));
    // No separator at an end: it would belong to the text around it.
    if (/^[^-_+/].*[^-_+/]$/.test(text) && kinds.every((kind) => length < 12 || kind.test(text)))
      return text;
  }
}

/** A mark of a format, written so that nothing that looks for secrets in files finds one. */
export const mark = (...parts: string[]): string => parts.join('');
