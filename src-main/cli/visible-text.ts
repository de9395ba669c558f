import { stripVTControlCharacters } from 'node:util';
import { makeVisible } from '#contract/visible-text.ts';

/** Moves the cursor or turns the direction of writing; but for line end and tab. */
export const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** `text` with what could drive a terminal or turn its direction replaced by its name. */
export function showControls(text: string): string {
  return text.replace(CONTROLS, makeVisible);
}

/**
 * What a model or a program printed, fit for a terminal: its colours and cursor moves are dropped,
 * and what remains of control characters is named.
 */
export function plainTerminalText(text: string): string {
  return showControls(stripVTControlCharacters(text).replace(/\r+\n?/g, '\n'));
}
