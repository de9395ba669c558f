import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work on so many characters takes some milliseconds at most, whatever they are. */
const PIECE_CHARS = 32 * 1024;

/** Gives a text that came at once piece by piece to `take`, so that the app goes on in between. No character is cut apart. */
export async function inPieces(text: string, take: (piece: string) => void): Promise<void> {
  for (let at = 0; at < text.length; ) {
    if (at > 0) await nextTurn();
    const isCut = /[\ud800-\udbff]/.test(text.charAt(at + PIECE_CHARS - 1));
    const next = at + PIECE_CHARS + (isCut ? 1 : 0);
    take(text.slice(at, next));
    at = next;
  }
}
