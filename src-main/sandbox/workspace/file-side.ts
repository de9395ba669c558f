import type { FileSide } from '#contract/workspace.ts';
import { utf8OrNull } from '../../base/utf8.ts';

/** Most bytes, and most lines, of a text that is shown in a comparison. */
const SHOWN_BYTES = 1024 * 1024;
const SHOWN_LINES = 5_000;

/** Keeps what a comparison shows of a file that is read in pieces. */
export class FileSideReader {
  readonly #pieces: Buffer[] = [];
  #kept = 0;

  /** Copies of the piece what is shown. */
  add(piece: Uint8Array): void {
    const part = Buffer.from(piece.subarray(0, SHOWN_BYTES - this.#kept));
    this.#kept += part.length;
    if (part.length > 0) this.#pieces.push(part);
  }

  /** `bytes`: the size of the whole file. */
  side(bytes: number): FileSide {
    const text = utf8OrNull(Buffer.concat(this.#pieces), this.#kept < bytes);
    if (text === null) return { kind: 'binary', bytes };
    const lines = text.split('\n', SHOWN_LINES + 1);
    const shown = lines.length > SHOWN_LINES ? lines.slice(0, SHOWN_LINES).join('\n') : text;
    return { kind: 'text', text: shown, truncated: this.#kept < bytes || shown !== text };
  }
}
