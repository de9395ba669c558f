import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { isPreviewUrl } from '#contract/apps.ts';
import { ask, openPreview } from '../../fakes/preview/open-preview.ts';

const html =
  (body: string, headers: http.OutgoingHttpHeaders = {}): http.RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
const PAGE = '<!doctype html><html><head><title>x</title></head><body>Hello</body></html>';
const DOCUMENT = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' };

describe('who is answered', () => {
  it.each([
    ['another name', (own: string) => own.replace(/^[0-9a-f]{2}/, 'zz')],
    ['no name of its own', (own: string) => own.replace(/^[^.]*\./, '')],
    ['an address', (own: string) => own.replace(/^[^:]*/, '127.0.0.1')],
    ['another port', (own: string) => own.replace(/:\d+$/, ':80')],
    ['a longer name', (own: string) => `x.${own}`],
    ['its name in upper case', (own: string) => own.toUpperCase()],
  ])('not %s', async (_what, change) => {
    await using opened = await openPreview(html(PAGE));
    const { status, body } = await ask(opened, '/', { host: change(opened.preview.host) });
    expect([status, body, opened.requests]).toEqual([
      ...[421, 'This is not the address of a preview.', []],
    ]);
  });

  it.each([
    ['a service worker', { 'service-worker': 'script' }],
    ['a service worker by its destination', { 'sec-fetch-dest': 'serviceworker' }],
    [
      'another site that loads a part',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ],
    ['another preview', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ])('not %s', async (_what, headers) => {
    await using opened = await openPreview(html(PAGE));
    const { status } = await ask(opened, '/x.js', headers);
    expect([status, opened.requests]).toEqual([403, []]);
  });

  it('the window that frames it, and its own parts', async () => {
    await using opened = await openPreview(html(PAGE));
    const framed = await ask(opened, '/', { ...DOCUMENT, 'sec-fetch-site': 'cross-site' });
    const part = await ask(opened, '/a.js', { 'sec-fetch-site': 'same-origin' });
    expect([framed.status, part.status]).toEqual([200, 200]);
    expect(isPreviewUrl(opened.preview.url)).toBe(true);
  });
});

describe('what the server behind it sees', () => {
  it('is its own address, as a development server wants it', async () => {
    await using opened = await openPreview(html(PAGE));
    const { host } = opened.preview;
    const { port } = opened.upstream.address() as AddressInfo;
    await ask(opened, '/api?x=1', {
      ...{ origin: `http://${host}`, referer: `http://${host}/page?y=2`, cookie: 'a=1' },
      ...{ connection: 'x-private', 'x-private': '1', 'proxy-authorization': 'Basic x' },
    });
    const headers = opened.requests[0]?.headers ?? {};
    expect([opened.requests[0]?.url, headers.host, headers.origin, headers.referer]).toEqual([
      ...['/api?x=1', `localhost:${port}`, `http://localhost:${port}`],
      `http://localhost:${port}/page?y=2`,
    ]);
    expect([headers.cookie, headers['x-private'], headers['proxy-authorization']]).toEqual([
      ...['a=1', undefined, undefined],
    ]);
    expect(JSON.stringify(opened.requests)).not.toContain(host.split('.')[0]);
  });

  it('is the body that was sent', async () => {
    const bodies: string[] = [];
    await using opened = await openPreview((request, response) => {
      request.setEncoding('utf8');
      request.on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.end('ok'));
    });
    await ask(opened, '/form', {}, { method: 'POST', body: 'a=1&b=2' });
    expect([bodies.join(''), opened.requests[0]?.method]).toEqual(['a=1&b=2', 'POST']);
  });
});

