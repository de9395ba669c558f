/** Bytes per token before any measurement: tokens of code and numbers are shorter than those of prose. */
export const ASCII_BYTES = 3.2;
/** A character of three bytes is about one token, one of two bytes about half a token. */
export const OTHER_BYTES = 2.2;

/** The tokens of a text, estimated without a tokenizer and a model. Errs upwards. Not rounded. */
export function roughTokens(text: string): number {
  let others = 0;
  let otherBytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    others += 1;
    const isHalfOfPair = code >= 0xd800 && code <= 0xdfff;
    otherBytes += code < 0x800 || isHalfOfPair ? 2 : 3;
  }
  return (text.length - others) / ASCII_BYTES + otherBytes / OTHER_BYTES;
}
