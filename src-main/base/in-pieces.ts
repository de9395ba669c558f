import { setImmediate as nextTurn } from 'node:timers/promises';

/** Processing this many characters takes a few milliseconds at most, whatever they are. */
const PIECE_CHARS = 32 * 1024;

/** Passes a long text to `take` in pieces and yields to the event loop between them. Never splits a character. */
export async function inPieces(text: string, take: (piece: string) => void): Promise<void> {
  for (let at = 0; at < text.length; ) {
    if (at > 0) await nextTurn();
    const isCut = /[\ud800-\udbff]/.test(text.charAt(at + PIECE_CHARS - 1));
    const next = at + PIECE_CHARS + (isCut ? 1 : 0);
    take(text.slice(at, next));
    at = next;
  }
}
