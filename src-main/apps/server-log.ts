import { stripVTControlCharacters } from 'node:util';
import { APP_LOG_CHARS } from '#contract/apps.ts';

/** The newest output of a server, in memory only: it outlives every run, and belongs to none. */
export class ServerLog {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + stripVTControlCharacters(text)).slice(-APP_LOG_CHARS);
  }

  /** All of it, or its last lines. */
  text(lines = Number.POSITIVE_INFINITY): string {
    const text = this.#text.replace(/\r(?!\n)/g, '\n').replace(/\n{3,}/g, '\n\n');
    return lines === Number.POSITIVE_INFINITY
      ? text
      : text.trimEnd().split('\n').slice(-lines).join('\n');
  }

  clear(): void {
    this.#text = '';
  }
}
