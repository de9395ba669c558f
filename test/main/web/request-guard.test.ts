import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '#main/base/logger.ts';
import { PushHub } from '#main/transport/push-hub.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { OneTimeLink } from '#main/web/one-time-link.ts';
import { startWebServer, type WebServer } from '#main/web/web-server.ts';
import { createFakeApp } from '../../fakes/app/fake-app.ts';

/** Raw requests as a hostile page, a rebound name or a proxy would send them. */

const { compared } = vi.hoisted(() => ({ compared: [] as number[] }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    timingSafeEqual: (a: Buffer, b: Buffer) => {
      compared.push(a.length);
      return crypto.timingSafeEqual(a, b);
    },
  };
});

let server: WebServer;
let own: string;
let token: string;

beforeAll(async () => {
  const app = createFakeApp({ dataDir: '/nowhere', entryPoint: 'browser', attended: true });
  const hub = new PushHub(app.runs, silentLogger);
  server = await startWebServer({
    rendererDir: join(import.meta.dirname, '../../fakes/app/renderer'),
    port: 0,
    router: new RequestRouter(app.api, silentLogger),
    hub,
    logger: silentLogger,
  });
  own = `127.0.0.1:${server.port}`;
  token = server.url.split('#token=')[1] ?? '';
});

afterAll(() => server[Symbol.asyncDispose]());

/** Status and body of the first response. Sends the bytes exactly as written. */
async function send(...lines: string[]): Promise<{ status: number; text: string }> {
  const socket = net.connect({ host: '127.0.0.1', port: server.port });
  socket.on('error', () => undefined);
  const bytes = lines.map((line) => fill(line)).join('\r\n');
  socket.write(`${bytes}\r\n\r\n`, 'latin1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    // An accepted socket stays open.
    if (text.startsWith('HTTP/1.1 101')) socket.destroy();
  });
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text };
}

const fill = (text: string): string =>
  text.replaceAll('OWN', own).replaceAll('PORT', `${server.port}`).replaceAll('TOKEN', token);

const get = (...headers: string[]) => send('GET / HTTP/1.1', ...headers, 'Connection: close');

const UPGRADE = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const PROTOCOL = 'Sec-WebSocket-Protocol: hyperagent.TOKEN';
const ORIGIN = 'Origin: http://OWN';
const upgrade = (path: string, ...headers: string[]) =>
  send(`GET ${path} HTTP/1.1`, ...headers, ...UPGRADE);

describe('Host', () => {
  it.each(['OWN', 'localhost:PORT', '[::1]:PORT'])('is one of ours: %s', async (host) => {
    expect((await get(`Host: ${host}`)).status).toBe(200);
  });

  it.each([
    ...['attacker.example', 'attacker.example:PORT', '127.0.0.1.attacker.example:PORT'],
    ...['127.0.0.1.:PORT', 'localhost.:PORT', 'LOCALHOST:PORT', 'LocalHost:PORT'],
    ...['127.1:PORT', '0x7f.0.0.1:PORT', '2130706433:PORT', '0177.0.0.1:PORT', '0.0.0.0:PORT'],
    ...['127.0.0.2:PORT', '[::]:PORT', '[::ffff:127.0.0.1]:PORT', '[0:0:0:0:0:0:0:1]:PORT'],
    ...['::1:PORT', '[::1%25lo]:PORT', '127.0.0.1', '127.0.0.1:', '127.0.0.1:0PORT'],
    ...['127.0.0.1:PORT:80', '127.0.0.1:80', 'user@127.0.0.1:PORT', 'http://OWN', 'OWN/'],
    ...[
      'OWN,attacker.example',
      'OWN attacker.example',
      'attacker.example#OWN',
      'xn--localhost-:PORT',
    ],
  ])('must match ours exactly: %s', async (host) => {
    expect((await get(`Host: ${host}`)).status).toBe(403);
    const socket = await upgrade('/socket', `Host: ${host}`, `Origin: http://${host}`, PROTOCOL);
    expect(socket.status).toBe(403);
  });

  it.each([
    ['is missing', []],
    ['is empty', ['Host:']],
    ['is sent twice', ['Host: OWN', 'Host: attacker.example']],
    ['is sent twice, ours last', ['Host: attacker.example', 'Host: OWN']],
    ['is sent twice, in two spellings', ['Host: OWN', 'hOST: OWN']],
    ['has a space before its colon', ['Host : OWN']],
    ['continues on the next line', ['Host: attacker.example', ' OWN']],
    ['hides behind a bare line feed', ['X: y\nHost: OWN']],
  ])('that %s is refused', async (_what, headers) => {
    const { status, text } = await get(...headers);
    expect([400, 403]).toContain(status);
    expect(text).not.toContain('<title>');
  });

  it('is required for old HTTP versions too', async () => {
    expect((await send('GET / HTTP/1.0')).status).toBe(403);
  });

  it('is taken from no other header', async () => {
    const forwarded = ['X-Forwarded-Host: OWN', 'Forwarded: host=OWN', 'X-Host: OWN'];
    expect((await get('Host: attacker.example', ...forwarded)).status).toBe(403);
  });
});

