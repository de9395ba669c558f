/** The text, or null if the bytes are not UTF-8. If they are cut off, the last character may be split. */
export function utf8OrNull(data: Uint8Array, isCut = false): string | null {
  if (data.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data, { stream: isCut });
  } catch {
    // Not UTF-8: the caller shows it as binary.
    return null;
  }
}
