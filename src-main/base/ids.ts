import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new id such as `run_01j9…`: 9 characters of time, so that ids sort by age, and 11 random ones
 * (55 bits).
 */
export function newId(prefix: string, now: number = Date.now()): string {
  let time = '';
  for (let rest = now, i = 0; i < 9; i += 1, rest = Math.floor(rest / 32)) {
    time = ALPHABET.charAt(rest % 32) + time;
  }
  let random = '';
  for (const byte of randomBytes(11)) random += ALPHABET.charAt(byte % 32);
  return `${prefix}_${time}${random}`;
}
