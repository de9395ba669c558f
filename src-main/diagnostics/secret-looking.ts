/** Replaces a text that looks like a secret. */
export const LOOKS_SECRET = '[redacted: looks like a secret]';

const TOKEN = /(?<![\p{L}\p{N}_=-])[\w=-]{20,}/gu;
const BASE64 = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{32,}={0,2}/g;
const HEX = /(?<![\p{L}\p{N}])[0-9a-f]{32,}(?![\p{L}\p{N}])/giu;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Ids of the app: `run_` and 20 characters (base/ids.ts). */
const OWN_ID = /^[a-z]{2,12}_[0-9a-hjkmnp-tv-z]{20}$/;

/**
 * `text` without what looks like a secret and is of no known kind: long tokens that mix letters and digits as no name
 * does, keys and hashes in hexadecimal, and base64. Ids of the app stay.
 */
export function withoutSecretLooking(text: string): string {
  return text
    .replace(HEX, LOOKS_SECRET)
    .replace(BASE64, (found) => (isMixed(found, 4) ? LOOKS_SECRET : found))
    .replace(TOKEN, (found) => (isTokenOfChance(found) ? LOOKS_SECRET : found));
}

/** Names of models and packages mix as much, in short pieces. */
function isTokenOfChance(token: string): boolean {
  if (OWN_ID.test(token) || !isMixed(token, 7)) return false;
  const longest = token.split(/[-_=]/).sort((a, b) => b.length - a.length)[0] ?? '';
  return UUID.test(token) || (longest.length >= 10 && changesIn(longest) >= 3);
}

/** Whether letters, digits, lower and upper case alternate at least once in `every` characters. */
function isMixed(text: string, every: number): boolean {
  const changes = changesIn(text);
  return /\d/.test(text) && changes >= 5 && changes * every >= text.length;
}

function changesIn(text: string): number {
  return text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)|[a-z](?=[A-Z])/g)?.length ?? 0;
}
