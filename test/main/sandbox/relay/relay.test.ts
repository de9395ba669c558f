import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeFrame, FRAME, FrameReader } from '#main/sandbox/relay/relay-frames.ts';
import { type InsideOpens, RelayMux } from '#main/sandbox/relay/relay-mux.ts';

const RELAY = path.join(import.meta.dirname, '../../../../resources/sandbox/relay.py');

/** Two unused ports. */
async function freePorts(): Promise<[number, number]> {
  const servers = [net.createServer(), net.createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ports.push((server.address() as net.AddressInfo).port);
  }
  for (const server of servers) server.close();
  return [ports[0] ?? 0, ports[1] ?? 0];
}

/** The real relay, as a process of this computer, and the app's end of it. */
async function openRelay(onStream: (kind: InsideOpens, stream: Duplex) => void) {
  const [proxy, call] = await freePorts();
  const child: ChildProcess = spawn(
    'python3',
    ['-I', '-S', RELAY, '3', '3', `${proxy}`, `${call}`],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    },
  );
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex)) throw new Error('The relay has no channel');
  const lost: string[] = [];
  const mux = new RelayMux({ channel, onStream, onLost: (detail) => lost.push(detail) });
  onTestFinished(async () => {
    mux.close();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await mux.ready;
  return { mux, proxy, call, child, lost };
}

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(stream, 'end');
  return Buffer.concat(chunks);
}

