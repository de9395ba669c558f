/**
 * Whole texts, turned unit by unit (UTF-16). Calling back for each match of a pattern, or making a list of
 * the characters, takes ten times as long.
 */

/** Units that do not fit into one byte: texts without them stay narrow, which all patterns read faster. */
const WIDE = /[^\0-\u00ff]/;

/** The text with `change` made of each unit; it gives the unit itself, or ASCII. */
export function mapUnits(text: string, change: (unit: number) => number): string {
  if (!WIDE.test(text)) {
    const narrow = Buffer.from(text, 'latin1');
    for (let at = 0; at < narrow.length; at += 1) narrow[at] = change(narrow[at] ?? 0);
    return narrow.toString('latin1');
  }
  const bytes = Buffer.from(text, 'utf16le');
  for (let at = 0; at < bytes.length; at += 2) {
    const unit = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    put(bytes, at, change(unit));
  }
  return bytes.toString('utf16le');
}

/** The text from its last character to its first; what takes two units stays together. */
export function reversed(text: string): string {
  if (!WIDE.test(text)) return Buffer.from(text, 'latin1').reverse().toString('latin1');
  const bytes = Buffer.alloc(text.length * 2);
  let to = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const unit = text.charCodeAt(at);
    const before = at > 0 ? text.charCodeAt(at - 1) : 0;
    if (isLow(unit) && isHigh(before)) {
      put(bytes, to, before);
      to += 2;
      at -= 1;
    }
    put(bytes, to, unit);
    to += 2;
  }
  return bytes.toString('utf16le');
}

function put(bytes: Buffer, at: number, unit: number): void {
  bytes[at] = unit & 0xff;
  bytes[at + 1] = unit >> 8;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
