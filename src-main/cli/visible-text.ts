import { stripVTControlCharacters } from 'node:util';
import { makeVisible } from '#contract/visible-text.ts';

/** Characters that control the cursor or the text direction, except line feed and tab. */
export const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Replaces characters that could control a terminal or its text direction with their names. */
export function showControls(text: string): string {
  return text.replace(CONTROLS, makeVisible);
}

/**
 * Output of a model or a program, safe for a terminal: colours and cursor movements are removed, and the
 * remaining control characters are replaced with their names.
 */
export function plainTerminalText(text: string): string {
  return showControls(stripVTControlCharacters(text).replace(/\r+\n?/g, '\n'));
}
