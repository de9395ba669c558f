import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { fontPieces } from './font-pieces.ts';

/** A font file; `name` selects one font of a collection. */
export interface FontFile {
  readonly file: string;
  readonly name?: string;
  /** Whether it may have this code point. If absent, the file is opened to find out. */
  readonly covers?: (code: number) => boolean;
}

const FAMILY = 'noto-sans-sc';
/** Pieces for almost all text, tried first and without checking what they cover. */
const COMMON_PIECES = ['latin', 'latin-ext', 'cyrillic', 'vietnamese', 'chinese-simplified'];

/**
 * The fonts for a report, best first: system fonts for alphabets, which cover more of them; the app's own
 * font (Noto Sans SC), so that English, Russian and Chinese need no system font; system fonts for the
 * remaining characters.
 */
export function reportFonts(folders: readonly string[] = systemFontFolders()): FontFile[] {
  const files = folders.flatMap((folder) => listFiles(folder, DEEPEST));
  return [...pick(files, ALPHABETS), ...shippedFonts(), ...pick(files, CHARACTERS)];
}

/** The app's own font, which is split into files. */
export function shippedFonts(): FontFile[] {
  const { resolve } = createRequire(import.meta.url);
  const common = COMMON_PIECES.map((name) => ({
    file: resolve(`@fontsource/${FAMILY}/files/${FAMILY}-${name}-400-normal.woff`),
  }));
  // Numbered pieces have rarer characters.
  const rare = fontPieces(FAMILY, 400).filter(({ name }) => /^\d+$/.test(name));
  return [...common, ...rare.map(({ file, covers }) => ({ file, covers }))];
}

type WantedFont = readonly [file: RegExp, name?: string];

/** Font files for alphabets, best first, by their usual names. */
const ALPHABETS: readonly WantedFont[] = [
  [/^NotoSans-Regular\.[ot]tf$/i],
  [/^DejaVuSans\.ttf$/i],
  [/^LiberationSans-Regular\.ttf$/i],
  [/^(?:arial|segoeui)\.ttf$/i],
  [/^Arial Unicode\.ttf$/i],
];

/** Font files for Chinese and for symbols. */
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

/** The font folders of all supported systems. */
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
    // An unreadable folder offers no fonts.
    return [];
  }
}
