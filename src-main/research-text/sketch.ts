import { termsOf } from './terms.ts';

const SHINGLE = 4;
/** Hashes kept of a text: enough to tell 80 % similarity from 60 %. */
const KEPT = 64;
const ALIKE = 0.7;

/** Share of the shorter text's shingles from which it counts as taken from the longer one. */
const CONTAINED = 0.6;
/** A text of fewer shingles says too little: one sentence may stand in two pages by chance. */
const LEAST_SHINGLES = 10;

/** A MinHash sketch of a text: the smallest hashes of its shingles of terms. */
export function sketchOf(text: string): number[] {
  return [...shinglesOf(text)].sort((a, b) => a - b).slice(0, KEPT);
}

function shinglesOf(text: string): Set<number> {
  const terms = termsOf(text);
  const hashes = new Set<number>();
  for (let at = 0; at + SHINGLE <= Math.max(terms.length, SHINGLE); at += 1) {
    hashes.add(hash(terms.slice(at, at + SHINGLE).join(' ')));
  }
  return hashes;
}

/** Finds copies among passages: what one page took from another, with text of its own around it. */
export class CopyFinder {
  readonly #known = new Map<
    string,
    { readonly shingles: Set<number>; readonly original: string | null }
  >();

  /**
   * The key of an earlier text that this one copies, or that copies it; null if it is the first of its kind.
   * The same for a key that is asked about again.
   */
  originalOf(key: string, text: string): string | null {
    const known = this.#known.get(key);
    if (known !== undefined) return known.original;
    const shingles = shinglesOf(text);
    let original: string | null = null;
    for (const [other, { shingles: there, original: first }] of this.#known) {
      if (!overlap(shingles, there)) continue;
      original = first ?? other;
      break;
    }
    this.#known.set(key, { shingles, original });
    return original;
  }
}

function overlap(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const [less, more] = one.size <= other.size ? [one, other] : [other, one];
  if (less.size < LEAST_SHINGLES) return false;
  let shared = 0;
  for (const shingle of less) if (more.has(shingle)) shared += 1;
  return shared / less.size >= CONTAINED;
}

/** Whether two texts are nearly the same, such as mirrors or copies with another header. */
export function areAlike(a: readonly number[], b: readonly number[]): boolean {
  const union = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, KEPT);
  if (union.length === 0) return false;
  const [left, right] = [new Set(a), new Set(b)];
  const shared = union.filter((one) => left.has(one) && right.has(one)).length;
  return shared / union.length >= ALIKE;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}

/** Normalises a URL: no fragment, tracking parameters, default port or trailing slash. */
export function normaliseUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return address.trim();
  url.hash = '';
  url.username = '';
  url.password = '';
  for (const name of [...url.searchParams.keys()]) {
    if (/^(?:utm_\w+|gclid|fbclid|mc_[ce]id|ref|ref_src)$/i.test(name))
      url.searchParams.delete(name);
  }
  url.searchParams.sort();
  url.pathname = url.pathname.replace(/\/(?:index\.html?)?$/, '') || '/';
  return url.href;
}
