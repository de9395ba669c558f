import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** A font file; `name` picks one of a collection. */
export interface FontFile {
  readonly file: string;
  readonly name?: string;
}

/** Files that draw letters of many languages, the better first, by the name that they have everywhere. */
const WANTED: readonly (readonly [file: RegExp, name?: string])[] = [
  [/^NotoSans-Regular\.[ot]tf$/i],
  [/^DejaVuSans\.ttf$/i],
  [/^LiberationSans-Regular\.ttf$/i],
  [/^(?:arial|segoeui)\.ttf$/i],
  [/^Arial Unicode\.ttf$/i],
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

/** Fonts of this computer that a report can be drawn with, the better first. */
export function findFonts(folders: readonly string[] = systemFontFolders()): FontFile[] {
  const files = folders.flatMap((folder) => listFiles(folder, DEEPEST));
  return WANTED.flatMap(([wanted, name]) => {
    const file = files.find((one) => wanted.test(path.basename(one)));
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