describe('the relay', () => {
  it('carries many connections at once, both ways, in order and complete, ended by either side', async () => {
    const { proxy } = await openRelay((_kind, stream) => {
      stream.pipe(stream);
    });
    const sizes = [0, 1, 255, 65_536, 1_000_000, 3_000_000, 40_000, 999_999];
    const echoed = await Promise.all(
      [...sizes, ...sizes].map(async (size) => {
        const bytes = randomBytes(size);
        const socket = net.connect({ port: proxy, host: '127.0.0.1', allowHalfOpen: true });
        const answer = readAll(socket);
        socket.end(bytes);
        return sha(await answer) === sha(bytes);
      }),
    );
    expect(echoed).toEqual(echoed.map(() => true));
  });

  it('a connection that is not read neither blocks the others nor grows memory', async () => {
    const streams: Duplex[] = [];
    const { proxy } = await openRelay((_kind, stream) => {
      if (streams.push(stream) > 1) stream.pipe(stream);
    });
    const stalled = net.connect({ port: proxy, host: '127.0.0.1' });
    stalled.on('error', () => undefined);
    stalled.write(Buffer.alloc(8_000_000));
    await expect.poll(() => streams.length).toBe(1);
    const other = net.connect({ port: proxy, host: '127.0.0.1', allowHalfOpen: true });
    const answer = readAll(other);
    other.end('through');
    expect(String(await answer)).toBe('through');
    expect(streams[0]?.readableLength).toBeLessThanOrEqual(512 * 1024);
    stalled.destroy();
  });

  it('reports the target port, connects to ports inside, and passes resets on', async () => {
    const kinds: InsideOpens[] = [];
    const { mux, proxy, call } = await openRelay((kind, stream) => {
      kinds.push(kind);
      stream.destroy();
    });
    for (const port of [proxy, call]) {
      const socket = net.connect({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined).write('x');
      // With a reset or without: `once` would take that for a failure.
      await new Promise((resolve) => socket.once('close', resolve));
    }
    expect(kinds).toEqual(['proxy', 'call']);
    const server = net.createServer((socket) => socket.end('from inside'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const stream = mux.connect(port);
    stream.end();
    expect(String(await readAll(stream))).toBe('from inside');
    await new Promise((resolve) => server.close(resolve));
    const [error] = await once(mux.connect(port), 'error');
    expect(String(error)).toContain('reset');
  });

  it('ends with the app, and the app continues when it is killed', async () => {
    const { child, lost, mux, proxy } = await openRelay((_kind, stream) => stream.resume());
    const open = net.connect({ port: proxy, host: '127.0.0.1' });
    open.on('error', () => undefined);
    await once(open, 'connect');
    child.kill('SIGKILL');
    await expect.poll(() => lost.length).toBe(1);
    expect(mux.connect(1)).toBeInstanceOf(Duplex);
  });
});

describe('a program that speaks in place of the relay', () => {
  /** The effect of these bytes on a mux: how many connections, and whether the channel was closed. */
  function speak(bytes: readonly Buffer[]): { opened: number; lost: string[]; sent: number } {
    const lost: string[] = [];
    let opened = 0;
    let sent = 0;
    const channel = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        sent += chunk.length;
        done();
      },
    });
    const mux = new RelayMux({
      channel,
      onStream: () => {
        opened += 1;
      },
      onLost: (detail) => lost.push(detail),
    });
    for (const chunk of bytes) channel.emit('data', chunk);
    const result = { opened, lost: [...lost], sent };
    mux.close();
    return result;
  }
  const open = (id: number, kind = 'P') => encodeFrame(id, FRAME.open, Buffer.from(kind));

  it('gets no more connections than the limit, and none with an id of the app or twice', () => {
    const many = Array.from({ length: 500 }, (_, index) => open(index * 2 + 1));
    expect(speak(many)).toMatchObject({ opened: 128, lost: [] });
    expect(speak([open(2)]).lost).toHaveLength(1);
    expect(speak([open(1), open(1)])).toMatchObject({
      opened: 1,
      lost: ['stream 1 was opened twice'],
    });
    expect(speak([open(1, 'Z')])).toMatchObject({ opened: 0, lost: [] });
  });

  it('cannot fill the memory of the app', () => {
    const flood = [
      open(1),
      ...Array.from({ length: 10 }, () => encodeFrame(1, FRAME.data, Buffer.alloc(60_000))),
    ];
    expect(speak(flood).lost).toEqual(['more data than the window holds']);
    const header = Buffer.alloc(9);
    header.writeUInt32BE(0xffff_ffff, 5);
    expect(speak([header]).lost).toEqual(['a frame of 4294967295 bytes']);
  });

  it('cannot make the app buffer data that it grants credit for but never reads', () => {
    const lost: string[] = [];
    // The other end of the channel takes nothing.
    const channel = new Duplex({ read: () => undefined, write: () => undefined });
    const streams: Duplex[] = [];
    const mux = new RelayMux({
      channel,
      onStream: (_kind, stream) => streams.push(stream),
      onLost: (detail) => lost.push(detail),
    });
    onTestFinished(() => mux.close());
    channel.emit('data', open(1));
    const forged = Buffer.alloc(4);
    forged.writeUInt32BE(0xffff_ffff);
    let held = 0;
    for (let piece = 0; piece < 2_000 && lost.length === 0; piece += 1) {
      streams[0]?.write(Buffer.alloc(256 * 1024));
      channel.emit('data', encodeFrame(1, FRAME.credit, forged));
      held = Math.max(held, channel.writableLength);
    }
    expect(lost).toEqual(['it does not read what it requested']);
    expect(held).toBeLessThan(70 * 1024 * 1024);
    expect([channel.destroyed, streams[0]?.destroyed]).toEqual([true, true]);
  });

  it('ten thousand random messages end at most the channel, never the app', () => {
    for (let round = 0; round < 200; round += 1) {
      const frames = Array.from({ length: 50 }, () =>
        encodeFrame(
          randomBytes(1).readUInt8() % 8,
          randomBytes(1).readUInt8() % 7,
          randomBytes(randomBytes(1).readUInt8() % 16),
        ),
      );
      const { opened } = speak(frames);
      expect(opened).toBeLessThanOrEqual(4);
    }
  });

  it('frames are the same however they are cut', () => {
    const whole = Buffer.concat([
      open(1),
      encodeFrame(1, FRAME.data, randomBytes(5000)),
      encodeFrame(1, FRAME.end),
    ]);
    const read = (pieces: readonly Buffer[]) => {
      const reader = new FrameReader();
      return pieces
        .flatMap((piece) => reader.push(piece))
        .map(({ kind, content }) => [kind, sha(content)]);
    };
    const bytewise = [...whole].map((byte) => Buffer.from([byte]));
    expect(read(bytewise)).toEqual(read([whole]));
  });
});
