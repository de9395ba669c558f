import { execFileSync } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { EgressProxy } from '#main/egress/proxy/egress-proxy.ts';
import { testEgress } from '../../fakes/egress.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const GREETING = [5, 1, 0];

/** In a separate process: if the loop spins, no timer of this one would fire. */
const CUT_ANYWHERE = `
  import { duplexPair } from 'node:stream';
  import { setTimeout as pause } from 'node:timers/promises';
  import { EgressProxy } from '#main/egress/proxy/egress-proxy.ts';
  const bytes = Buffer.from([5, 2, 0, 2, 5, 1, 0, 3, 9, ...Buffer.from('site.test'), 0, 80]);
  const proxy = new EgressProxy({ connect: () => Promise.reject(new Error('no')) });
  for (let length = 1; length <= bytes.length; length += 1) {
    const [program, ours] = duplexPair();
    proxy.serve(ours);
    program.write(bytes.subarray(0, length));
    await pause(5);
    program.destroy();
  }
  console.log('all were heard');
  process.exit();
`;

/** The proxy in front of a server that echoes its input in capitals. */
async function openSocks() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => socket.write(String(bytes).toUpperCase()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.close();
  });
  const settings = { current: Settings.parse({ egressPrivateHosts: ['site.test:*'] }) };
  const { egress } = testEgress({ settings, names: { 'site.test': ['127.0.0.1'] } });
  const run = egress.forRun({ runId: 'r', threadId: 'thr_1', network: 'open', allowHosts: [] });
  const [program, ours] = duplexPair();
  onTestFinished(() => {
    program.destroy();
  });
  new EgressProxy(run.client('sandbox')).serve(ours);
  const heard: number[] = [];
  program.on('data', (bytes: Buffer) => heard.push(...bytes));
  const name = Buffer.from('site.test');
  const connect = [5, 1, 0, 3, name.length, ...name, port >> 8, port & 255];
  return { program, heard, bytes: Buffer.from([...GREETING, ...connect, ...Buffer.from('hello')]) };
}

const ANSWER = [5, 0, ...[5, 0, 0, 1, 0, 0, 0, 0, 0, 0], ...Buffer.from('HELLO')];

describe('SOCKS over the proxy', () => {
  it('does not block if a greeting is cut off at any byte', () => {
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', CUT_ANYWHERE], {
      cwd: ROOT,
      timeout: 120_000,
    });
    expect(String(said).trim()).toBe('all were heard');
  });

  it('is understood a byte at a time', async () => {
    const { program, heard, bytes } = await openSocks();
    for (const byte of bytes) {
      program.write(Buffer.from([byte]));
      await turn();
    }
    await expect.poll(() => heard).toEqual(ANSWER);
  });

  it('is understood all at once: what was sent ahead reaches the server', async () => {
    const { program, heard, bytes } = await openSocks();
    program.write(bytes);
    await expect.poll(() => heard).toEqual(ANSWER);
  });
});