describe('Origin', () => {
  it.each([
    ...['null', '', 'https://OWN', 'http://localhost:PORT', 'http://attacker.example'],
    ...['http://127.0.0.1', 'http://127.0.0.1:1', 'http://OWN/', 'HTTP://OWN', 'http://OWN.'],
    ...['http://OWN http://attacker.example', 'http://attacker.example, http://OWN'],
    ...['chrome-extension://abcdef', 'file://', 'app://hyperagent', 'ws://OWN'],
  ])('must match ours exactly: %s', async (origin) => {
    expect((await get('Host: OWN', `Origin: ${origin}`)).status).toBe(403);
    const socket = await upgrade('/socket', 'Host: OWN', `Origin: ${origin}`, PROTOCOL);
    expect(socket.status).toBe(403);
  });

  it('is required exactly once for a socket, because every browser sends it', async () => {
    const all = await upgrade('/socket', 'Host: OWN', ORIGIN, PROTOCOL);
    const without = await upgrade('/socket', 'Host: OWN', PROTOCOL);
    const twice = await upgrade('/socket', 'Host: OWN', ORIGIN, ORIGIN, PROTOCOL);
    const mixed = await upgrade('/socket', 'Host: OWN', ORIGIN, 'origin: null', PROTOCOL);

    expect([all, without, twice, mixed].map(({ status }) => status)).toEqual([101, 403, 403, 403]);
  });

  it('may be missing for navigation, but not if another page loads a file', async () => {
    const load = async (site: string, mode: string) =>
      (await get('Host: OWN', `Sec-Fetch-Site: ${site}`, `Sec-Fetch-Mode: ${mode}`)).status;

    expect([
      await load('none', 'navigate'),
      await load('same-origin', 'no-cors'),
      await load('cross-site', 'navigate'),
      await load('cross-site', 'no-cors'),
      // Another local port.
      await load('same-site', 'no-cors'),
      await load('same-site', 'cors'),
    ]).toEqual([200, 200, 200, 403, 403, 403]);
  });
});

