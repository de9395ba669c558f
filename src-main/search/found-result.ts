import type { SearchProviderName } from '#contract/search.ts';
import type { SearchResult } from './types.ts';

/** Longer titles and snippets are cut. */
const TITLE_CHARS = 300;
const SNIPPET_CHARS = 1_000;
const URL_CHARS = 4_000;
/** Limit for a title or snippet with its tags. */
const HTML_CHARS = 4_000;

/** What a provider says about a page, not validated yet. */
export interface FoundPage {
  readonly url: string | null | undefined;
  readonly title: string | null | undefined;
  readonly snippet: string | null | undefined;
  readonly date?: string | null | undefined;
}

/** The results of a provider in its own order: web pages only, as plain text, at most `limit`. */
export function foundResults(
  provider: SearchProviderName,
  pages: readonly FoundPage[],
  limit: number,
): SearchResult[] {
  return pages.flatMap((page) => foundResult(provider, page)).slice(0, limit);
}

function foundResult(provider: SearchProviderName, page: FoundPage): SearchResult[] {
  const url = URL.parse(page.url?.trim() ?? '');
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return [];
  url.username = '';
  url.password = '';
  if (url.href.length > URL_CHARS) return [];
  return [
    {
      url: url.href,
      title: oneLine(page.title ?? '', TITLE_CHARS) || url.host,
      snippet: oneLine(page.snippet ?? '', SNIPPET_CHARS),
      publishedAt: isoDate(page.date ?? ''),
      provider,
    },
  ];
}

/** The day in a text, as `2026-01-31`; null if there is none, or only a relative one ("3 days ago"). */
export function isoDate(text: string): string | null {
  if (!/\b(?:19|20)\d\d\b/.test(text)) return null;
  const day = /^\d{4}-\d\d-\d\d/.exec(text.trim())?.[0];
  // A day without a zone is that day everywhere.
  const zoned = /(?:GMT|UTC|Z|[+-]\d\d:?\d\d)\s*$/.test(text) ? text : `${text} UTC`;
  const time = Date.parse(day ?? zoned);
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

/** Text on one line, without control characters, never cut inside a character. */
export function oneLine(text: string, limit: number): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  if (plain.length <= limit) return plain;
  return `${plain.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The text of an HTML fragment: tags removed, entities decoded. */
export async function htmlToText(html: string): Promise<string> {
  if (!/[<&]/.test(html)) return html;
  const { DomUtils, parseDocument } = await import('htmlparser2');
  // The rest would be cut anyway, and endlessly nested tags would overflow the stack.
  return DomUtils.textContent(parseDocument(html.slice(0, HTML_CHARS)));
}
