import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeGb18030 } from './gb18030.ts';
import { type Bases, type FixturePage, fixturePages, HOSTS, type Host } from './pages.ts';
import { searchAnswer } from './search.ts';

export interface FixtureWeb extends AsyncDisposable {
  /** Addresses of the hosts, without a slash at their end. */
  readonly bases: Bases;
  /** Address of the search engine, as a SearXNG server is named. */
  readonly searchUrl: string;
  readonly pages: readonly FixturePage[];
  /** Every request so far, in order; searches have the host `search`. */
  readonly requests: readonly { readonly host: Host | 'search'; readonly path: string }[];
}

/** Starts the web on free ports, or on seven in a row from `firstPort` on; the search engine has the last. */
export async function startFixtureWeb({
  firstPort = 0,
  leaveOut = [] as readonly FixturePage['kind'][],
  /** Scripts make the text of its HTML pages. */
  byScripts = false,
} = {}): Promise<FixtureWeb> {
  const requests: { host: Host | 'search'; path: string }[] = [];
  const servers: Server[] = [];
  const held = new Set<ServerResponse>();
  let pages: FixturePage[] = [];
  const open = async (
    index: number,
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<string> => {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(firstPort === 0 ? 0 : firstPort + index, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const addresses = new Map<Host, string>();
  for (const [index, host] of HOSTS.entries()) {
    const address = await open(index, (request, response) => {
      const path = request.url ?? '/';
      requests.push({ host, path });
      const page = pages.find((one) => one.host === host && one.path === path);
      servePage(page, response, { held, byScripts });
    });
    addresses.set(host, address);
  }
  const bases = Object.fromEntries(addresses) as Record<Host, string>;
  pages = fixturePages(bases).filter(({ kind }) => !leaveOut.includes(kind));
  const searchUrl = await open(HOSTS.length, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://search');
    requests.push({ host: 'search', path: `${url.pathname}${url.search}` });
    if (url.pathname !== '/search') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(searchAnswer(pages, bases, url.searchParams.get('q') ?? '')));
  });
  return {
    ...{ bases, searchUrl, pages, requests },
    [Symbol.asyncDispose]: async () => {
      for (const response of held) response.destroy();
      await Promise.all(
        servers.map((server) => {
          server.closeAllConnections();
          return new Promise((resolve) => server.close(resolve));
        }),
      );
    },
  };
}

function servePage(
  page: FixturePage | undefined,
  response: ServerResponse,
  { held, byScripts }: { readonly held: Set<ServerResponse>; readonly byScripts: boolean },
): void {
  const send = (type: string, body: string | Buffer, status = 200): void =>
    void response.writeHead(status, { 'content-type': type }).end(body);
  switch (page?.kind) {
    case 'html':
      send('text/html; charset=utf-8', byScripts ? shellOf(html(page)) : html(page));
      return;
    case 'gb18030':
      send('text/html', encodeGb18030(html(page, '<meta charset="gb18030">')));
      return;
    case 'pdf':
      send('application/pdf', Buffer.from('%PDF-1.4\n\u0000\u0001 a report as bytes', 'latin1'));
      return;
    case 'image':
      send('image/png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
      return;
    case 'json':
      send('application/json', page.text);
      return;
    case 'text':
      send('text/plain; charset=utf-8', page.text);
      return;
    case 'redirect':
      response.writeHead(302, { location: page.to ?? '/' }).end();
      return;
    case 'gone':
      // As a server that is switched off in the middle of it.
      response.destroy();
      return;
    case 'slow':
      // Until the client goes away, or the web is closed.
      held.add(response);
      response.once('close', () => held.delete(response));
      return;
    case 'dead':
    case undefined:
      send('text/html', '<h1>Not found</h1>', 404);
      return;
  }
}

function html({ title, text }: FixturePage, head = ''): string {
  const escaped = (plain: string): string => plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const body = text
    .split('\n\n')
    .map((paragraph) => `<p>${escaped(paragraph)}</p>`)
    .join('\n');
  return `<!doctype html><html><head>${head}<title>${escaped(title)}</title><script>var tracked = 1;</script></head><body><nav><a href="/">Home</a></nav><h1>${escaped(title)}</h1>\n${body}<footer>Imprint</footer></body></html>`;
}

function shellOf(source: string): string {
  const [, body = ''] = /<body>([\s\S]*)<\/body>/.exec(source) ?? [];
  const text = JSON.stringify(body).replaceAll('<', '\\u003c');
  return `<!doctype html><title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>document.getElementById('root').innerHTML = ${text};</script>`;
}
