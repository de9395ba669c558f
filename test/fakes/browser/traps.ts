import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface Traps extends AsyncDisposable {
  /** The same number for TCP and UDP, on every address of this computer. */
  readonly port: number;
  /** What reached it: protocol, the address at which, and the first line that was sent. */
  readonly caught: string[];
  /** Questions of name servers, where a name server could be put in the browser's way. */
  readonly lookups: string[];
  /** An address of this computer in its network; loopback where it has none. */
  readonly ownAddress: string;
}

/** A name server's address; only root listens on its port. */
export const TRAP_NAME_SERVER = '127.0.0.53';

/**
 * Servers that nothing may reach. They answer all that browsers ask for before they send anything, so that what
 * reaches them is not held back by anything else.
 */
export async function setTraps(): Promise<Traps> {
  const caught: string[] = [];
  const lookups: string[] = [];
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
    const at = (socket.localAddress ?? '').replace('::ffff:', '');
    const first = caught.push(`tcp ${at}`) - 1;
    socket.once('data', (bytes) => {
      const text = bytes.toString('latin1');
      const [line = ''] = text.split('\r\n');
      // A TLS greeting names the host in clear.
      const [name = '(binary)'] = /[a-z0-9-]+\.outside\.test/.exec(text) ?? [];
      caught[first] = `tcp ${at} ${/^[\x20-\x7e]*$/.test(line) ? line.slice(0, 100) : name}`;
      socket.end(ANSWER);
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '::', resolve));
  const { port } = tcp.address() as AddressInfo;
  const udps = await Promise.all([
    listenUdp('0.0.0.0', port, (from) => caught.push(`udp from ${from}`)),
    listenUdp('::', port, (from) => caught.push(`udp from ${from}`)),
    listenUdp(TRAP_NAME_SERVER, 53, (_from, bytes) =>
      lookups.push(
        bytes
          .subarray(12, 80)
          .toString('latin1')
          .replaceAll(/[^\x21-\x7e]+/g, '.'),
      ),
    ),
  ]);
  const multicast = await listenMulticast((bytes) => {
    const text = bytes.toString('latin1');
    // Others on this network ask for names of their own.
    if (/NOTFOUND|0b6c1b6e/.test(text)) caught.push('multicast name look-up');
  });
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one !== undefined && !one.internal && one.family === 'IPv4');
  return {
    ...{ port, caught, lookups, ownAddress: own?.address ?? '127.0.0.1' },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      for (const udp of [...udps, multicast]) udp?.close();
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };
}

const ANSWER = [
  'HTTP/1.1 200 OK',
  'access-control-allow-origin: *',
  'access-control-allow-headers: *',
  'access-control-allow-private-network: true',
  'access-control-allow-local-network: true',
  'content-type: text/html',
  'content-length: 14',
  'connection: close',
  '',
  'house of glass',
].join('\r\n');

/** Null where this address or port cannot be had. */
function listenUdp(
  address: string,
  port: number,
  onPacket: (from: string, bytes: Buffer) => void,
): Promise<UdpSocket | null> {
  return new Promise((resolve) => {
    const socket = createSocket({ type: address.includes(':') ? 'udp6' : 'udp4', ipv6Only: true });
    socket.once('error', () => resolve(null));
    socket.on('message', (bytes, from) => onPacket(`${from.address}:${from.port}`, bytes));
    socket.bind(port, address, () => resolve(socket));
  });
}

/** Hears what is asked of the whole local network; null where that cannot be had. */
function listenMulticast(onPacket: (bytes: Buffer) => void): Promise<UdpSocket | null> {
  return new Promise((resolve) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.once('error', () => resolve(null));
    socket.on('message', onPacket);
    socket.bind(5353, () => {
      for (const one of Object.values(networkInterfaces()).flat()) {
        if (one?.family !== 'IPv4') continue;
        try {
          socket.addMembership('224.0.0.251', one.address);
        } catch {
          // An interface without multicast.
        }
      }
      resolve(socket);
    });
  });
}
