import { randomBytes } from 'node:crypto';

const VALID_MS = 60_000;

/**
 * A path that opens the window once. The address passed to a browser is visible in the process list,
 * which other users of the machine may read; the token must not appear there.
 */
export class OneTimeLink {
  readonly #target: string;
  #path: string | null = null;
  #expiresAt = 0;

  constructor(target: string) {
    this.#target = target;
  }

  issue(): string {
    this.#path = `/open/${randomBytes(24).toString('base64url')}`;
    this.#expiresAt = performance.now() + VALID_MS;
    return this.#path;
  }

  /** The target of the path if it is the issued one, unused and not expired; otherwise null. */
  take(path: string): string | null {
    if (this.#path === null || path !== this.#path) return null;
    this.#path = null;
    return performance.now() < this.#expiresAt ? this.#target : null;
  }
}
