import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of a font that is split by what it covers. */
export interface FontPiece {
  readonly file: string;
  /** Such as `latin`; numbered pieces such as `17` have rarer characters. */
  readonly name: string;
  /** Whether it may have this code point. */
  readonly covers: (code: number) => boolean;
}

/** The pieces of one of the app's own fonts, a package `@fontsource/FAMILY`, upright in this weight. */
export function fontPieces(family: string, weight: 400 | 700): FontPiece[] {
  const { resolve } = createRequire(import.meta.url);
  const ranges = JSON.parse(
    readFileSync(resolve(`@fontsource/${family}/unicode.json`), 'utf8'),
  ) as Readonly<Record<string, string>>;
  const folder = resolve(`@fontsource/${family}/unicode.json`).slice(0, -'unicode.json'.length);
  return Object.entries(ranges).flatMap(([key, text]) => {
    const name = /^\[(\d+)\]$/.exec(key)?.[1] ?? key;
    const file = `${folder}files/${family}-${name}-${weight}-normal.woff`;
    return existsSync(file) ? [{ file, name, covers: readRanges(text) }] : [];
  });
}

/** Parses CSS unicode ranges: "U+4e00-4e0b,U+6c34". */
function readRanges(text: string): (code: number) => boolean {
  const ranges = text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
  return (code) => ranges.some(([first, last]) => code >= first && code <= last);
}
