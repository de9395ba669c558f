import { stripVTControlCharacters } from 'node:util';
import { APP_LOG_CHARS } from '#contract/apps.ts';

/** The newest output of a server, in memory only: it outlives every run, and belongs to none. */
export class ServerLog {
  #text = '';
  /** Characters of all time. */
  #length = 0;

  add(text: string): void {
    const plain = stripVTControlCharacters(text);
    this.#length += plain.length;
    this.#text = (this.#text + plain).slice(-APP_LOG_CHARS);
  }

  /** A place to ask from, by `after`. */
  get end(): number {
    return this.#length;
  }

  /** What came after a place, as far as it is still there. */
  after(place: number): string {
    const fresh = this.#length - place;
    return fresh <= 0 ? '' : this.#text.slice(-fresh);
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
