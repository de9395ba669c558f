import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SearchProviderName } from '#contract/search.ts';
import { createSearchProviders, type SearchProviderParts } from '#main/search/search-providers.ts';
import type { SearchProvider } from '#main/search/types.ts';
import { closeServer, listen } from './addresses/listeners.ts';

export type WebProvider = Exclude<SearchProviderName, 'library'>;
export const WEB_PROVIDERS: readonly WebProvider[] = [
  'searxng',
  'brave',
  'tavily',
  'serper',
  'ollama',
  'duckduckgo',
];

export interface FakeSource {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  /** As the service writes dates. */
  readonly date?: string;
}

/** What a service answers: sources in its own form, or whatever else a test wants to see come. */
export type FakeAnswer =
  | readonly FakeSource[]
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface SeenRequest {
  readonly provider: WebProvider;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The key that each service takes. */
export const keyOf = (provider: string): string => `key-of-${provider}-4f9a`;

/**
 * Six search services on loopback, each under a name of its own, that speak the forms of the real ones:
 * the same paths, headers, bodies and refusals. A refusal repeats the key, as careless servers do.
 */
export async function startSearchWeb() {
  const requests: SeenRequest[] = [];
  const answers = new Map<WebProvider, FakeAnswer>();
  const server = createServer(async (request, response) => {
    const host = (request.headers.host ?? '').split('.')[0] ?? '';
    // By its bare address it is the server of the person's own.
    const provider = host === '127' ? 'searxng' : (host as WebProvider);
    const body = await text(request).catch(() => null);
    // A client that went away gets no answer.
    if (body === null) return;
    const { method = '', url = '', headers } = request;
    requests.push({ provider, method, url, headers, body });
    const refusal = REFUSALS[provider](request, body);
    const answer = answers.get(provider) ?? [];
    if (refusal !== null) response.writeHead(refusal[0]).end(refusal[1]);
    else if (typeof answer === 'function') answer(request, response);
    else if ('status' in answer) response.writeHead(answer.status, answer.headers).end(answer.body);
    else response.end(FORMS[provider](answer));
  });
  const port = await listen(server, '127.0.0.1');
  const urlOf = (provider: WebProvider): string => `http://${provider}.test:${port}`;
  return {
    requests,
    answers,
    port,
    urlOf,
    /** Names of the services for the broker. */
    names: Object.fromEntries(WEB_PROVIDERS.map((name) => [`${name}.test`, ['127.0.0.1']])),
    /** What lets them be reached although they lie on loopback. */
    privateHosts: WEB_PROVIDERS.map((name) => `${name}.test:*`),
    /** The real providers, at these addresses. */
    providers: (
      keyOf: SearchProviderParts['keyOf'],
      searxngUrl: () => string = () => urlOf('searxng'),
    ): SearchProvider[] => createSearchProviders({ keyOf, searxngUrl, baseUrlOf: urlOf }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}

type Refusal = readonly [status: number, body: string] | null;

const authorized = (request: IncomingMessage, provider: string): boolean =>
  request.headers.authorization === `Bearer ${keyOf(provider)}`;

const REFUSALS: Readonly<Record<WebProvider, (request: IncomingMessage, body: string) => Refusal>> =
  {
    searxng: (request) =>
      request.method === 'GET' && request.url?.startsWith('/search?') === true
        ? null
        : [404, '<!doctype html><title>404</title>'],
    brave: (request) => {
      if (request.method !== 'GET' || !request.url?.startsWith('/res/v1/web/search?')) {
        return [404, '{"type":"ErrorResponse","error":{"code":"NOT_FOUND"}}'];
      }
      const token = request.headers['x-subscription-token'];
      return token === keyOf('brave')
        ? null
        : [
            422,
            `{"type":"ErrorResponse","error":{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"${String(token)}"}}`,
          ];
    },
    tavily: (request, body) => {
      if (request.method !== 'POST' || request.url !== '/search') return [404, '{}'];
      return authorized(request, 'tavily') && isJson(body)
        ? null
        : [401, `{"detail":{"error":"Unauthorized: ${request.headers.authorization}"}}`];
    },
    serper: (request, body) => {
      if (request.method !== 'POST' || request.url !== '/search') return [404, '{}'];
      const key = request.headers['x-api-key'];
      return key === keyOf('serper') && isJson(body)
        ? null
        : [403, `{"message":"Unauthorized ${String(key)}","statusCode":403}`];
    },
    ollama: (request, body) => {
      if (request.method !== 'POST' || request.url !== '/api/web_search') return [404, '{}'];
      return authorized(request, 'ollama') && isJson(body)
        ? null
        : [401, `{"error":"unauthorized ${request.headers.authorization}"}`];
    },
    duckduckgo: (request, body) =>
      request.method === 'POST' &&
      request.url === '/html/' &&
      request.headers['content-type'] === 'application/x-www-form-urlencoded' &&
      new URLSearchParams(body).has('q')
        ? null
        : [400, '<!doctype html><title>400</title>'],
  };

function isJson(body: string): boolean {
  try {
    return typeof (JSON.parse(body) as { q?: string; query?: string }) === 'object';
  } catch {
    return false;
  }
}

const FORMS: Readonly<Record<WebProvider, (sources: readonly FakeSource[]) => string>> = {
  searxng: (sources) =>
    JSON.stringify({
      query: 'q',
      number_of_results: 0,
      results: sources.map(({ url, title, snippet, date }) => ({
        ...{ url, title, content: snippet, publishedDate: date ?? null },
        ...{ engine: 'bing', engines: ['bing'], score: 1, category: 'general', template: 'x' },
      })),
      ...{ answers: [], corrections: [], infoboxes: [], suggestions: [] },
      unresponsive_engines: [],
    }),
  brave: (sources) =>
    JSON.stringify({
      type: 'search',
      query: { original: 'q', more_results_available: false },
      ...(sources.length === 0
        ? {}
        : {
            web: {
              type: 'search',
              results: sources.map(({ url, title, snippet, date }) => ({
                ...{ type: 'search_result', url, title, description: snippet },
                ...(date === undefined ? {} : { page_age: date, age: 'January 31, 2026' }),
              })),
            },
          }),
    }),
  tavily: (sources) =>
    JSON.stringify({
      ...{ query: 'q', answer: null, images: [], response_time: 0.5 },
      results: sources.map(({ url, title, snippet, date }) => ({
        ...{ url, title, content: snippet, score: 0.9, raw_content: null },
        ...(date === undefined ? {} : { published_date: date }),
      })),
    }),
  serper: (sources) =>
    JSON.stringify({
      ...{ searchParameters: { q: 'q', type: 'search' }, credits: 1 },
      organic: sources.map(({ url, title, snippet, date }, index) => ({
        ...{ title, link: url, snippet, position: index + 1 },
        ...(date === undefined ? {} : { date }),
      })),
    }),
  ollama: (sources) =>
    JSON.stringify({
      results:
        sources.length === 0
          ? null
          : sources.map(({ url, title, snippet }) => ({ title, url, content: snippet })),
    }),
  duckduckgo: (sources) => duckduckgoPage(sources.map(duckduckgoResult).join('\n')),
};

/** A page of results, or whatever else stands in its middle. */
export function duckduckgoPage(middle: string): string {
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>q at DuckDuckGo</title></head>
<body class="body--html"><div class="header"><form name="x" class="header__form" action="/html/" method="post"><input name="q"></form></div>
<div class="serp__results"><div id="links" class="results">
${middle === '' ? '<div class="result results_links results_links_deep result--no-result"><div class="links_main links_deep result__body"><div class="no-results">No results.</div></div></div>' : middle}
</div></div><div class="nav-link"><form action="/html/" method="post"></form></div></body></html>`;
}

export function duckduckgoResult({ url, title, snippet, date }: FakeSource): string {
  const href = `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=0a1b`;
  return `<div class="result results_links results_links_deep web-result "><div class="links_main links_deep result__body">
<h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
<div class="result__extras"><div class="result__extras__url"><span class="result__icon"><a rel="nofollow" href="${href}"><img class="result__icon__img" width="16" height="16" alt="" src="//external-content.duckduckgo.com/ip3/x.ico" /></a></span>
<a class="result__url" href="${href}">example.com</a>${date === undefined ? '' : `<span>&nbsp; &nbsp; ${date}</span>`}</div></div>
<a class="result__snippet" href="${href}">${snippet}</a><div class="clear"></div></div></div>`;
}
