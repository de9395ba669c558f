import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { type PushMessage, REQUESTS, type RequestName } from '#contract/requests.ts';
import { WebSocketBridge } from '#renderer/bridge/web-socket-bridge.ts';

interface Frame {
  readonly id: number;
  readonly name: RequestName;
  readonly input: Record<string, unknown>;
  readonly key?: { readonly session: string; readonly number: number; readonly again: boolean };
}

/** A server that can be stopped: it records frames and answers as the test says. */
class FakeServer {
  readonly frames: Frame[] = [];
  readonly protocols: string[] = [];
  answer: (frame: Frame) => unknown = () => ({ ok: true, data: {} });
  readonly #port: number;
  #server: WebSocketServer;

  private constructor(server: WebSocketServer, port: number) {
    this.#server = server;
    this.#port = port;
    this.#serve();
  }

  static async open(port = 0): Promise<FakeServer> {
    const server = await FakeServer.#listen(port);
    const address = server.address();
    return new FakeServer(server, typeof address === 'object' ? (address?.port ?? 0) : 0);
  }

  static #listen(port: number): Promise<WebSocketServer> {
    return new Promise((resolve) => {
      const server: WebSocketServer = new WebSocketServer({ host: '127.0.0.1', port }, () =>
        resolve(server),
      );
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}/socket`;
  }

  push(message: PushMessage): void {
    for (const client of this.#server.clients) client.send(JSON.stringify({ push: message }));
  }

  async shut(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async reopen(): Promise<void> {
    this.#server = await FakeServer.#listen(this.#port);
    this.#serve();
  }

  async until(count: number): Promise<void> {
    while (this.frames.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  #serve(): void {
    this.#server.on('connection', (socket: ServerSocket) => {
      this.protocols.push(socket.protocol);
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as Frame;
        this.frames.push(frame);
        const result = this.answer(frame);
        if (result !== null) socket.send(JSON.stringify({ id: frame.id, result }));
      });
    });
  }
}

describe('the window over a socket', () => {
  let server: FakeServer;
  let bridge: WebSocketBridge;

  beforeEach(async () => {
    server = await FakeServer.open();
    bridge = new WebSocketBridge({ url: server.url, token: 'secret' });
  });

  afterEach(async () => {
    bridge.close();
    await server.shut();
  });

  it('sends its token as the subprotocol, and matches answers to requests', async () => {
    server.answer = ({ name, id }) => ({ ok: true, data: { name, id } });
    const answers = await Promise.all([
      bridge.request('app.info', {}),
      bridge.request('settings.get', {}),
    ]);
    expect([server.protocols, answers]).toEqual([
      ['hyperagent.secret'],
      [
        { ok: true, data: { name: 'app.info', id: 1 } },
        { ok: true, data: { name: 'settings.get', id: 2 } },
      ],
    ]);
  });

  it('subscribes again after the last event that it passed on', async () => {
    const heard: PushMessage[] = [];
    bridge.onEvent((message) => heard.push(message));
    await bridge.request('runs.subscribe', { runId: 'r', afterSeq: 3 });
    const event = { runId: 'r', seq: 7, at: 1, type: 'token', messageId: 'm', text: 'x' } as const;
    server.push({ kind: 'events', runId: 'r', events: [event] });
    while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.shut();
    await server.reopen();
    await server.until(2);
    expect(server.frames.at(-1)).toMatchObject({
      name: 'runs.subscribe',
      input: { runId: 'r', afterSeq: 7 },
    });
  });

  it('repeats what has no answer, and marks the repetition of what changes something', async () => {
    server.answer = () => null;
    const reading = bridge.request('threads.list', {});
    const starting = bridge.request('runs.start', {
      ...{ prompt: 'x', attachmentIds: [], options: {} },
    });
    await server.until(2);
    await server.shut();
    server.answer = ({ name }) => ({ ok: true, data: { name } });
    await server.reopen();
    expect(await Promise.all([reading, starting])).toEqual([
      { ok: true, data: { name: 'threads.list' } },
      { ok: true, data: { name: 'runs.start' } },
    ]);
    const keys = server.frames.map(({ name, key }) => [name, key?.number, key?.again]);
    expect(keys).toEqual([
      ['threads.list', undefined, undefined],
      ['runs.start', 1, false],
      ['threads.list', undefined, undefined],
      ['runs.start', 1, true],
    ]);
    const sessions = new Set(server.frames.flatMap(({ key }) => key?.session ?? []));
    expect(sessions.size).toBe(1);
  });

  it('gives each request that changes something a key of its own, and none that reads', async () => {
    const names = (Object.keys(REQUESTS) as RequestName[]).filter(
      (name) => name !== 'runs.subscribe' && name !== 'runs.unsubscribe',
    );
    await Promise.all(names.map((name) => bridge.request(name, {} as never)));
    const keyed = server.frames.filter(({ key }) => key !== undefined);
    expect(keyed.map(({ name }) => name).sort()).toEqual(
      names.filter((name) => REQUESTS[name].effect === 'once').sort(),
    );
    expect(new Set(keyed.map(({ key }) => key?.number)).size).toBe(keyed.length);
  });

  it('refuses at once to change anything while the connection is lost', async () => {
    await bridge.request('app.info', {});
    await server.shut();
    while (bridge.connection.state() !== 'lost') await new Promise((r) => setTimeout(r, 5));
    const result = await bridge.request('secrets.set', { name: 'a', value: 'b' });
    expect(result).toMatchObject({ ok: false, error: { code: 'DISCONNECTED' } });
    await server.reopen();
  });

  it('is refused without a token', async () => {
    const other = new WebSocketBridge({ url: server.url, token: null });
    expect([other.connection.state(), await other.request('app.info', {})]).toMatchObject([
      'refused',
      { ok: false, error: { code: 'DISCONNECTED' } },
    ]);
  });

  it('gives up on a server that never answered', async () => {
    const other = new WebSocketBridge({ url: 'ws://127.0.0.1:1/socket', token: 'x' });
    const result = await other.request('app.info', {});
    expect([other.connection.state(), result.ok]).toEqual(['refused', false]);
  });
});
