const UTF8_BOM = [0xef, 0xbb, 0xbf];

/**
 * Bytes as text: by their byte order mark, as UTF-8 where they are, as `declared` (a name such as
 * `shift_jis`) where one is given, then as GB18030 where all of them are, else as Latin-1, in which
 * every byte is something. Line ends become `\n`.
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
    // Windows' Latin-1, as everywhere on the web.
    new TextDecoder('windows-1252').decode(bytes)
  );
}

/** Whether these bytes are text at all: no program, picture or archive. UTF-16 needs its mark. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])) return true;
  return !bytes.subarray(0, 64 * 1024).includes(0);
}

/**
 * Most bytes above 127 in a row make some valid GB18030, so what comes out must look Chinese too:
 * two of three characters beyond ASCII are common Han characters or wide punctuation.
 */
function chineseText(bytes: Uint8Array): string | null {
  const text = tryDecode(bytes, 'gb18030');
  if (text === null) return null;
  const sample = text.slice(0, 20_000);
  const beyond = sample.match(/[^\0-\u007f]/gu)?.length ?? 0;
  const han = sample.match(/[\u4e00-\u9fa5\u3000-\u303f\uff00-\uffef]/gu)?.length ?? 0;
  return beyond > 0 && han * 3 >= beyond * 2 ? text : null;
}

function tryDecode(
  bytes: Uint8Array,
  encoding: string,
  { fatal }: { readonly fatal: boolean } = { fatal: true },
): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    // Not in this encoding, or a name that no decoder has.
    return null;
  }
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}
