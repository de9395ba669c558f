import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delay } from '#main/base/abort.ts';
import { DockerProvider } from '#main/sandbox/docker-provider/docker-provider.ts';
import { findEngine } from '#main/sandbox/docker-provider/engine-socket.ts';
import { FrameSplitter } from '#main/sandbox/docker-provider/frame-demultiplexer.ts';
import { describeSandboxProvider } from '../../conformance/sandbox-provider.ts';
import { providerParts } from './provider-parts.ts';

let dir: string;
const never = new AbortController().signal;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hyperagent-engine-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const inspectWith = (environment: NodeJS.ProcessEnv) =>
  new DockerProvider({ ...providerParts(dir), environment, home: dir }).inspect(never);

describe('finding the engine', () => {
  const question = (environment: NodeJS.ProcessEnv) =>
    ({ environment, home: dir, platform: 'linux' }) as const;

  test('DOCKER_HOST, then the context, then the usual places', async () => {
    const config = join(dir, '.docker');
    const id = createHash('sha256').update('colima').digest('hex');
    await mkdir(join(config, 'contexts/meta', id), { recursive: true });
    await writeFile(join(config, 'config.json'), '{"currentContext": "colima", "auths": {}}');
    await writeFile(
      join(config, 'contexts/meta', id, 'meta.json'),
      '{"Name": "colima", "Endpoints": {"docker": {"Host": "unix:///some/colima.sock"}}}',
    );
    expect(await findEngine(question({ DOCKER_HOST: 'unix:///named.sock' }))).toEqual({
      kind: 'local',
      socketPath: '/named.sock',
    });
    expect(await findEngine(question({}))).toEqual({
      kind: 'local',
      socketPath: '/some/colima.sock',
    });
    await mkdir(join(dir, 'run'));
    await writeFile(join(dir, 'run/docker.sock'), '');
    await rm(config, { recursive: true });
    const found = await findEngine(question({ XDG_RUNTIME_DIR: join(dir, 'run') }));
    expect(found.kind).toBe('local');
  });

  test.each(['tcp://10.0.0.1:2375', 'ssh://me@host', 'tcp://127.0.0.1:2375'])(
    'a remote engine is refused: %s',
    async (address) => {
      expect(await inspectWith({ DOCKER_HOST: address })).toMatchObject({
        status: 'unavailable',
        detail: expect.stringContaining(address),
        remedy: expect.stringContaining('local engine'),
      });
    },
  );

  test('a socket that nobody answers, one that is absent, one that is silent', async () => {
    const absent = await inspectWith({ DOCKER_HOST: `unix://${dir}/absent.sock` });
    expect(absent).toMatchObject({ status: 'unavailable', remedy: 'Start Docker.' });
    const silent = net.createServer();
    await new Promise<void>((resolve) => silent.listen(join(dir, 'silent.sock'), resolve));
    const sockets: net.Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    expect(await inspectWith({ DOCKER_HOST: `unix://${dir}/silent.sock` })).toMatchObject({
      status: 'unavailable',
    });
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('an engine of Windows containers, and one that answers nonsense', async () => {
    const serve = async (name: string, body: string): Promise<http.Server> => {
      const server = http.createServer((_, response) => response.end(body));
      await new Promise<void>((resolve) => server.listen(join(dir, name), resolve));
      return server;
    };
    const windows = await serve(
      'w.sock',
      '{"Version": "29.0", "Os": "windows", "Arch": "amd64", "NCPU": 4}',
    );
    expect(await inspectWith({ DOCKER_HOST: `unix://${dir}/w.sock` })).toMatchObject({
      status: 'unavailable',
      remedy: 'Switch Docker Desktop to Linux containers.',
    });
    windows.close();
  });
});

describe('frames', () => {
  const frame = (kind: number, payload: Buffer): Buffer => {
    const header = Buffer.alloc(8);
    header.writeUInt8(kind, 0);
    header.writeUInt32BE(payload.length, 4);
    return Buffer.concat([header, payload]);
  };

  test('are complete however they are cut', () => {
    const frames = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 50 })));
    fc.assert(
      fc.property(
        frames,
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
        (sent, cuts) => {
          const wire = Buffer.concat(sent.map(([kind, bytes]) => frame(kind, Buffer.from(bytes))));
          const got: Record<number, Buffer[]> = { 1: [], 2: [] };
          const splitter = new FrameSplitter((kind, payload) =>
            got[kind]?.push(Buffer.from(payload)),
          );
          for (let at = 0, i = 0; at < wire.length; i += 1) {
            const step = cuts[i % cuts.length] ?? 1;
            splitter.push(wire.subarray(at, at + step));
            at += step;
          }
          for (const kind of [1, 2]) {
            const wanted = sent.filter(([k]) => k === kind).map(([, bytes]) => Buffer.from(bytes));
            expect(Buffer.concat(got[kind] ?? [])).toEqual(Buffer.concat(wanted));
          }
        },
      ),
    );
  });

  test('of an unknown kind or over the cap are refused', () => {
    const splitter = () => new FrameSplitter(() => undefined);
    expect(() => splitter().push(frame(7, Buffer.from('x')))).toThrow(/unknown kind 7/);
    const huge = Buffer.from([1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    expect(() => splitter().push(huge)).toThrow(/4294967295 bytes/);
  });
});

/** A proxy between the provider and the engine that can disappear. */
async function proxyTo(target: string, path: string): Promise<{ close(): Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const upstream = net.connect(target);
    for (const end of [socket, upstream]) {
      sockets.add(end);
      end.on('error', () => undefined);
      end.on('close', () => sockets.delete(end));
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const engine = new DockerProvider(providerParts(tmpdir()));
await describeSandboxProvider('an engine that goes away (Docker)', engine, () => {
  test('the command is lost, later ones report it, and everything works again once the engine is back', async () => {
    const found = await findEngine({ environment: process.env, home: dir, platform: 'linux' });
    if (found.kind !== 'local') throw new Error('no engine');
    const path = join(dir, 'proxy.sock');
    let proxy = await proxyTo(found.socketPath, path);
    const provider = new DockerProvider({
      ...providerParts(dir),
      environment: { ...process.env, DOCKER_HOST: `unix://${path}` },
    });
    const workspaceDir = join(dir, 'workspace');
    await mkdir(workspaceDir);
    const limits = { memoryBytes: 2 ** 28, cpus: 1, pids: 64, fileBytes: 2 ** 20 };
    await using runtime = await provider.start({ key: 'k', workspaceDir, limits }, never);
    const sh = (code: string) =>
      runtime.run(
        { commandId: 'c', language: 'bash', code, timeoutMs: 20_000 },
        { signal: never, onOutput: () => undefined },
      );
    const running = sh('echo kept >file; while :; do date +%s%N >tick; sleep 0.02; done');
    await delay(300, never);
    await proxy.close();
    expect(await running).toMatchObject({
      outcome: 'sandbox_lost',
      exitCode: null,
      sessionLost: true,
    });
    await expect(sh('echo x')).rejects.toMatchObject({ code: 'SANDBOX_LOST' });
    expect(await provider.inspect(never)).toMatchObject({ status: 'unavailable' });
    proxy = await proxyTo(found.socketPath, path);
    expect(await sh('cat file')).toMatchObject({ outcome: 'completed', stdout: 'kept\n' });
    // Programs of the lost command did not survive beside the new shell.
    const { stdout } = await sh('cat tick; sleep 0.2; cat tick');
    expect(new Set(stdout.trim().split('\n')).size).toBe(1);
    await runtime[Symbol.asyncDispose]();
    await proxy.close();
  });
});
