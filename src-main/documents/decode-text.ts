const UTF8_BOM = [0xef, 0xbb, 0xbf];

/**
 * Decodes text. The first rule that applies counts: a byte order mark, the `declared` encoding (a name
 * such as `shift_jis`), valid UTF-8, plausible GB18030, else Latin-1, in which every byte is valid.
 * Line ends become `\n`.
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  return decode(bytes, declared).replaceAll(/\r\n?/g, '\n');
}

function decode(bytes: Uint8Array, declared: string | undefined): string {
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(bytes, [0xfe, 0xff])) return new TextDecoder('utf-16be').decode(bytes);
  if (startsWith(bytes, UTF8_BOM)) return new TextDecoder('utf-8').decode(bytes);
  const named = declared === undefined ? null : tryDecode(bytes, declared, { fatal: false });
  if (named !== null) return named;
  return (
    tryDecode(bytes, 'utf-8') ??
    chineseText(bytes) ??
    // The web reads Latin-1 as windows-1252.
    new TextDecoder('windows-1252').decode(bytes)
  );
}

/** Whether these bytes are text, not a program, picture or archive. UTF-16 needs its byte order mark. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])) return true;
  return !bytes.subarray(0, 64 * 1024).includes(0);
}

/**
 * Most sequences of bytes above 127 are valid GB18030, so the result must also look Chinese: at least
 * two of three characters beyond ASCII are common Han characters or wide punctuation.
 */
function chineseText(bytes: Uint8Array): string | null {
  const text = tryDecode(bytes, 'gb18030');
  if (text === null) return null;
  const sample = text.slice(0, 20_000);
  const nonAscii = sample.match(/[^\0-\u007f]/gu)?.length ?? 0;
  const han = sample.match(/[\u4e00-\u9fa5\u3000-\u303f\uff00-\uffef]/gu)?.length ?? 0;
  return nonAscii > 0 && han * 3 >= nonAscii * 2 ? text : null;
}

function tryDecode(
  bytes: Uint8Array,
  encoding: string,
  { fatal }: { readonly fatal: boolean } = { fatal: true },
): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    // The bytes are not in this encoding, or there is no such encoding.
    return null;
  }
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}
