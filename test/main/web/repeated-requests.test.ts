import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { REQUESTS, type RequestName } from '#contract/requests.ts';
import { silentLogger } from '#main/base/logger.ts';
import { PushHub } from '#main/transport/push-hub.ts';
import type { AnyResult, RequestRouter } from '#main/transport/request-router.ts';
import { RepeatedRequests } from '#main/web/repeated-requests.ts';
import { startWebServer, type WebServer } from '#main/web/web-server.ts';
import { WebSocketBridge } from '#renderer/bridge/web-socket-bridge.ts';
import { createFakeApp } from '../../fakes/app/fake-app.ts';

const RENDERER = join(import.meta.dirname, '../../fakes/app/renderer');
/** They stand for the runs of a socket, and are made from what was passed on. */
const NAMES = (Object.keys(REQUESTS) as RequestName[]).filter(
  (name) => name !== 'runs.subscribe' && name !== 'runs.unsubscribe',
);

describe('a socket that breaks before the answer', () => {
  let server: WebServer;
  let bridge: WebSocketBridge;
  const sockets = new Set<WebSocket>();
  const done: string[] = [];
  let answers = Promise.withResolvers<void>();

  beforeEach(async () => {
    done.length = 0;
    answers = Promise.withResolvers();
    const hub = new PushHub(
      createFakeApp({ dataDir: '/nowhere', entryPoint: 'browser', attended: true }).runs,
      silentLogger,
    );
    const handle = async (name: unknown): Promise<AnyResult> => {
      done.push(String(name));
      const time = done.filter((one) => one === name).length;
      await answers.promise;
      return { ok: true, data: { name, time } };
    };
    server = await startWebServer({
      ...{ rendererDir: RENDERER, port: 0, hub, logger: silentLogger },
      router: { handle } as unknown as RequestRouter,
    });
    const origin = `http://127.0.0.1:${server.port}`;
    // A page sends its origin with the handshake; Node's own client does not.
    vi.stubGlobal(
      'WebSocket',
      class extends WebSocket {
        constructor(url: string, protocol: string) {
          super(url, protocol, { origin });
          sockets.add(this);
        }
      },
    );
    bridge = new WebSocketBridge({
      url: `ws://127.0.0.1:${server.port}/socket`,
      token: server.token,
    });
  });

  afterEach(async () => {
    bridge.close();
    vi.unstubAllGlobals();
    sockets.clear();
    await server[Symbol.asyncDispose]();
  });

  it('costs no request of the contract its answer, and does none twice that does something', async () => {
    const results = NAMES.map((name) => bridge.request(name, {} as never));
    await expect.poll(() => done.length).toBe(NAMES.length);
    for (const socket of sockets) socket.terminate();
    const reads = NAMES.filter((name) => REQUESTS[name].effect === 'read');
    await expect.poll(() => done.length).toBe(NAMES.length + reads.length);
    // What was done while nobody was connected, and what is still running, is answered on the new socket.
    answers.resolve();
    const given = (await Promise.all(results)).map((result) => result.ok && result.data);
    expect(given).toEqual(
      NAMES.map((name) => ({ name, time: REQUESTS[name].effect === 'read' ? 2 : 1 })),
    );
    const twice = NAMES.filter((name) => done.filter((one) => one === name).length > 1);
    expect(twice.filter((name) => REQUESTS[name].effect === 'once')).toEqual([]);
  });
});

describe('requests that are sent again', () => {
  const frame = (number: number, again: boolean, more: object = {}) => ({
    ...{ id: 1, name: 'runs.start', input: { prompt: 'x' } },
    key: { session: 'session-of-a-page', number, again },
    ...more,
  });
  const answered = (data: unknown) => async (): Promise<AnyResult> => ({ ok: true, data });

  it('are refused by an app that does not know them: it was restarted', async () => {
    const work = vi.fn(answered(1));
    const result = await new RepeatedRequests().answer(frame(1, true), work);
    expect([result, work.mock.calls.length]).toMatchObject([
      { ok: false, error: { code: 'DISCONNECTED' } },
      0,
    ]);
  });

  it('are done where they had not arrived', async () => {
    const requests = new RepeatedRequests();
    await requests.answer(frame(1, false), answered(1));
    expect(await requests.answer(frame(2, true), answered(2))).toEqual({ ok: true, data: 2 });
  });

  it('are never done twice, however many came between', async () => {
    const requests = new RepeatedRequests();
    const work = vi.fn(answered('again'));
    for (let number = 1; number <= 1_000; number += 1) {
      await requests.answer(frame(number, false), answered(number));
    }
    const results: AnyResult[] = [];
    for (let number = 1; number <= 1_000; number += 1) {
      results.push(await requests.answer(frame(number, true), work));
    }
    expect(work).not.toHaveBeenCalled();
    expect(results.at(-1)).toEqual({ ok: true, data: 1_000 });
    expect(results[0]).toMatchObject({ ok: false, error: { code: 'DISCONNECTED' } });
  });

  it('are never done twice after many other pages either', async () => {
    const requests = new RepeatedRequests();
    const work = vi.fn(answered('again'));
    await requests.answer(frame(1, false), answered(1));
    for (let page = 0; page < 500; page += 1) {
      const key = { session: `another-page-${page}-of-many`, number: 1, again: false };
      await requests.answer(frame(1, false, { key }), answered(page));
    }
    const result = await requests.answer(frame(1, true), work);
    expect([result.ok, work.mock.calls.length]).toEqual([false, 0]);
  });

  it('under the key of another request are refused', async () => {
    const requests = new RepeatedRequests();
    await requests.answer(frame(1, false), answered(1));
    const other = await requests.answer(frame(1, true, { input: { prompt: 'y' } }), answered(2));
    expect(other).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } });
  });
});
