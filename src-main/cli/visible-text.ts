import { stripVTControlCharacters } from 'node:util';

/** Moves the cursor or turns the direction of writing; but for line end and tab. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Is there and cannot be seen. Some of these join letters and emoji in honest text. */
const INVISIBLES =
  /[\u00ad\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** `text` with every control, bidirectional and invisible character written out as `\u{…}`. */
export function showHidden(text: string): string {
  return showControls(text).replace(INVISIBLES, writeOut);
}

/** `text` with what could drive a terminal or turn its direction written out as `\u{…}`. */
export function showControls(text: string): string {
  return text.replace(CONTROLS, writeOut);
}

/**
 * What a model or a program printed, fit for a terminal: its colours and cursor moves are dropped,
 * and what remains of control characters is written out.
 */
export function plainTerminalText(text: string): string {
  return showControls(stripVTControlCharacters(text).replace(/\r+\n?/g, '\n'));
}

function writeOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
