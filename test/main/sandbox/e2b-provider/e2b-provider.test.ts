import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { delay } from '#main/base/abort.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { fetchThrough } from '#main/egress/fetch-through.ts';
import { PROBE_NAMES } from '#main/sandbox/isolation-probes/isolation-probes.ts';
import { ownerLabel } from '#main/sandbox/process-owner.ts';
import type { RuntimeSpec } from '#main/sandbox/types.ts';
import { UnifiedSandboxManager } from '#main/sandbox/unified-sandbox-manager.ts';
import { e2bObstacle } from '../../../fakes/e2b/fake-e2b.ts';
import { testEgress } from '../../../fakes/egress.ts';
import { memoryProofStore } from '../fake-provider.ts';
import { startE2b } from './open-e2b.ts';

const { fake, open } = await startE2b();
const never = new AbortController().signal;
const obstacle = await e2bObstacle();
const machines = obstacle === null ? 'machines' : `machines (not run: ${obstacle})`;
const describeMachines = describe.skipIf(obstacle !== null);

let dir: string;
let spec: RuntimeSpec;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hyperagent-e2b-test-'));
  const workspaceDir = join(dir, 'workspace');
  await mkdir(workspaceDir);
  const limits = { memoryBytes: 2 ** 28, cpus: 1, pids: 64, fileBytes: 2 ** 20 };
  spec = { key: 'unified:test:e2b', workspaceDir, limits };
  fake.requests.length = 0;
});
afterEach(async () => {
  fake.fault = () => null;
  fake.hole = null;
  await Promise.all(fake.machines.map(({ id }) => fake.end(id)));
  await rm(dir, { recursive: true, force: true });
});
afterAll(() => fake.close());

describe('whether it can be used', () => {
  test('without a key: it says what to do, and sends no request', async () => {
    for (const key of [null, '', ' \n']) {
      const provider = open(dir, { readKey: () => key });
      expect(await provider.inspect(never)).toMatchObject({
        status: 'unavailable',
        detail: 'there is no key for e2b.dev',
        remedy: expect.stringMatching(/settings under Sandbox.*E2B_API_KEY/),
      });
      await expect(provider.start(spec, never)).rejects.toMatchObject({
        code: 'SANDBOX_UNAVAILABLE',
        message: expect.stringContaining('E2B_API_KEY'),
      });
    }
    expect(fake.requests).toEqual([]);
  });

  test('with a key that is not valid', async () => {
    const provider = open(dir, { readKey: () => 'e2b_wrong' });
    expect(await provider.inspect(never)).toMatchObject({
      status: 'unavailable',
      detail: 'e2b.dev refused the key (Invalid API key)',
      remedy: expect.stringContaining('Enter a valid key'),
    });
    await expect(provider.start(spec, never)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('refused the key'),
    });
  });

  test('with a service over its limit: it says when to try again', async () => {
    fake.fault = () => ({ status: 429, message: 'slow down', headers: { 'retry-after': '7' } });
    expect(await open(dir).inspect(never)).toMatchObject({
      status: 'unavailable',
      detail: 'e2b.dev accepts no more requests at the moment (slow down)',
      remedy: expect.stringContaining('in 7 seconds'),
    });
    await expect(open(dir).start(spec, never)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('in 7 seconds'),
    });
    expect(fake.machines).toEqual([]);
  });

  test('with a service that breaks, cuts the line or is not there', async () => {
    fake.fault = () => ({ status: 503 });
    expect(await open(dir).inspect(never)).toMatchObject({
      detail: expect.stringContaining('503'),
    });
    fake.fault = () => 'cut';
    const unreachable = { status: 'unavailable', detail: expect.stringContaining('be reached') };
    expect(await open(dir).inspect(never)).toMatchObject(unreachable);
    const nobody = open(dir, { apiUrl: 'http://127.0.0.1:9' });
    expect(await nobody.inspect(never)).toMatchObject(unreachable);
    await expect(nobody.start(spec, never)).rejects.toMatchObject({ code: 'SANDBOX_LOST' });
  });

  test('an abort rejects with the reason of the signal', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(open(dir).inspect(controller.signal)).rejects.toThrow('enough');
  });

  test('the key does not follow a redirect', async () => {
    const keys: unknown[] = [];
    const other = createServer((request, response) => {
      keys.push(request.headers['x-api-key']);
      response.end('[]');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const headers = { location: `http://127.0.0.1:${port}/v2/sandboxes` };
    fake.fault = () => ({ status: 302, headers });
    expect(await open(dir).inspect(never)).toMatchObject({ status: 'unavailable' });
    expect(keys).toEqual([]);
    other.close();
  });

  test('a check is valid for one day only', async () => {
    const at = (now: number) => open(dir, { clock: { ...systemClock, now: () => now } });
    const day = 24 * 60 * 60 * 1000;
    const states = await Promise.all([0, 5, day].map((now) => at(now).inspect(never)));
    const [first, same, next] = states.map((state) =>
      state.status === 'ready' ? state.fingerprint : '',
    );
    expect(same).toBe(first);
    expect(next).not.toBe(first);
  });
});

