/** The beginning of every key file, private or not. */
export const PEM_MARK = '-----BEGIN';

/** The mark and headers of a private key up to its body; the mark alone does not count. */
export const KEY_OPENS =
  /^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[rn]|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,100}\n){1,20}(?=[A-Za-z0-9+/=]{24})/;

const ENDS =
  /^(?:\s|\\[rn]){0,8}(?:[A-Za-z0-9+/=]{1,128}(?:\s|\\[rn]){0,8})?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;
const LINE = /^(?:\s|\\[rn]){0,8}[A-Za-z0-9+/=]{24,128}/;
/** The last line of a key that is cut off at the end of the text. */
const REST = /^(?:\s|\\[rn]){0,8}[A-Za-z0-9+/=]{1,127}$/;
/** Long enough for the longest of these. */
const LOOKAHEAD = 256;

/** Consumes the body of a private key: lines of base64, up to its end mark or the first other line. */
export class PrivateKeyBody {
  /** How much of `text` belongs to the key, and whether the key ends there; null if more text is needed. */
  take(text: string, ended: boolean): { readonly chars: number; readonly left: boolean } | null {
    if (text.length < LOOKAHEAD && !ended) return null;
    const end = ENDS.exec(text);
    if (end !== null) return { chars: end[0].length, left: true };
    const line = LINE.exec(text) ?? REST.exec(text);
    if (line !== null) return { chars: line[0].length, left: false };
    return { chars: 0, left: true };
  }
}
