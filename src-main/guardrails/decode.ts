import { mapUnits, reversed } from './units.ts';

/** Most encoded pieces decoded in a text, and most characters of each. */
const MAX_PIECES = 40;
const MAX_CHARS = 20_000;

const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const HEX = /(?<![0-9a-fA-F])(?:[0-9a-fA-F]{2}){10,}/g;
const PERCENT = /(?:%[0-9a-fA-F]{2}){3}[%\w.-]*/g;
const ENTITIES = /(?:&#(?:x[0-9a-fA-F]{1,6}|\d{1,7});){3,}/g;
const ESCAPES = /(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}){3,}/g;

/** Signal words in rot13 or reversed; only if one occurs is the whole text decoded. */
const IN_ROT13 = /vtaber|vafgehpgvba|qvfertneq|flfgrz cebzcg|ehyrf|erfgevpgvba/i;
const IN_REVERSE = /erongi|snoitcurtsni|dragersid|tpmorp metsys|snoitcirtser/i;

/** The encoded pieces of a text that decode to text, each decoded once. */
export function decodedPieces(text: string): string[] {
  const pieces = [
    ...found(text, BASE64, (piece) => readable(Buffer.from(piece, 'base64'))),
    ...found(text, HEX, (piece) => readable(Buffer.from(piece.slice(0, MAX_CHARS), 'hex'))),
    ...found(text, PERCENT, percentDecoded),
    ...found(text, ENTITIES, (piece) =>
      piece.replace(/&#(x?)([0-9a-fA-F]+);/g, (_whole, hex: string, digits: string) =>
        character(Number.parseInt(digits, hex === '' ? 10 : 16)),
      ),
    ),
    ...found(text, ESCAPES, (piece) =>
      piece.replace(/\\[ux]([0-9a-fA-F]{2,4})/g, (_whole, digits: string) =>
        character(Number.parseInt(digits, 16)),
      ),
    ),
  ];
  if (IN_ROT13.test(text)) pieces.push(rot13(text));
  if (IN_REVERSE.test(text)) pieces.push(reversed(text));
  return pieces;
}

function found(text: string, pattern: RegExp, decode: (piece: string) => string): string[] {
  const pieces: string[] = [];
  for (const [piece] of text.matchAll(pattern)) {
    const decoded = decode(piece.slice(0, MAX_CHARS));
    if (decoded !== '') pieces.push(decoded);
    if (pieces.length === MAX_PIECES) break;
  }
  return pieces;
}

/** The bytes as text; empty if they are not text. */
function readable(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: binary data holds them
  const odd = text.match(/[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/g)?.length ?? 0;
  return odd === 0 && text.length >= 8 ? text : '';
}

function percentDecoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    // Not UTF-8: a reader could not decode it either.
    return '';
  }
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function rot13(text: string): string {
  return mapUnits(text, (unit) => {
    const small = unit | 0x20;
    if (unit > 0x7a || small < 0x61 || small > 0x7a) return unit;
    return unit + (small < 0x6e ? 13 : -13);
  });
}
