import { termsOf } from './terms.ts';

const SHINGLE = 4;
/** Hashes kept of a text: enough to tell 80 % similarity from 60 %. */
const KEPT = 64;
const ALIKE = 0.7;

/** Share of the shingles of a passage from which it counts as taken from a page. */
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

/** A passage that is cited, with the number of its source. */
export interface CitedPassage {
  readonly source: number;
  readonly text: string;
}

/**
 * Whether two sources of some passages speak for themselves: no passage of one stands on the page of the other, whatever
 * stands around it. A copy confirms nothing.
 */
export function haveOwnWords(
  passages: readonly CitedPassage[],
  pageOf: (source: number) => string,
): boolean {
  const sources = [...new Set(passages.map(({ source }) => source))].map((source) => {
    const own = passages.filter((one) => one.source === source).map(({ text }) => shinglesOf(text));
    const page = shinglesOf(pageOf(source));
    return { own, page: new Set([...page, ...own.flatMap((shingles) => [...shingles])]) };
  });
  return sources.some(({ own, page }, at) =>
    sources
      .slice(at + 1)
      .some(
        (other) =>
          !own.some((passage) => isContained(passage, other.page)) &&
          !other.own.some((passage) => isContained(passage, page)),
      ),
  );
}

function isContained(passage: ReadonlySet<number>, page: ReadonlySet<number>): boolean {
  if (passage.size < LEAST_SHINGLES) return false;
  let shared = 0;
  for (const shingle of passage) if (page.has(shingle)) shared += 1;
  return shared / passage.size >= CONTAINED;
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
