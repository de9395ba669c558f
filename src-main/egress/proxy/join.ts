import type { Duplex } from 'node:stream';

/** How long one end may take to deliver the rest once the other end is gone. */
const LINGER_MS = 30_000;

/**
 * Carries bytes both ways until both ends are done. If one end breaks, so does the other; if one ends
 * properly, the other has time to deliver what it still holds.
 */
export function join(one: Duplex, other: Duplex): void {
  closeAfter(one, other);
  closeAfter(other, one);
  one.pipe(other);
  other.pipe(one);
}

function closeAfter(ended: Duplex, rest: Duplex): void {
  ended.on('error', () => rest.destroy());
  ended.once('close', () => {
    if (rest.destroyed) return;
    if (!ended.readableEnded) {
      rest.destroy();
      return;
    }
    // Further input is discarded; pending output is still delivered.
    rest.resume();
    const timer = setTimeout(() => rest.destroy(), LINGER_MS).unref();
    rest.once('close', () => clearTimeout(timer));
  });
}

/** Writes `bytes` and ends; further input is discarded, so that the end is noticed. */
export function endWith(stream: Duplex, bytes: string | Buffer): void {
  if (stream.destroyed) return;
  stream.end(bytes);
  stream.resume();
}
