import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

/** A font file; `name` picks one of a collection. */
export interface FontFile {
  readonly file: string;
  readonly name?: string;
  /** Whether it may have this code point; where it is not known, the file is opened to see. */
  readonly covers?: (code: number) => boolean;
}

const PACKAGE = '@fontsource/noto-sans-sc';
/** Pieces that draw almost all text: opened fast, and without looking at what they cover. */
const COMMON_PIECES = ['latin', 'latin-ext', 'cyrillic', 'vietnamese', 'chinese-simplified'];

/**
 * The fonts that a report can be drawn with, the better first: this computer's for alphabets, which draw
 * more of them; the app's own (Noto Sans SC), so that English, Russian and Chinese need no font of the
 * computer; this computer's for what is still missing.
 */
export function reportFonts(folders: readonly string[] = systemFontFolders()): FontFile[] {
  const files = folders.flatMap((folder) => listFiles(folder, DEEPEST));
  return [...pick(files, ALPHABETS), ...shippedFonts(), ...pick(files, CHARACTERS)];
}

/** The app's own font, in pieces. */
export function shippedFonts(): FontFile[] {
  const { resolve } = createRequire(import.meta.url);
  const piece = (name: string): string =>
    resolve(`${PACKAGE}/files/noto-sans-sc-${name}-400-normal.woff`);
  const ranges = JSON.parse(readFileSync(resolve(`${PACKAGE}/unicode.json`), 'utf8')) as Readonly<
    Record<string, string>
  >;
  return [
    ...COMMON_PIECES.map((name) => ({ file: piece(name) })),
    // Numbered pieces hold rarer characters: "[17]".
    ...Object.entries(ranges).flatMap(([key, text]) => {
      const [, number] = /^\[(\d+)\]$/.exec(key) ?? [];
      return number === undefined ? [] : [{ file: piece(number), covers: readRanges(text) }];
    }),
  ];
}

/** Reads ranges as style sheets write them: "U+4e00-4e0b,U+6c34". */
function readRanges(text: string): (code: number) => boolean {
  const ranges = text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
  return (code) => ranges.some(([first, last]) => code >= first && code <= last);
}

type WantedFont = readonly [file: RegExp, name?: string];

/** Files that draw alphabets, the better first, by the name that they have everywhere. */
const ALPHABETS: readonly WantedFont[] = [
  [/^NotoSans-Regular\.[ot]tf$/i],
  [/^DejaVuSans\.ttf$/i],
  [/^LiberationSans-Regular\.ttf$/i],
  [/^(?:arial|segoeui)\.ttf$/i],
  [/^Arial Unicode\.ttf$/i],
];

/** Files that draw Chinese, and signs. */
const CHARACTERS: readonly WantedFont[] = [
  [/^NotoSansCJKsc-Regular\.otf$/i],
  [/^NotoSansSC-Regular\.[ot]tf$/i],
  [/^NotoSansCJK-Regular\.ttc$/i, 'NotoSansCJKsc-Regular'],
  [/^SourceHanSansSC-Regular\.otf$/i],
  [/^wqy-(?:microhei|zenhei)\.ttc$/i],
  [/^msyh\.ttc$/i, 'MicrosoftYaHei'],
  [/^(?:simhei|Deng)\.ttf$/i],
  [/^PingFang\.ttc$/i, 'PingFangSC-Regular'],
  [/^(?:STHeiti Light|Hiragino Sans GB)\.ttc$/i],
  [/^Symbola.*\.[ot]tf$|^NotoSansSymbols2?-Regular\.ttf$/i],
];
const DEEPEST = 5;

/** Folders in which systems keep fonts. */
export function systemFontFolders(): string[] {
  const home = homedir();
  return [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    '/System/Library/Fonts',
    '/Library/Fonts',
    path.join(home, 'Library/Fonts'),
    path.join(home, '.local/share/fonts'),
    path.join(process.env.WINDIR ?? 'C:\\Windows', 'Fonts'),
  ];
}

function pick(files: readonly string[], wanted: readonly WantedFont[]): FontFile[] {
  return wanted.flatMap(([pattern, name]) => {
    const file = files.find((one) => pattern.test(path.basename(one)));
    if (file === undefined) return [];
    return [name === undefined ? { file } : { file, name }];
  });
}

function listFiles(folder: string, depth: number): string[] {
  if (depth === 0 || !existsSync(folder)) return [];
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const full = path.join(folder, entry.name);
      return entry.isDirectory() ? listFiles(full, depth - 1) : [full];
    });
  } catch {
    // A folder that may not be read has no fonts for us.
    return [];
  }
}