describeMachines(machines, () => {
  test('are created without internet access, and their labels reveal nothing about this computer', async () => {
    await using _runtime = await open(dir).start(spec, never);
    expect(fake.machines.map(({ config }) => config)).toEqual([
      {
        templateID: 'base',
        timeout: 300,
        autoPause: false,
        secure: true,
        allow_internet_access: false,
        network: { allowPublicTraffic: false },
        metadata: { hyperagent: 'sandbox', hyperagent_owner: ownerLabel() },
      },
    ]);
    expect(JSON.parse(ownerLabel()).host).toMatch(/^[0-9a-f]{24}$/);
  });

  test('are checked and used if selected; without the key, it says what to do', async () => {
    const proofs = memoryProofStore();
    const manager = (key: string | null): UnifiedSandboxManager =>
      new UnifiedSandboxManager({
        providers: [open(dir, { readKey: () => key })],
        workspaceDir: (taskId) => join(dir, 'tasks', taskId),
        settings: () => Settings.parse({}),
        ...{ proofs, clock: systemClock, logger: silentLogger },
      });
    const ask = { signal: never, onProgress: () => undefined };
    await using keyless = manager(null);
    await expect(keyless.forTask('t', 'e2b').runtime(ask)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringMatching(/E2B: there is no key for e2b\.dev.*E2B_API_KEY/),
    });
    await expect(manager(fake.key).forTask('t', 'auto').runtime(ask)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
    });
    expect(fake.requests).toEqual([]);
    await using named = manager(fake.key);
    expect((await named.forTask('t', 'e2b').runtime(ask)).level).toBe('e2b');
    expect(proofs.get('e2b')?.probes.length).toBe(PROBE_NAMES.length);
  });

  test('are reached through the egress client only', async () => {
    const { port } = new URL(fake.url);
    const settings = { current: Settings.parse({ egressPrivateHosts: [`127.0.0.1:${port}`] }) };
    const { egress, store } = testEgress({ settings });
    const provider = open(dir, {
      fetch: fetchThrough((target) => egress.appClient('app', [target], { byUser: false })),
    });
    await provider.inspect(never);
    const runtime = await provider.start(spec, never);
    await runtime[Symbol.asyncDispose]();
    expect(fake.requests.length).toBeGreaterThan(8);
    expect(store.lines.filter(({ verdict }) => verdict === 'allowed').length).toBe(
      fake.requests.length,
    );
    settings.current = { ...settings.current, egress: 'allowlist', egressPrivateHosts: [] };
    fake.requests.length = 0;
    expect(
      await open(dir, {
        fetch: fetchThrough(() => egress.appClient('app', [], { byUser: false })),
      }).inspect(never),
    ).toMatchObject({
      status: 'unavailable',
    });
    expect(fake.requests).toEqual([]);
  });

  test('end with their runtime', async () => {
    const runtime = await open(dir).start(spec, never);
    expect(fake.machines.length).toBe(1);
    await runtime[Symbol.asyncDispose]();
    expect(fake.machines).toEqual([]);
    expect(fake.requests.filter((request) => request.startsWith('DELETE')).length).toBe(1);
  });

  test('end if their runtime fails to start', async () => {
    fake.fault = (request) => (request.endsWith('/Start') ? { status: 500 } : null);
    await expect(open(dir).start(spec, never)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
    });
    expect(fake.machines).toEqual([]);
  });

  test('of an app that was killed are ended by the next, those of others are not', async () => {
    const config = { templateID: 'base' as const, timeout: 300 };
    const label = (owner: string) => ({ hyperagent: 'sandbox', hyperagent_owner: owner });
    const mine = JSON.parse(ownerLabel());
    const add = async (metadata: Record<string, string>): Promise<string> =>
      (await fake.add({ ...config, metadata })).id;
    const dead = await add(label(JSON.stringify({ ...mine, pid: 2 ** 22 + 1 })));
    const others = [
      await add(label(JSON.stringify({ ...mine, host: 'elsewhere', pid: 2 ** 22 + 1 }))),
      await add(label(ownerLabel())),
      await add(label('no owner')),
      await add({ hyperagent_owner: JSON.stringify({ ...mine, pid: 2 ** 22 + 1 }) }),
    ];
    const provider = open(dir);
    await provider.inspect(never);
    const runtime = await provider.start(spec, never);
    await runtime[Symbol.asyncDispose]();
    expect(fake.machines.map(({ id }) => id)).toEqual(others);
    expect(others).not.toContain(dead);
  });

  test('live while they are renewed, and end by themselves afterwards', async () => {
    const provider = open(dir, { timeToLiveSeconds: 3 });
    await using runtime = await provider.start(spec, never);
    await delay(5_000, never);
    expect(fake.machines.length).toBe(1);
    const result = await runtime.run(
      { commandId: 'c', language: 'bash', code: 'echo here', timeoutMs: 5_000 },
      { signal: never, onOutput: () => undefined },
    );
    expect(result.stdout).toBe('here\n');
    fake.fault = (request) => (request.endsWith('/timeout') ? { status: 500 } : null);
    await delay(3_500, never);
    expect(fake.machines).toEqual([]);
  });
});

