import { createServer, type IncomingMessage } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { EgressProxy } from '#main/egress/proxy/egress-proxy.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import { testEgress } from '../../fakes/egress.ts';

interface Seen {
  readonly line: string;
  readonly host: string | undefined;
  readonly length: string | undefined;
  readonly coding: string | undefined;
  readonly body: string;
}

/** The proxy in front of a server that records its requests. */
async function openProxy() {
  const seen: Seen[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const { host, 'content-length': length, 'transfer-encoding': coding } = request.headers;
    const line = `${request.method} ${request.url}`;
    seen.push({ line, host, length, coding, body: await text(request) });
    response.end('answer');
  });
  const port = await listen(server, '127.0.0.1');
  onTestFinished(() => closeServer(server));
  const settings = { current: Settings.parse({ egressPrivateHosts: ['site.test:*'] }) };
  const names = { 'site.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };
  const { egress, store } = testEgress({ settings, names });
  const run = egress.forRun({ runId: 'r', threadId: 'thr_1', network: 'open', allowHosts: [] });
  const proxy = new EgressProxy(run.client('sandbox'));
  /** Sends `bytes` to the proxy; resolves with everything it answers until it closes the connection. */
  const say = async (bytes: string | Buffer): Promise<string> => {
    const [program, ours] = duplexPair();
    proxy.serve(ours);
    program.write(bytes);
    let answer = '';
    program.setEncoding('utf8').on('data', (piece: string) => {
      answer += piece;
    });
    await new Promise((resolve) => program.once('end', resolve).once('close', resolve));
    program.destroy();
    return answer;
  };
  return { say, seen, store, at: `http://site.test:${port}`, host: `site.test:${port}` };
}

const lines = (...given: string[]): string => `${given.join('\r\n')}\r\n\r\n`;
const statusOf = (answer: string): string => answer.slice(9, 12);

describe('plain requests over the proxy', () => {
  it.each(['GET', 'DELETE', 'OPTIONS', 'POST'])(
    '%s with a chunked body is one request, and no second one is smuggled in it',
    async (method) => {
      const { say, seen, at, host } = await openProxy();
      const inner = lines('POST /smuggled HTTP/1.1', 'Host: inner', 'Content-Length: 0');
      const chunk = `${Buffer.byteLength(inner).toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
      const head = lines(
        ...[`${method} ${at}/path HTTP/1.1`, 'Host: elsewhere', 'Transfer-Encoding: chunked'],
        'Connection: close',
      );
      const answer = await say(head + chunk);
      expect([statusOf(answer), answer.endsWith('answer')]).toEqual(['200', true]);
      const request = { line: `${method} /path`, host, length: undefined, coding: 'chunked' };
      expect(seen).toEqual([{ ...request, body: inner }]);
    },
  );

  it('the address counts, not the header Host, and a body of known length stays one', async () => {
    const { say, seen, at, host } = await openProxy();
    const head = ['Host: inner.test', 'Host: 127.0.0.1', 'Content-Length: 4', 'Connection: close'];
    await say(`${lines(`GET ${at}/ HTTP/1.1`, ...head.slice(1))}body`);
    expect(seen).toEqual([{ line: 'GET /', host, length: '4', coding: undefined, body: 'body' }]);
  });

  it.each(['GET', 'DELETE', 'POST'])(
    '%s keeps the length of its body whatever the header Connection names, and stays one request',
    async (method) => {
      const { say, seen, at, host } = await openProxy();
      const inner = lines('POST /smuggled HTTP/1.1', 'Host: inner', 'Content-Length: 0');
      const length = `${Buffer.byteLength(inner)}`;
      const named = 'Connection: close, Content-Length, host, x-mine';
      const head = lines(
        ...[
          `${method} ${at}/ HTTP/1.1`,
          'Host: x',
          `Content-Length: ${length}`,
          'X-Mine: 1',
          named,
        ],
      );
      await say(head + inner);
      const request = { line: `${method} /`, host, length, coding: undefined };
      expect(seen).toEqual([{ ...request, body: inner }]);
    },
  );

  const odd: readonly [string, (at: string) => string][] = [
    [
      'two lengths',
      (at) => lines(`POST ${at}/ HTTP/1.1`, 'Content-Length: 4', 'Content-Length: 5'),
    ],
    [
      'a length and chunks',
      (at) => lines(`POST ${at}/ HTTP/1.1`, 'Content-Length: 4', 'Transfer-Encoding: chunked'),
    ],
    ['a coding that is none', (at) => lines(`POST ${at}/ HTTP/1.1`, 'Transfer-Encoding: xchunked')],
    ['lines without a return', (at) => `GET ${at}/ HTTP/1.1\nHost: x\nX-A: b\n\n`],
    ['a line that is folded', (at) => `GET ${at}/ HTTP/1.1\r\nX-A: b\r\n c\r\n\r\n`],
    ['a space before the colon', (at) => lines(`POST ${at}/ HTTP/1.1`, 'Content-Length : 4')],
    ['headers without end', (at) => `GET ${at}/ HTTP/1.1\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`],
    ['no protocol at all', () => '\u0000\u0001\u0002 what is this\r\n\r\n'],
    ['a path alone', () => lines('GET / HTTP/1.1', 'Host: site.test', 'Connection: close')],
    [
      'another scheme',
      () => lines('GET ftp://site.test/ HTTP/1.1', 'Host: x', 'Connection: close'),
    ],
    ['CONNECT to a path', (at) => lines(`CONNECT ${at}/ HTTP/1.1`)],
    ['CONNECT to no port', () => lines('CONNECT site.test: HTTP/1.1')],
    ['CONNECT to a port past the last', () => lines('CONNECT site.test:65536 HTTP/1.1')],
    ['CONNECT with user-info', () => lines('CONNECT a@127.0.0.1:80 HTTP/1.1')],
    ['a greeting of SOCKS without methods', () => '\u0005\u0000'],
    ['a greeting of SOCKS 4', () => '\u0004\u0001\u0000\u0050\u007f\u0000\u0000\u0001\u0000'],
  ];
  it.each(odd)('%s reaches nobody', async (_name, bytes) => {
    const { say, seen, store, at } = await openProxy();
    const status = statusOf(await say(Buffer.from(bytes(at), 'latin1')));
    expect(['', '400', '403', '413', '431']).toContain(status);
    expect(seen).toEqual([]);
    expect(store.lines.filter(({ verdict }) => verdict !== 'denied')).toEqual([]);
  });
});