describe('the token', () => {
  it.each([
    ['in the query', '/socket?token=TOKEN', []],
    ['in the path', '/socket/TOKEN', []],
    ['in a cookie', '/socket', ['Cookie: token=TOKEN']],
    ['as a bearer', '/socket', ['Authorization: Bearer TOKEN']],
    ['in a protocol without its prefix', '/socket', ['Sec-WebSocket-Protocol: TOKEN']],
    ['next to another protocol', '/socket', ['Sec-WebSocket-Protocol: hyperagent.TOKEN, other']],
    ['twice', '/socket', [PROTOCOL, PROTOCOL]],
    ['with something after it', '/socket', ['Sec-WebSocket-Protocol: hyperagent.TOKENx']],
    ['in capitals', '/socket', ['Sec-WebSocket-Protocol: HYPERAGENT.TOKEN']],
  ])('is refused %s', async (_what, path, headers) => {
    const { status } = await upgrade(path, 'Host: OWN', ORIGIN, ...headers);
    expect([400, 401, 404]).toContain(status);
  });

  it('is compared in constant time', async () => {
    compared.length = 0;
    const wrong = `Sec-WebSocket-Protocol: hyperagent.${'A'.repeat(token.length)}`;
    expect((await upgrade('/socket', 'Host: OWN', ORIGIN, wrong)).status).toBe(401);
    expect(compared).toEqual([`hyperagent.${token}`.length]);
  });

  it('is only in the response to the link, after the #', async () => {
    const { pathname } = new URL(server.oneTimeUrl());
    const answers = [
      await get('Host: OWN'),
      await send('GET /socket HTTP/1.1', 'Host: OWN', 'Connection: close'),
      await send('GET /missing HTTP/1.1', 'Host: OWN', 'Connection: close'),
      await send(`GET ${pathname} HTTP/1.1`, 'Host: attacker.example', 'Connection: close'),
    ];
    const link = await send(`GET ${pathname} HTTP/1.1`, 'Host: OWN', 'Connection: close');
    const again = await send(`GET ${pathname} HTTP/1.1`, 'Host: OWN', 'Connection: close');

    expect(answers.filter(({ text }) => text.includes(token))).toEqual([]);
    expect(link.text).toContain(`Location: http://${own}/#token=${token}`);
    expect([link.status, again.status, again.text.includes(token)]).toEqual([302, 404, false]);
  });

  it('has a link that expires after a minute, or when a newer one is issued', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const link = new OneTimeLink('target');
      const old = link.issue();
      const newer = link.issue();
      expect([link.take(old), link.take(newer), link.take(newer)]).toEqual([null, 'target', null]);
      const late = link.issue();
      vi.advanceTimersByTime(60_001);
      expect(link.take(late)).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('requests that servers interpret differently', () => {
  it.each([
    ['absolute, to us', 'GET http://OWN/ HTTP/1.1'],
    ['absolute, to others', 'GET http://attacker.example/ HTTP/1.1'],
    ['absolute, to a rebound name', 'GET http://attacker.example:PORT/ HTTP/1.1'],
    ['of a proxy', 'CONNECT attacker.example:443 HTTP/1.1'],
    ['for everything', 'OPTIONS * HTTP/1.1'],
    ['without a slash', 'GET index.html HTTP/1.1'],
    ['with an unknown method', 'HACK / HTTP/1.1'],
  ])('%s are not served', async (_what, line) => {
    const { status, text } = await send(line, 'Host: OWN', 'Connection: close');
    expect(status).not.toBe(200);
    expect(text).not.toContain('<title>');
  });

  it('do not open a socket if absolute', async () => {
    const { status } = await upgrade('http://OWN/socket', 'Host: OWN', ORIGIN, PROTOCOL);
    expect(status).toBe(404);
  });

  it('cannot smuggle a second request past the guard', async () => {
    const second = ['GET / HTTP/1.1', 'Host: attacker.example', '', ''];
    const both = await send(
      ...['POST / HTTP/1.1', 'Host: OWN', 'Content-Length: 5', 'Transfer-Encoding: chunked'],
      ...['', '0', '', ...second],
    );
    const lengths = await send(
      ...['POST / HTTP/1.1', 'Host: OWN', 'Content-Length: 0', 'Content-Length: 60'],
      ...['', ...second],
    );
    const pipelined = await send(
      ...['GET / HTTP/1.1', 'Host: OWN', '', 'GET / HTTP/1.1', 'Host: attacker.example'],
      'Connection: close',
    );

    expect([both.status, lengths.status]).toEqual([400, 400]);
    expect(pipelined.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
  });

  it('leave the server working', async () => {
    expect((await get('Host: OWN')).status).toBe(200);
  });
});
