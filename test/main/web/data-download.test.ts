import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#main/base/logger.ts';
import { PushHub } from '#main/transport/push-hub.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import type { DataDownload } from '#main/user-data/data-exporter.ts';
import { startWebServer } from '#main/web/web-server.ts';
import { createFakeApp } from '../../fakes/app/fake-app.ts';

const RENDERER = join(import.meta.dirname, '../../fakes/app/renderer');
const TICKET = '/export/ticket';

/** A server on which one path loads `send` as a file, once. */
async function serverWith(send: DataDownload['send']): Promise<number> {
  const app = createFakeApp({ dataDir: '/nowhere', entryPoint: 'browser', attended: true });
  let download: DataDownload | null = { fileName: 'all.zip', send };
  const server = await startWebServer({
    ...{ rendererDir: RENDERER, port: 0, logger: silentLogger },
    router: new RequestRouter(app.api, silentLogger),
    hub: new PushHub(app.runs, silentLogger),
    takeDownload: (path) => {
      const taken = path === TICKET ? download : null;
      if (taken !== null) download = null;
      return taken;
    },
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.port;
}

function load(
  port: number,
  { path = TICKET, headers = {}, method = 'GET' }: http.RequestOptions = {},
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers, method, agent: false };
    http.request(options, resolve).on('error', reject).end();
  });
}

async function bytesOf(response: http.IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

it('is sent as a file while it is made, and once', async () => {
  const content = randomBytes(3_000_000);
  const port = await serverWith(async (write) => {
    for (let at = 0; at < content.length; at += 50_000) {
      await write(content.subarray(at, at + 50_000));
    }
  });
  const response = await load(port);
  expect([response.statusCode, response.headers]).toMatchObject([
    200,
    {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="all.zip"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  ]);
  expect(await bytesOf(response)).toEqual(content);
  expect((await load(port)).statusCode).toBe(404);
});

it('goes to no other site, and is not used up by a look at its head', async () => {
  const port = await serverWith((write) => write(Buffer.from('all')));
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  expect((await load(port, { headers })).statusCode).toBe(403);
  expect((await load(port, { headers: { host: 'evil.example' } })).statusCode).toBe(403);
  expect((await load(port, { method: 'HEAD' })).statusCode).toBe(404);
  expect((await bytesOf(await load(port))).toString()).toBe('all');
});

it('breaks the connection if it is not whole, so that a browser keeps no half file', async () => {
  const port = await serverWith(async (write) => {
    await write(Buffer.from('half'));
    throw new Error('the disk');
  });
  const response = await load(port);
  await expect(bytesOf(response)).rejects.toThrow('aborted');
});

it('stops what makes it when the browser goes away', async () => {
  const stopped = Promise.withResolvers<void>();
  const port = await serverWith(async (write, closed) => {
    closed.addEventListener('abort', () => stopped.resolve());
    for (;;) await write(Buffer.alloc(100_000));
  });
  const response = await load(port);
  response.destroy();
  await stopped.promise;
});