describe('what the page is given', () => {
  const policyOf = (headers: http.IncomingHttpHeaders): string =>
    String(headers['content-security-policy']);

  it('a policy on every answer, and none of the app', async () => {
    await using opened = await openPreview((request, response) => {
      const own = { 'content-security-policy': "img-src 'none'", 'x-frame-options': 'DENY' };
      if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
      else if (request.url === '/same') response.writeHead(304).end();
      else if (request.url === '/broken') response.writeHead(500, own).end('no');
      else if (request.url === '/cut') response.destroy();
      else html(PAGE, own)(request, response);
    });
    const { host } = opened.preview;
    const wrong = { host: 'x.localhost' };
    const answers = [
      ...(await Promise.all(
        ['/', '/moved', '/same', '/broken', '/cut', '/@hyperagent/report.js'].map((url) =>
          ask(opened, url, DOCUMENT),
        ),
      )),
      await ask(opened, '/', wrong),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 302, 304, 500, 502, 200, 421]);
    for (const { headers } of answers) {
      const policy = policyOf(headers);
      expect(policy).toContain(`connect-src 'self' ws://${host} data: blob:`);
      expect(policy).toContain("frame-ancestors 'self' http://127.0.0.1:*");
      expect(policy).toContain('sandbox allow-scripts');
      expect(policy).not.toContain('allow-popups');
      expect(headers['x-frame-options']).toBeUndefined();
    }
    expect(policyOf(answers[0]?.headers ?? {})).toMatch(/^default-src 'self'/);
  });

  it('no headers that would outlive it, or belong to another name', async () => {
    await using opened = await openPreview((request, response) => {
      response
        .writeHead(200, {
          'content-type': 'text/plain',
          'service-worker-allowed': '/',
          'clear-site-data': '"*"',
          'set-cookie': ['a=1; Domain=localhost; Path=/', 'b=2; HttpOnly'],
          link: '<https://other.test/>; rel=preconnect',
          // A browser would ask for a password in its own dialog.
          'www-authenticate': 'Basic realm="HyperAgent"',
          'report-to': '{"endpoints":[{"url":"https://other.test/"}]}',
          'content-security-policy-report-only':
            "default-src 'none'; report-uri https://other.test/",
          'x-own': 'passed',
          location: `http://127.0.0.1:${request.socket.localPort}/next?x=1#y`,
        })
        .end('ok');
    });
    const { headers } = await ask(opened, '/');
    const { link, location } = headers;
    const named = ['www-authenticate', 'report-to', 'content-security-policy-report-only', 'x-own'];
    expect(named.map((name) => headers[name])).toEqual([undefined, undefined, undefined, 'passed']);
    expect([headers['service-worker-allowed'], headers['clear-site-data'], link]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2; HttpOnly']);
    expect(location).toBe(`http://${opened.preview.host}/next?x=1#y`);
  });

  it.each([
    ['a head', PAGE, '<head><script src="/@hyperagent/report.js"></script><title>'],
    ['a head with attributes', '<HTML><HEAD lang=en>x', '<HEAD lang=en><script src="/@'],
    ['no head', '<!DOCTYPE html><p>x', '<!DOCTYPE html><script src="/@hyperagent'],
    [
      'a script before any head',
      '<script>1</script><head>',
      '<script src="/@hyperagent/report.js"></script><script>1',
    ],
    [
      'a header element only',
      '<body><header>x</header>',
      '<script src="/@hyperagent/report.js"></script><body><header>',
    ],
    ['nothing', '', '<script src="/@hyperagent/report.js"></script>'],
    [
      'a head that comes late',
      `<!--${'x'.repeat(70_000)}--><head>`,
      '<script src="/@hyperagent/report.js"></script><!--x',
    ],
  ])('the reporting script in a document with %s', async (_what, page, expected) => {
    await using opened = await openPreview((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      // In pieces that cut tags in two.
      for (let at = 0; at < page.length; at += 1_021) response.write(page.slice(at, at + 1_021));
      response.end();
    });
    const { body } = await ask(opened, '/', DOCUMENT);
    expect(body).toContain(expected);
    expect(body.replace('<script src="/@hyperagent/report.js"></script>', '')).toBe(page);
  });

  it('parts as they are, and compressed documents too', async () => {
    await using opened = await openPreview((request, response) => {
      const encoding = request.url === '/br' ? { 'content-encoding': 'br' } : {};
      html(PAGE, { 'content-length': PAGE.length, ...encoding })(request, response);
    });
    const fetched = await ask(opened, '/part', { 'sec-fetch-dest': 'empty' });
    const packed = await ask(opened, '/br', DOCUMENT);
    expect([fetched.body, packed.body]).toEqual([PAGE, PAGE]);
  });
});

