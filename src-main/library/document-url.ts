import { createHash } from 'node:crypto';
import path from 'node:path/posix';

const PATTERN = /^library:([0-9a-f]{16})(?:\/|$)/;

/** The key of a document: stable when the index is rebuilt, and without any trace of its path. */
export function documentKey(folder: string, relative: string): string {
  return createHash('sha256').update(`${folder}\0${relative}`).digest('hex').slice(0, 16);
}

/** The URL of a document; the file name at the end is only for readers. */
export function documentUrl({
  key,
  path: at,
}: {
  readonly key: string;
  readonly path: string;
}): string {
  return `library:${key}/${encodeURIComponent(path.basename(at).toWellFormed())}`;
}

/** The key in a URL; null if it is not a `library:` URL. */
export function keyOfUrl(url: string): string | null {
  return PATTERN.exec(url.trim())?.[1] ?? null;
}
