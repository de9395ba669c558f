import type { Duplex } from 'node:stream';

/** How long the rest of a connection may take to be delivered once its other end is gone. */
const LINGER_MS = 30_000;

/**
 * Carries bytes both ways until both ends are done. An end that breaks off breaks the other; one that
 * was done properly leaves the other the time to deliver what it still holds.
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
    // Nobody hears what it still says; what it was given to say is on its way.
    rest.resume();
    const timer = setTimeout(() => rest.destroy(), LINGER_MS).unref();
    rest.once('close', () => clearTimeout(timer));
  });
}

/** Says `bytes` and lets go; what still comes is thrown away, so that the end is heard. */
export function endWith(stream: Duplex, bytes: string | Buffer): void {
  if (stream.destroyed) return;
  stream.end(bytes);
  stream.resume();
}
