/** A line break of the author inside of a paragraph. No cleaned text has this character otherwise. */
export const LINE_BREAK = '\v';

const LINE_BREAKS = /\r\n|[\n\v\f\r\u{85}\u{2028}\u{2029}]/gu;
/** What XML 1.0 cannot hold: control characters, halves of surrogate pairs, two noncharacters. */
const UNWRITABLE = /[\p{Cc}\p{Cs}\u{fffe}\u{ffff}]/gu;

/** Text that XML can hold, in one line. */
export function cleanText(text: string): string {
  return text.replace(/\t/g, ' ').replace(LINE_BREAKS, ' ').replace(UNWRITABLE, '');
}

/** Like `cleanText`, with `LINE_BREAK` where the author ended a line. */
export function cleanParagraph(text: string): string {
  return text.split(LINE_BREAKS).map(cleanText).join(LINE_BREAK).replace(/\v+$/, '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Cleaned text for an element or an attribute. */
export function xmlText(text: string): string {
  return cleanText(text).replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}
