import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '#contract/errors.ts';

/** For the user to sign in. */
const PATIENCE_MS = 10 * 60_000;

const PAGE = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>HyperAgent</title><p style="font: 16px system-ui; margin: 3rem">${text}</p>`;

export interface CallbackListener extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** What the browser came back with, once. Rejects after ten minutes, or when it is disposed. */
  answer(state: string): Promise<URLSearchParams>;
}

/**
 * Listens on loopback for the browser of the user to come back from a sign-in (RFC 8252), on the port of the last time
 * where it is free. It answers only what carries the state that this sign-in was begun with.
 */
export async function listenForCallback(wanted: number | null): Promise<CallbackListener> {
  const got = Promise.withResolvers<URLSearchParams>();
  // Nobody may wait for it.
  got.promise.catch(() => undefined);
  let expected: string | null = null;
  const server = http.createServer((request, response) => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    const isOurs =
      request.method === 'GET' &&
      url?.pathname === '/callback' &&
      expected !== null &&
      url.searchParams.get('state') === expected &&
      /^127\.0\.0\.1(?::\d+)?$/.test(request.headers.host ?? '');
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
      connection: 'close',
    };
    if (!isOurs || url === null) {
      response.writeHead(404, headers).end(PAGE('There is nothing here.'));
      return;
    }
    response.writeHead(200, headers).end(PAGE('You can close this tab and go back to HyperAgent.'));
    got.resolve(url.searchParams);
  });
  const port = (await listen(server, wanted ?? 0)) ?? (await listen(server, 0));
  if (port === null) {
    throw new AppError(
      'CONNECTOR_UNAVAILABLE',
      'No port of this computer is free for the sign-in.',
    );
  }
  const end = (message: string): void => got.reject(new AppError('CANCELLED', message));
  const timer = setTimeout(() => end('Nobody signed in within ten minutes.'), PATIENCE_MS).unref();
  return {
    url: `http://127.0.0.1:${port}/callback`,
    port,
    answer: (state) => {
      expected = state;
      return got.promise;
    },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      end('The sign-in was stopped.');
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The port; null where it is taken. */
function listen(server: http.Server, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const onError = (): void => resolve(null);
    server.once('error', onError);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
