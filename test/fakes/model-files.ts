import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Random bytes that begin as a model file does. */
export function modelBytes(size: number): Buffer {
  return Buffer.concat([Buffer.from('GGUF'), randomBytes(size - 4)]);
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** How the stand-in answers; changed by tests between two requests. */
export interface Behaviour {
  body: Buffer;
  etag: string | null;
  /** Closes the connection after so many bytes of this answer. */
  cutAfter: number | null;
  ignoresRange: boolean;
  /** Answers a range with this version, whatever `If-Range` says. */
  ignoresIfRange: boolean;
  /** Redirects `/model.gguf` there. */
  redirect: string | null;
  /** Announces no length. */
  chunked: boolean;
  /** Waits after so many bytes, until `release` is called. */
  holdAfter: number | null;
  status: number | null;
}

export interface ModelFileServer extends AsyncDisposable {
  readonly url: string;
  readonly behaviour: Behaviour;
  /** The `Range` header of each request, or null. */
  readonly ranges: (string | null)[];
  release(): void;
}

/** A server of one model file, on loopback. */
export async function startModelFileServer(body: Buffer): Promise<ModelFileServer> {
  const behaviour: Behaviour = {
    ...{ body, etag: '"v1"', cutAfter: null, ignoresRange: false, ignoresIfRange: false },
    ...{ redirect: null, chunked: false, holdAfter: null, status: null },
  };
  const ranges: (string | null)[] = [];
  let held: (() => void)[] = [];
  const server = http.createServer((request, response) => {
    const { redirect, status } = behaviour;
    ranges.push(request.headers.range ?? null);
    if (redirect !== null && request.url === '/model.gguf') {
      response.writeHead(302, { location: redirect }).end();
    } else if (status !== null) {
      response.writeHead(status).end('no');
    } else {
      void answer(request, response);
    }
  });
  const answer = async (
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> => {
    const { body: all, etag, ignoresRange, ignoresIfRange, chunked } = behaviour;
    const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
    const tag = request.headers['if-range'];
    const isSame = ignoresIfRange || tag === undefined || tag === etag;
    const start = asked !== null && !ignoresRange && isSame ? Number(asked[1]) : 0;
    if (start > 0 && start >= all.length) {
      response.writeHead(416, { 'content-range': `bytes */${all.length}` }).end();
      return;
    }
    const rest = all.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      ...(etag === null ? {} : { etag }),
      ...(chunked ? {} : { 'content-length': rest.length }),
      ...(start > 0 ? { 'content-range': `bytes ${start}-${all.length - 1}/${all.length}` } : {}),
    });
    response.flushHeaders();
    const { cutAfter, holdAfter } = behaviour;
    const stopAt = cutAfter ?? holdAfter;
    response.write(stopAt === null ? rest : rest.subarray(0, stopAt));
    if (holdAfter !== null) await new Promise<void>((resolve) => held.push(resolve));
    if (cutAfter !== null && cutAfter < rest.length) {
      // Not `destroy`, which would drop what is on its way.
      response.socket?.end();
      return;
    }
    response.end(stopAt === null ? undefined : rest.subarray(stopAt));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/model.gguf`,
    behaviour,
    ranges,
    release: () => {
      behaviour.holdAfter = null;
      for (const resolve of held) resolve();
      held = [];
    },
    [Symbol.asyncDispose]: async () => {
      for (const resolve of held) resolve();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
