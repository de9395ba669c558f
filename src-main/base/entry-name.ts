const LONGEST_BYTES = 150;
/** Devices of Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
/** What Windows forbids, and characters that hide or reorder others. */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * A name for one part of a path in an archive that every system can unpack: never empty, `.` or `..`, without
 * separators, control characters, device names and trailing dots, and unlike those in `taken` (compared as systems
 * do that ignore case), where it is added.
 */
export function entryName(wanted: string, taken: Set<string>): string {
  const plain = wanted
    .normalize('NFC')
    .replace(FORBIDDEN, '_')
    .replace(/[. ]+$/, '_');
  const allowed = plain === '' || RESERVED.test(plain) ? `_${plain}` : plain;
  const dot = allowed.lastIndexOf('.');
  const extension = dot > 0 ? shortened(allowed.slice(dot), 20) : '';
  const stem = dot > 0 ? allowed.slice(0, dot) : allowed;
  for (let number = 1; ; number += 1) {
    const mark = number === 1 ? '' : ` (${number})`;
    const room = LONGEST_BYTES - Buffer.byteLength(extension) - mark.length;
    const name = `${shortened(stem, room)}${mark}${extension}`;
    const key = name.normalize('NFKC').toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
}

/** The beginning of a text, with whole characters, in at most so many bytes of UTF-8. */
function shortened(text: string, bytes: number): string {
  let short = '';
  let length = 0;
  for (const character of text) {
    length += Buffer.byteLength(character);
    if (length > bytes) break;
    short += character;
  }
  return short;
}
