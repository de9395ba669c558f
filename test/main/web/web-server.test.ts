import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { PushMessage } from '#contract/requests.ts';
import { silentLogger } from '#main/base/logger.ts';
import { PushHub } from '#main/transport/push-hub.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { startWebServer, type WebServer } from '#main/web/web-server.ts';
import { createFakeApp, type FakeApp } from '../../fakes/app/fake-app.ts';

const RENDERER = join(import.meta.dirname, '../../fakes/app/renderer');

let app: FakeApp;
let server: WebServer;
let token: string;

beforeEach(async () => {
  app = createFakeApp({ dataDir: '/nowhere', entryPoint: 'browser', attended: true });
  const hub = new PushHub(app.runs, silentLogger);
  app.onBroadcast(hub.broadcast);
  const router = new RequestRouter(app.api, silentLogger);
  server = await startWebServer({
    rendererDir: RENDERER,
    port: 0,
    router,
    hub,
    logger: silentLogger,
    takeDownload: (path) => app.dataExporter.takeDownload(path),
  });
  token = server.url.split('#token=')[1] ?? '';
});

afterEach(() => server[Symbol.asyncDispose]());

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request exactly as written: no client normalises its path or headers. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port: server.port, path, method, headers, agent: false },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    request.on('error', reject);
    request.end();
  });
}

interface SocketOptions {
  readonly protocol?: string;
  readonly origin?: string;
  readonly host?: string;
  readonly path?: string;
}

function openSocket(options: SocketOptions = {}): WebSocket {
  const { protocol = `hyperagent.${token}`, path = '/socket' } = options;
  return new WebSocket(`ws://127.0.0.1:${server.port}${path}`, [protocol], {
    origin: options.origin ?? `http://127.0.0.1:${server.port}`,
    ...(options.host === undefined ? {} : { headers: { Host: options.host } }),
  });
}

/** Status of a refused handshake; 101 if it was accepted. */
function handshake(options: SocketOptions): Promise<number> {
  const socket = openSocket(options);
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
  });
}