describe('web sockets', () => {
  it('pass both ways for the page itself, and for nobody else', async () => {
    await using opened = await openPreview(html(PAGE));
    const sockets = new WebSocketServer({ server: opened.upstream });
    sockets.on('connection', (socket) => socket.on('message', (text) => socket.send(`${text}!`)));
    const { host, address } = opened.preview;
    const connect = (origin: string | null): Promise<string> =>
      new Promise((resolve) => {
        const headers = { host, ...(origin === null ? {} : { origin }) };
        const socket = new WebSocket(`ws://127.0.0.1:${address.port}/hmr`, { headers });
        socket.on('open', () => socket.send('hello'));
        socket.on('message', (text) => {
          resolve(String(text));
          socket.close();
        });
        socket.on('error', () => resolve('refused'));
      });
    const answers = [
      await connect(`http://${host}`),
      await connect('https://evil.test'),
      await connect('http://127.0.0.1:5000'),
      await connect(null),
    ];
    expect(answers).toEqual(['hello!', 'refused', 'refused', 'refused']);
    sockets.close();
  });
});

describe('without a server', () => {
  it('a page waits for it, in the language of the browser', async () => {
    await using opened = await openPreview(html(PAGE));
    opened.isUp = false;
    const english = await ask(opened, '/', DOCUMENT);
    const chinese = await ask(opened, '/', { ...DOCUMENT, 'accept-language': 'zh-CN,en;q=0.5' });
    expect([
      english.status,
      english.body.includes('is starting'),
      chinese.body.includes('正在启动'),
    ]).toEqual([503, true, true]);
    opened.isUp = true;
    expect((await ask(opened, '/', DOCUMENT)).status).toBe(200);
  });

  it('that breaks off in the middle, the answer breaks off too', async () => {
    await using opened = await openPreview((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    await expect(ask(opened, '/')).rejects.toThrow(/aborted|reset|hang up/i);
    expect((await ask(opened, '/@hyperagent/report.js')).status).toBe(200);
  });
});

describe('its address', () => {
  it('is the same the next time, with another port where it is taken', async () => {
    const first = await openPreview(html(PAGE));
    const { address } = first.preview;
    await first[Symbol.asyncDispose]();
    const second = await openPreview(html(PAGE), { address });
    expect(second.preview.address).toEqual(address);
    const third = await openPreview(html(PAGE), { address });
    expect(third.preview.address.name).toBe(address.name);
    expect(third.preview.address.port).not.toBe(address.port);
    await second[Symbol.asyncDispose]();
    await third[Symbol.asyncDispose]();
  });

  it('leads nowhere once it is closed, and open connections end', async () => {
    const opened = await openPreview((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('first');
    });
    const waiting = ask(opened, '/');
    const ended = expect(waiting).rejects.toThrow();
    await expect.poll(() => opened.requests.length).toBe(1);
    await opened[Symbol.asyncDispose]();
    await ended;
    await expect(ask(opened, '/')).rejects.toThrow('ECONNREFUSED');
  });

  it('answers over a stream of its own as over the network', async () => {
    await using opened = await openPreview(html(PAGE));
    const stream = opened.preview.connect();
    stream.write(`GET /x HTTP/1.1\r\nHost: ${opened.preview.host}\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect(text).toContain('Hello');
    expect(opened.requests.map(({ url }) => url)).toEqual(['/x']);
  });
});
