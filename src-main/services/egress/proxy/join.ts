import type { Duplex } from 'node:stream';

/** Carries bytes both ways until both ends are done; the end of one with an error is the end of both. */
export function join(one: Duplex, other: Duplex): void {
  one.on('error', () => other.destroy());
  other.on('error', () => one.destroy());
  one.once('close', () => other.destroy());
  other.once('close', () => one.destroy());
  one.pipe(other);
  other.pipe(one);
}

/** Says `bytes` and lets go; what still comes is thrown away, so that the end is heard. */
export function endWith(stream: Duplex, bytes: string | Buffer): void {
  if (stream.destroyed) return;
  stream.end(bytes);
  stream.resume();
}
