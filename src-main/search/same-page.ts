import { once } from '../base/once.ts';
import type { SearchResult } from './types.ts';

/** Parameters of a URL that say where a visitor came from, not what is shown. */
const TRACKING =
  /^(?:utm_\w+|gclid|gbraid|wbraid|dclid|gad_\w+|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|ref_src|srsltid|vero_id|oly_(?:anon|enc)_id)$/i;

/**
 * A key that is equal for all addresses of one page: without scheme, default port, `www.`, fragment,
 * tracking parameters and trailing slash, with sorted parameters. `library:` addresses are unchanged.
 */
export function pageKey(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return address;
  const host = url.hostname.replace(/\.$/, '').replace(/^www\./, '');
  // 80 under https, or 443 under http, still counts as a default port.
  const port = url.port === '80' || url.port === '443' ? '' : url.port;
  const path = url.pathname.replace(/\/+$/, '');
  const parameters = [...url.searchParams]
    .filter(([name]) => !TRACKING.test(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort();
  // A fragment that looks like a path is the route of a single-page app.
  const route = /^#!?\//.test(url.hash) ? url.hash : '';
  return `${host}${port === '' ? '' : `:${port}`}${path}?${parameters.join('&')}${route}`;
}

/** Fewer words are too few to tell two texts apart. */
const MIN_WORDS = 8;
const MIRROR_SIMILARITY = 0.85;

/** The parts of a result that a mirror repeats. */
export interface PageWords {
  readonly host: string;
  readonly words: ReadonlySet<string>;
  readonly numbers: string;
}

export function wordsOfPage({ url, title, snippet }: SearchResult): PageWords {
  const words = new Set(wordsOf(`${title} ${snippet}`));
  const numbers = [...words].filter((word) => /\d/.test(word)).sort();
  return { host: URL.parse(url)?.host ?? '', words, numbers: numbers.join(' ') };
}

/**
 * Whether one is a copy of the other on another host. Texts that differ in a number are not copies:
 * a reader who compares sources needs both.
 */
export function isMirror(one: PageWords, other: PageWords): boolean {
  if (one.host === other.host || one.numbers !== other.numbers) return false;
  if (Math.min(one.words.size, other.words.size) < MIN_WORDS) return false;
  const common = [...one.words].filter((word) => other.words.has(word)).length;
  return common / (one.words.size + other.words.size - common) >= MIRROR_SIMILARITY;
}

/** Created on first use: loading its dictionaries takes 15 ms or more, which startup must not pay. */
const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'word' }));

/** The words of a text in any language, in lower case. */
export function wordsOf(text: string): string[] {
  return [...segmenter().segment(text.normalize('NFKC').toLowerCase())]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment }) => segment);
}
