import { makeVisible } from '#contract/visible-text.ts';
import { CONTROLS } from './visible-text.ts';

/** The escape sequences that the CLI itself prints: the colours of style.ts, and "clear line". None hides text. */
const OWN = '\\u001b\\[(?:1|2|22|31|32|33|39)m|^\\r\\u001b\\[K';
const OWN_OR_CONTROL = new RegExp(`(${OWN})|${CONTROLS.source}`, 'g');

/**
 * Prints on standard output. Callers replace the control characters in text from models, files and
 * servers; this catches what a caller forgot, so that no text can control the terminal.
 */
export function print(text: string): void {
  process.stdout.write(harmless(text));
}

/** As `print`, on standard error. */
export function printError(text: string): void {
  process.stderr.write(harmless(text));
}

/** A value as one line of JSON, safe to display: control characters are escaped, so it parses to the same value. */
export function jsonLine(value: unknown): string {
  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value).replace(CONTROLS, escaped)}\n`;
}

function harmless(text: string): string {
  return text.replace(OWN_OR_CONTROL, (found, own?: string) => own ?? makeVisible(found));
}

/**
 * Drops the rest of the output, without an error, if the reader closes the pipe (as `head` does).
 * Reports any other write failure, such as a full disk, and sets exit code 1.
 */
export function watchOutput(): void {
  let isReported = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.exitCode = 1;
      if (!isReported) printError(`hyperagent: cannot write output: ${error.message}\n`);
      isReported = true;
    });
  }
}
