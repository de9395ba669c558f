import path from 'node:path';

/** Longest name of a file that the app creates, in bytes of UTF-8; file systems allow 255. */
const MOST_BYTES = 200;

/** `path.parse` for names that are not paths: the part before the last dot, and the rest. */
export function splitName(name: string): { stem: string; extension: string } {
  const { name: stem, ext } = path.parse(name);
  return { stem, extension: ext };
}

/** A name that is safe on any system and command line, however hostile the requested one; `file` if nothing is left. */
export function plainFileName(name: string, mostBytes = MOST_BYTES): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"|?*]/gu, '')
    .trim();
  const { stem, extension } = splitName(plain);
  let short = stem;
  while (Buffer.byteLength(short + extension) > mostBytes && short !== '') {
    short = [...short].slice(0, -1).join('');
  }
  const result = `${short}${extension}`;
  return /^\.*$/.test(result) || Buffer.byteLength(result) > mostBytes ? 'file' : result;
}
