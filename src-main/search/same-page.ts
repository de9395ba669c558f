import { once } from '../base/once.ts';
import type { SearchResult } from './types.ts';

/** Parameters of a URL that say where a visitor came from, not what is shown. */
const TRACKING =
  /^(?:utm_\w+|gclid|gbraid|wbraid|dclid|gad_\w+|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|ref_src|srsltid|vero_id|oly_(?:anon|enc)_id)$/i;

/**
 * What two addresses of one page have in common: without scheme, default port, `www.`, fragment,
 * tracking, a slash at the end, and the order of parameters. Of `library:` the address as it is.
 */
export function pageKey(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return address;
  const host = url.hostname.replace(/\.$/, '').replace(/^www\./, '');
  // Another default port than that of its scheme is still one of the web.
  const port = url.port === '80' || url.port === '443' ? '' : url.port;
  const path = url.pathname.replace(/\/+$/, '');
  const parameters = [...url.searchParams]
    .filter(([name]) => !TRACKING.test(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort();
  // A fragment that begins like this is a path of a page that is one program.
  const route = /^#!?\//.test(url.hash) ? url.hash : '';
  return `${host}${port === '' ? '' : `:${port}`}${path}?${parameters.join('&')}${route}`;
}

/** Words that are too few to tell one text from another. */
const TELLING_WORDS = 8;
const NEARLY_EQUAL = 0.85;

/** What of a result mirrors repeat. */
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
 * Whether one is a copy of the other on another host. Texts that differ in a number say different
 * things: who compares sources needs both.
 */
export function isMirror(one: PageWords, other: PageWords): boolean {
  if (one.host === other.host || one.numbers !== other.numbers) return false;
  if (Math.min(one.words.size, other.words.size) < TELLING_WORDS) return false;
  const common = [...one.words].filter((word) => other.words.has(word)).length;
  return common / (one.words.size + other.words.size - common) >= NEARLY_EQUAL;
}

/** To load the dictionaries of words takes 15 ms or more, which no start without a search has to spend. */
const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'word' }));

/** The words of a text in any language, in small letters. */
export function wordsOf(text: string): string[] {
  return [...segmenter().segment(text.normalize('NFKC').toLowerCase())]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment }) => segment);
}