/** A connected window with what it received. */
async function connect() {
  const socket = openSocket();
  const frames: Record<string, unknown>[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  await once(socket, 'open');
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const pushes = (): PushMessage[] =>
    frames.flatMap((frame) => ('push' in frame ? [frame.push as PushMessage] : []));
  const answers = (): unknown[] => frames.filter((frame) => 'result' in frame);
  return { socket, frames, pushes, answers, until };
}

describe('the window over HTTP', () => {
  it('serves the built files with their types and the policy', async () => {
    const page = await ask('/');
    const script = await ask('/assets/app-1a2b3c.js');

    expect(page.status).toBe(200);
    expect(page.body).toContain('<title>fake</title>');
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "frame-src 'self' http://*.localhost:*",
        `connect-src 'self' ws://127.0.0.1:${server.port} ws://localhost:${server.port}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    });
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.body).toBe("document.title = 'ran';\n");
  });

  it('answers HEAD without a body, and no other method', async () => {
    const head = await ask('/', {}, 'HEAD');
    const post = await ask('/', {}, 'POST');
    const options = await ask('/', { 'Access-Control-Request-Method': 'GET' }, 'OPTIONS');

    expect([head.status, head.body, post.status, options.status]).toEqual([200, '', 405, 405]);
    expect(options.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each([
    '/../package.json',
    '/assets/../../../../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/..\\..\\package.json',
    '//etc/passwd',
    '/etc/passwd',
    'http://127.0.0.1/etc/passwd',
    '/assets/',
    '/assets',
    '/index.html%00.js',
    '/constructor',
    '/__proto__',
    '/socket',
    '/open/guess',
  ])('has nothing at %s', async (path) => {
    const answer = await ask(path);

    expect([answer.status, answer.body]).toEqual([404, 'Not found.']);
  });

  it.each([
    ['another host', { Host: 'attacker.example' }],
    ['a host name rebound to this machine', { Host: 'attacker.example:PORT' }],
    ['this host with another port', { Host: '127.0.0.1:1' }],
    ['a host without a port', { Host: '127.0.0.1' }],
    ['a name that only starts like ours', { Host: 'localhost.attacker.example:PORT' }],
    ['a foreign origin', { Origin: 'https://attacker.example' }],
    ['the null origin of sandboxed frames', { Origin: 'null' }],
    ['the origin of another local server', { Origin: 'http://127.0.0.1:1' }],
    ['our name as a foreign scheme', { Origin: 'https://127.0.0.1:PORT' }],
  ])('refuses %s', async (_what, headers) => {
    const own = `127.0.0.1:${server.port}`;
    const filled = Object.fromEntries(
      Object.entries({ Host: own, ...headers }).map(([name, value]) => [
        name,
        value.replace('PORT', `${server.port}`),
      ]),
    );
    const answer = await ask('/', filled);

    expect([answer.status, answer.body]).toEqual([403, 'Forbidden origin.']);
  });

  it('is reachable as localhost', async () => {
    const answer = await ask('/', { Host: `localhost:${server.port}` });

    expect(answer.status).toBe(200);
  });

  it('listens on loopback only', async () => {
    const connections = await new Promise<string>((resolve) => {
      // 127.0.0.2 is this machine, too: a server on all addresses would answer there.
      const socket = net.connect({ host: '127.0.0.2', port: server.port });
      socket.on('connect', () => {
        socket.destroy();
        resolve('connected');
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });

    expect(connections).toBe('ECONNREFUSED');
  });

  it('gives a browser a link that works once and redirects to the token', async () => {
    const path = new URL(server.oneTimeUrl()).pathname;

    const first = await ask(path);
    const second = await ask(path);

    expect([first.status, first.headers.location]).toEqual([302, server.url]);
    expect(second.status).toBe(404);
  });

  it('reports a taken port', async () => {
    const hub = new PushHub(app.runs, silentLogger);
    const router = new RequestRouter(app.api, silentLogger);
    const options = { rendererDir: RENDERER, port: server.port, router, hub, logger: silentLogger };

    await expect(startWebServer(options)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('the socket', () => {
  it('has a new 256-bit token at each start', () => {
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  it.each([
    ['with the token', {}, 101],
    ['without a token', { protocol: 'hyperagent' }, 401],
    ['with a wrong token', { protocol: `hyperagent.${'A'.repeat(43)}` }, 401],
    ['with the start of the token', { protocol: 'HALF' }, 401],
    ['from a foreign page', { origin: 'https://attacker.example' }, 403],
    ['from a page without an origin', { origin: 'null' }, 403],
    ['under a rebound name', { host: 'attacker.example' }, 403],
    ['at another path', { path: '/other' }, 404],
  ])('%s', async (_what, options: SocketOptions, status) => {
    const half = `hyperagent.${token.slice(0, 20)}`;
    const filled = options.protocol === 'HALF' ? { ...options, protocol: half } : options;

    expect(await handshake(filled)).toBe(status);
  });

  it('answers requests under their ids and pushes events', async () => {
    const { socket, frames, pushes, until } = await connect();
    const start = { prompt: 'hello', attachmentIds: [], options: {} };
    socket.send(JSON.stringify({ id: 'a', name: 'runs.start', input: start }));
    socket.send(
      JSON.stringify({ id: 7, name: 'runs.subscribe', input: { runId: 'run_1', afterSeq: 0 } }),
    );
    const types = (): string[] =>
      pushes().flatMap((push) =>
        push.kind === 'events' ? push.events.map((event) => event.type) : [],
      );
    // They may arrive in one push or in several.
    await until(() => types().includes('complete'));
    socket.terminate();

    expect(frames.find((frame) => frame.id === 'a')).toMatchObject({
      result: { ok: true, data: { run: { id: 'run_1' } } },
    });
    expect(frames.find((frame) => frame.id === 7)).toMatchObject({ result: { ok: true } });
    expect(types()).toEqual(['token', 'token', 'complete']);
  });

  it('refuses unexpected frames and continues', async () => {
    const { socket, answers, until } = await connect();
    const refused = [
      '{',
      'null',
      '[]',
      '7',
      '"x"',
      '{}',
      '{"id":1}',
      '{"id":-1,"name":"app.info","input":{}}',
      '{"id":{"x":1},"name":"app.info","input":{}}',
      '{"id":1,"name":"app.info","input":{},"extra":1}',
      '{"id":1,"name":"app.info","input":{},"__proto__":{"x":1}}',
      `${'['.repeat(100_000)}`,
    ];
    for (const frame of refused) socket.send(frame);
    socket.send(Buffer.from('{"id":1,"name":"app.info","input":{}}'), { binary: true });
    socket.send('{"id":2,"name":"__proto__","input":{}}');
    socket.send('{"id":3,"name":"app.info","input":{}}');
    await until(() => answers().length === refused.length + 3);
    socket.terminate();

    const badRequest = { result: { ok: false, error: { code: 'BAD_REQUEST' } } };
    expect(answers().slice(0, -1)).toMatchObject(
      Array.from({ length: refused.length + 2 }, () => badRequest),
    );
    expect(answers().at(-1)).toMatchObject({ id: 3, result: { ok: true } });
  });

  it('closes a socket after an oversized frame, and keeps the others', async () => {
    const greedy = await connect();
    const other = await connect();
    const closed = once(greedy.socket, 'close');
    greedy.socket.send('x'.repeat(37 * 1024 * 1024));
    const [code] = await closed;
    other.socket.send('{"id":1,"name":"app.info","input":{}}');
    await other.until(() => other.answers().length === 1);
    other.socket.terminate();

    expect(code).toBe(1009);
    expect(other.answers()).toMatchObject([{ result: { ok: true } }]);
  });

  it('survives garbage instead of a handshake', async () => {
    const socket = net.connect({ host: '127.0.0.1', port: server.port });
    socket.on('error', () => undefined);
    socket.resume();
    socket.write('\u0000\u0001garbage\r\n\r\n');
    await once(socket, 'close');

    expect((await ask('/')).status).toBe(200);
  });

  it('loses and repeats nothing if a window stops reading for a while', async () => {
    const { socket, pushes, until } = await connect();
    const start = { prompt: 'many 30000', attachmentIds: [], options: {} };
    socket.send(JSON.stringify({ id: 1, name: 'runs.start', input: start }));
    socket.send(
      JSON.stringify({ id: 2, name: 'runs.subscribe', input: { runId: 'run_1', afterSeq: 0 } }),
    );
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 500));
    socket.resume();
    const seqs = (): number[] =>
      pushes().flatMap((push) => (push.kind === 'events' ? push.events.map((e) => e.seq) : []));
    await until(() => (seqs().at(-1) ?? 0) === 30_001);
    socket.terminate();

    expect(seqs()).toEqual(Array.from({ length: 30_001 }, (_, i) => i + 1));
  });
});
