import { createServer, type Server, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { EgressConnection } from '#contract/egress.ts';
import { Settings } from '#contract/settings.ts';
import { EgressDenied } from '#main/egress/denied.ts';
import { testEgress } from '../../fakes/egress.ts';

const never = new AbortController().signal;
const here = (changes: Record<string, unknown> = {}): Settings =>
  Settings.parse({ egressPrivateHosts: ['site.test:*'], ...changes });

/** A server with scripted answers; it knows who is connected. */
async function openServer() {
  const connected = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: false }, (socket) => {
    connected.add(socket);
    socket.on('error', () => undefined).once('close', () => connected.delete(socket));
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of connected) socket.destroy();
    server.close();
  });
  return { connected, port: (server.address() as { port: number }).port };
}

/** A run whose egress calls `whileDialling` when a connection is recorded but not made yet. */
function openRun(whileDialling: (bench: ReturnType<typeof testEgress>) => void) {
  const settings = { current: here() };
  const seen: EgressConnection[] = [];
  const bench: ReturnType<typeof testEgress> = testEgress({
    settings,
    names: { 'site.test': ['127.0.0.1'] },
    recordEveryMs: 10,
    onLine: (line) => {
      seen.push(line);
      if (seen.length === 1) whileDialling(bench);
    },
  });
  return {
    ...bench,
    settings,
    run: bench.egress.forRun({ runId: 'r', threadId: 'thr_1', network: 'open', allowHosts: [] }),
  };
}

const outcomeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.catch((cause: unknown) => cause);
  return error instanceof EgressDenied ? error.reason : 'connected';
};

it('the network switch ends a connection that is still dialling', async () => {
  const server = await openServer();
  const { run, store } = openRun(({ broker, settings }) => {
    settings.current = here({ egress: 'offline' });
    broker.enforce();
  });
  const work = run.client('sandbox').connect({ host: 'site.test', port: server.port }, never);
  expect(await outcomeOf(work)).toBe('offline');
  await expect.poll(() => server.connected.size).toBe(0);
  expect(store.lines).toMatchObject([{ verdict: 'failed', reason: 'offline', sentBytes: 0 }]);
  expect(store.lines[0]?.endedAt).not.toBeNull();
});

it('a run that ends also ends what it is dialling', async () => {
  const server = await openServer();
  let end = (): void => undefined;
  const { run, store } = openRun(() => end());
  end = () => run[Symbol.dispose]();
  const work = run.client('fetch').connect({ host: 'site.test', port: server.port }, never);
  expect(await outcomeOf(work)).toBe('no_run');
  await expect.poll(() => server.connected.size).toBe(0);
  expect(store.lines).toMatchObject([{ verdict: 'failed', reason: 'no_run' }]);
});

it('a caller that gives up dialling gets the reason, and the row is closed', async () => {
  const server = await openServer();
  const giveUp = new AbortController();
  const { run, store } = openRun(() => giveUp.abort(new Error('given up')));
  const target = { host: 'site.test', port: server.port };
  await expect(run.client('fetch').connect(target, giveUp.signal)).rejects.toThrow('given up');
  expect(store.lines).toMatchObject([{ verdict: 'failed', reason: 'unreachable' }]);
  expect(store.lines[0]?.endedAt).not.toBeNull();
});

it('the list counts the bytes of a connection while it is open', async () => {
  const server = await openServer();
  const { run, store } = openRun(() => undefined);
  const socket = await run
    .client('sandbox')
    .connect({ host: 'site.test', port: server.port }, never);
  socket.resume();
  socket.write(Buffer.alloc(1234));
  const sums = () => store.lines.map(({ sentBytes, receivedBytes }) => [sentBytes, receivedBytes]);
  await expect.poll(sums).toEqual([[1234, 1234]]);
  expect(store.lines).toMatchObject([{ verdict: 'allowed', reason: null, endedAt: null }]);
  socket.destroy();
  await expect.poll(() => store.lines[0]?.endedAt).not.toBeNull();
  expect(sums()).toEqual([[1234, 1234]]);
});
