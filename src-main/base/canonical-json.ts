import { createHash } from 'node:crypto';

/**
 * JSON with the keys of every object in code-unit order and no white space, so that equal values
 * give equal bytes. Follows RFC 8785 but for its number formatting, which is JavaScript's anyway.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const sorted: [string, unknown][] = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, inner]) => [key, sortKeys(inner)]);
  return Object.fromEntries(sorted);
}

/** Hex SHA-256; of a text, of its UTF-8 bytes. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
