import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { closeServer, listen } from './addresses/listeners.ts';

export interface SmallPage {
  readonly title: string;
  readonly text: string;
  readonly snippet?: string;
  readonly date?: string;
  /** 200 unless given. */
  readonly status?: number;
  /** Never answers. */
  readonly hangs?: boolean;
}

export interface SmallWeb {
  readonly url: string;
  readonly searchSettings: Readonly<Record<string, unknown>>;
  /** Paths as they were asked for; searches as `search <query>`. */
  readonly requests: readonly string[];
  /** Most searches, and most pages, that were being answered at one time. */
  readonly peak: { searches: number; pages: number };
}

export interface SmallWebOptions {
  /** What the search finds for a query; all pages unless given. */
  readonly find?: (query: string) => readonly number[];
  /** Of the search engine itself. */
  readonly searchStatus?: number;
  /** How long each answer takes. */
  readonly delayMs?: number;
}

/** A few pages at `/0`, `/1`, … and a search engine that finds them, as SearXNG answers. */
export async function startSmallWeb(
  pages: readonly SmallPage[],
  { find = () => [...pages.keys()], searchStatus = 200, delayMs = 0 }: SmallWebOptions = {},
): Promise<SmallWeb> {
  const requests: string[] = [];
  const peak = { searches: 0, pages: 0 };
  const open = { searches: 0, pages: 0 };
  const held = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', base);
    const query = url.pathname === '/search' ? url.searchParams.get('q') : null;
    requests.push(query === null ? url.pathname : `search ${query}`);
    const kind = query === null ? 'pages' : 'searches';
    open[kind] += 1;
    peak[kind] = Math.max(peak[kind], open[kind]);
    response.once('close', () => {
      open[kind] -= 1;
    });
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (query !== null) {
      response.writeHead(searchStatus, { 'content-type': 'application/json' });
      response.end(searchStatus === 200 ? JSON.stringify(answer(find(query))) : 'down');
      return;
    }
    const page = pages[Number(url.pathname.slice(1))];
    if (page?.hangs === true) held.add(response);
    else if (page === undefined) response.writeHead(404).end();
    else {
      const body = `<!doctype html><title>${page.title}</title><h1>${page.title}</h1><p>${page.text.replaceAll('\n\n', '</p><p>')}</p>`;
      response.writeHead(page.status ?? 200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(body);
    }
  });
  const answer = (numbers: readonly number[]): unknown => ({
    results: numbers.flatMap((number) => {
      const page = pages[number];
      if (page === undefined) return [];
      const content = page.snippet ?? page.text.slice(0, 160);
      return { url: `${base}/${number}`, title: page.title, content, publishedDate: page.date };
    }),
    ...{ answers: [], suggestions: [], unresponsive_engines: [] },
  });
  const port = await listen(server, '127.0.0.1');
  const base = `http://127.0.0.1:${port}`;
  onTestFinished(async () => {
    for (const response of held) response.destroy();
    server.closeAllConnections();
    await closeServer(server);
  });
  return {
    ...{ url: base, requests, peak },
    searchSettings: {
      ...{ searchProvider: 'searxng', searxngUrl: base },
      ...{ egressPrivateHosts: ['127.0.0.1:*'], researchPageSeconds: 4 },
    },
  };
}
