import { createHash } from 'node:crypto';
import path from 'node:path/posix';

const PATTERN = /^library:([0-9a-f]{16})(?:\/|$)/;

/** What a document is known by: the same after a new index, and nothing that tells where it lies. */
export function documentKey(folder: string, relative: string): string {
  return createHash('sha256').update(`${folder}\0${relative}`).digest('hex').slice(0, 16);
}

/** The address of a document; its name at the end is for people. */
export function documentUrl({
  key,
  path: at,
}: {
  readonly key: string;
  readonly path: string;
}): string {
  return `library:${key}/${encodeURIComponent(path.basename(at).toWellFormed())}`;
}

/** The key in an address; null for one that is not of the library. */
export function keyOfUrl(url: string): string | null {
  return PATTERN.exec(url.trim())?.[1] ?? null;
}
