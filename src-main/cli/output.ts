import { makeVisible } from '#contract/visible-text.ts';
import { CONTROLS } from './visible-text.ts';

/** What the CLI itself sends to a terminal: the colours of style.ts, and a line that begins again. Nothing conceals. */
const OWN = '\\u001b\\[(?:1|2|22|31|32|33|39)m|^\\r\\u001b\\[K';
const OWN_OR_CONTROL = new RegExp(`(${OWN})|${CONTROLS.source}`, 'g');

/**
 * Prints on standard output. Texts of models, files and servers are made visible where they are put
 * together; what a caller forgot is made visible here, so that nothing drives the terminal.
 */
export function print(text: string): void {
  process.stdout.write(harmless(text));
}

/** As `print`, on standard error. */
export function printError(text: string): void {
  process.stderr.write(harmless(text));
}

/** A value as a line of JSON that is safe to look at: what could drive a terminal is escaped, and reads back the same. */
export function jsonLine(value: unknown): string {
  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value).replace(CONTROLS, escaped)}\n`;
}

function harmless(text: string): string {
  return text.replace(OWN_OR_CONTROL, (found, own?: string) => own ?? makeVisible(found));
}

/**
 * A reader that goes away, as `head` does, is no error: the rest is dropped. Any other failure of the
 * output, such as a full disk, is said and ends with `exitCode` 1.
 */
export function watchOutput(): void {
  let isSaid = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.exitCode = 1;
      if (!isSaid) printError(`hyperagent: cannot print: ${error.message}\n`);
      isSaid = true;
    });
  }
}
