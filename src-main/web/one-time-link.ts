import { randomBytes } from 'node:crypto';

const VALID_MS = 60_000;

/**
 * A path that leads to the window once. What is handed to a browser shows in the list of processes,
 * which other users of the machine may read; the token must not.
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

  /** Where the path leads, if it is the one that was issued, for the first time, and in time. */
  take(path: string): string | null {
    if (this.#path === null || path !== this.#path) return null;
    this.#path = null;
    return performance.now() < this.#expiresAt ? this.#target : null;
  }
}
