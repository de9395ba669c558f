import { describe, expect, it, onTestFinished } from 'vitest';
import { openConnectorBench } from '../../fakes/connectors/connector-bench.ts';
import { type Instead, startRemoteServer } from '../../fakes/connectors/remote-server.ts';
import { testKeychain } from '../../setup/secret-hunt.ts';

async function open(instead?: Instead, options: Parameters<typeof openConnectorBench>[0] = {}) {
  const server = await startRemoteServer(instead);
  const bench = await openConnectorBench({ seal: testKeychain(), ...options });
  onTestFinished(async () => {
    await bench[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const add = (headers: Record<string, string> = {}, url = server.url) =>
    bench.connectors.add('remote', { kind: 'remote', url, headers });
  return { server, bench, add };
}

const refresh = { refresh: true, signal: AbortSignal.timeout(60_000) };

describe('a remote server', () => {
  it('speaks the newest revision, gets the headers of the user, and its tools are called', async () => {
    const { server, bench, add } = await open();
    const remote = await add({ Authorization: 'Bearer zq-secret-value' });
    expect(JSON.stringify(bench.connectors.list())).not.toContain('zq-secret-value');
    await bench.approveAll(remote);
    expect(bench.connectors.list()[0]?.server).toEqual({
      ...{ name: 'remote-notes', version: '2.0.0', revision: '2026-07-28' },
    });
    const answer = await bench.call(remote, 'look_up', { word: 'tea' });
    expect(answer).toMatchObject({ text: 'tea means something', isError: false });
    const authorizations = new Set(server.requests.map(({ headers }) => headers.authorization));
    expect([...authorizations]).toEqual(['Bearer zq-secret-value']);
    expect(bench.connectors.usable()[0]?.reach).toEqual({
      ...{ hosts: [`127.0.0.1:${server.port}`], writes: [], isRemote: true },
    });
  });

  it('is a line in the list of connections, and is not reached while the app is offline', async () => {
    const { server, bench, add } = await open();
    const remote = await add();
    await bench.approveAll(remote);
    expect(bench.connections[0]).toMatchObject({ actor: 'connector', verdict: 'allowed' });
    bench.settings.current = { ...bench.settings.current, egress: 'offline' };
    await bench.connectors.enable(remote.id, false);
    await bench.connectors.enable(remote.id, true);
    const before = server.requests.length;
    await expect(bench.call(remote, 'look_up', { word: 'tea' })).rejects.toMatchObject({
      code: 'CONNECTOR_UNAVAILABLE',
    });
    expect(server.requests).toHaveLength(before);
  });

  it('leads nowhere else: a redirect is not followed', async () => {
    const other = await startRemoteServer();
    onTestFinished(() => other[Symbol.asyncDispose]());
    const { bench, add } = await open(() => Response.redirect(other.url, 307));
    const remote = await add();
    await expect(bench.connectors.tools(remote.id, refresh)).rejects.toMatchObject({
      code: 'CONNECTOR_UNAVAILABLE',
    });
    expect(other.requests).toEqual([]);
  });

  it('cannot fill the memory: an answer that is too long ends in an error', async () => {
    const piece = new Uint8Array(1024 * 1024).fill(65);
    const endless = (): Response => {
      let left = 64;
      return new Response(
        new ReadableStream({
          pull: (controller) => {
            if (left === 0) controller.close();
            else controller.enqueue(piece);
            left -= 1;
          },
        }),
        { headers: { 'content-type': 'application/json' } },
      );
    };
    const { bench, add } = await open(endless);
    const remote = await add();
    await expect(bench.connectors.tools(remote.id, refresh)).rejects.toThrow('more than 8 MB');
  });

  it('that wants a sign-in, or is no such server, is named as such', async () => {
    const { bench, add } = await open(() => new Response('no', { status: 401 }));
    const remote = await add();
    await expect(bench.connectors.tools(remote.id, refresh)).rejects.toThrow(/sign/i);
  });
});