describeMachines('an isolation rule that is removed', () => {
  const lost = async (...more: Parameters<typeof open>[1][]): Promise<string[]> =>
    (await open(dir, ...more).probe(never)).filter(({ held }) => !held).map(({ name }) => name);

  test('no egress', async () => {
    // The internet, as far as a test may go there.
    const tcp = createTcpServer((socket) => {
      // The caller disconnects after one byte.
      socket.on('error', () => undefined);
      socket.end('HTTP/1.0 200 OK\r\n\r\n').resume();
    });
    const udp = createSocket('udp4');
    udp.on('message', (_, { port, address }) => udp.send('answer', port, address));
    udp.bind(0, '127.0.0.1');
    tcp.listen(0, '127.0.0.1');
    await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
    const address = tcp.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const publicPlaces = {
      tcp: [['127.0.0.1', port]],
      udp: [['127.0.0.1', udp.address().port]],
    } as const;
    expect(await lost({ publicPlaces })).toEqual([]);
    fake.hole = { kind: 'network' };
    expect(await lost({ publicPlaces })).toEqual([
      'connect_loopback',
      'connect_public',
      'host_sockets',
    ]);
    tcp.close();
    udp.close();
  });

  test('another computer', async () => {
    fake.hole = { kind: 'kernel' };
    expect(await lost()).toEqual(['namespaces']);
  });

  test('none of its folders', async () => {
    await chmod(dir, 0o755);
    fake.hole = { kind: 'files', dir };
    // Where the app runs as root, its folders cannot be written even when they are seen.
    expect(await lost()).toContain('read_secret');
  });

  test.skipIf(process.getuid?.() !== 0)('an ordinary user (run as root only)', async () => {
    fake.hole = { kind: 'root' };
    expect(await lost()).toEqual(expect.arrayContaining(['privileges']));
  });
});
