import { SEARCH_PROVIDERS } from '#contract/search.ts';
import { targetOfUrl } from '../../egress/target.ts';
import { askProvider, requireSuccess, searchFailed } from '../ask-provider.ts';
import { type FoundPage, foundResults } from '../found-result.ts';
import type { ProviderParts, SearchProvider } from '../types.ts';

const LABEL = SEARCH_PROVIDERS.duckduckgo.label;
const CAPTCHA = `${LABEL} asks for a captcha. Wait a while, or set up another search provider in the settings, under Search.`;
const UNKNOWN_PAGE = `${LABEL} sent a page that cannot be read: its format may have changed. Set up another search provider in the settings, under Search.`;

/** Ten times the usual page. Parsing a longer one would block the app. */
const MAX_PAGE_CHARS = 400_000;

/** DuckDuckGo's page for browsers without scripts: needs no key, but is unreliable. The last resort. */
export function provider({
  baseUrl = 'https://html.duckduckgo.com',
}: Pick<ProviderParts, 'baseUrl'>): SearchProvider {
  const url = new URL('/html/', baseUrl);
  return {
    name: 'duckduckgo',
    namedBy: 'nothing',
    missing: '',
    hosts: () => [targetOfUrl(url)],
    search: async (query, { limit, egressClient, signal }) => {
      const headers = {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
      };
      const body = new URLSearchParams({ q: query }).toString();
      const { status, text } = await askProvider({
        label: LABEL,
        url,
        headers,
        body,
        egressClient,
        signal,
      });
      if (status === 403) throw searchFailed(CAPTCHA);
      requireSuccess(LABEL, status);
      return foundResults('duckduckgo', await readSafely(text, { status, url }), limit);
    },
  };
}

/** Rejects a page that is too long, or nested so deeply that parsing it overflows the stack. */
async function readSafely(html: string, at: { status: number; url: URL }): Promise<FoundPage[]> {
  if (html.length > MAX_PAGE_CHARS) throw searchFailed(UNKNOWN_PAGE);
  try {
    return await readPage(html, at);
  } catch (error) {
    throw error instanceof RangeError ? searchFailed(UNKNOWN_PAGE, error) : error;
  }
}

async function readPage(
  html: string,
  { status, url }: { readonly status: number; readonly url: URL },
): Promise<FoundPage[]> {
  const { DomUtils, parseDocument } = await import('htmlparser2');
  const { children } = parseDocument(html);
  type Element = ReturnType<typeof DomUtils.findAll>[number];
  const classesOf = (element: Element): string[] => (element.attribs.class ?? '').split(/\s+/);
  const first = (within: Element, name: string): Element | null =>
    DomUtils.findOne((element) => classesOf(element).includes(name), within.children);
  const textOf = (element: Element | null): string =>
    element === null ? '' : DomUtils.textContent(element);

  const isCaptcha = (element: Element): boolean =>
    classesOf(element).some((name) => name.startsWith('anomaly-modal')) ||
    (element.attribs.action ?? '').includes('/anomaly.js');
  if (DomUtils.existsOne(isCaptcha, children)) throw searchFailed(CAPTCHA);

  const blocks = DomUtils.findAll((element) => classesOf(element).includes('result'), children);
  const pages = blocks
    .filter((block) => !classesOf(block).includes('result--ad'))
    .flatMap((block): FoundPage[] => {
      const link = first(block, 'result__a');
      const target = unwrap(link?.attribs.href ?? '', url);
      if (target === null) return [];
      const extras = textOf(first(block, 'result__extras__url'));
      return [
        {
          url: target,
          title: textOf(link),
          snippet: textOf(first(block, 'result__snippet')),
          date: /\b\d{4}-\d\d-\d\dT/.exec(extras)?.[0].slice(0, 10),
        },
      ];
    });
  if (pages.length > 0) return pages;
  if (DomUtils.existsOne((element) => classesOf(element).includes('no-results'), children)) {
    return [];
  }
  // Nothing but advertisements: no results, but the format has not changed.
  if (blocks.length > 0) return [];
  throw searchFailed(status === 202 ? CAPTCHA : UNKNOWN_PAGE);
}

/** Where a link leads behind DuckDuckGo's own redirect; null for an advertisement or a broken link. */
function unwrap(href: string, page: URL): string | null {
  const url = href === '' ? null : URL.parse(href, page.href);
  if (url === null) return null;
  if (url.pathname === '/y.js' && /(?:^|\.)duckduckgo\.com$/.test(url.hostname)) return null;
  const isWrapped = url.pathname === '/l/' && url.searchParams.has('uddg');
  return isWrapped ? url.searchParams.get('uddg') : url.href;
}
