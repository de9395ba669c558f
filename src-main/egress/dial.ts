import net, { isIP } from 'node:net';
import { raceAbort } from '../base/abort.ts';
import { timeLimit } from '../base/running-time.ts';

/** How long one address is tried while there are others. */
const ATTEMPT_MS = 3_000;
const LAST_ATTEMPT_MS = 15_000;

/** Asks the system's resolver for every address; `localhost` and literal addresses need no lookup. */
export async function resolveBySystem(
  host: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const { lookup } = process.getBuiltinModule('node:dns/promises');
  const found = await raceAbort(lookup(host, { all: true }), signal);
  return found.map(({ address }) => address);
}

/** Connects to the first of `addresses` that answers; nothing is resolved again. Throws the last error. */
export async function dialFirst(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<net.Socket> {
  let last: unknown = new Error('no address');
  for (const [index, address] of addresses.entries()) {
    const limit = index === addresses.length - 1 ? LAST_ATTEMPT_MS : ATTEMPT_MS;
    try {
      return await dial(address, port, AbortSignal.any([signal, timeLimit(limit)]));
    } catch (error) {
      signal.throwIfAborted();
      last = error;
    }
  }
  throw last;
}

function dial(address: string, port: number, signal: AbortSignal): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: address, port, noDelay: true, allowHalfOpen: true });
    const finish = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('connect', onConnect).off('error', finish);
      if (error === null) resolve(socket);
      else {
        socket.on('error', () => undefined).destroy();
        reject(error);
      }
    };
    const onConnect = (): void => finish(null);
    const onAbort = (): void => finish(signal.reason);
    socket.once('connect', onConnect).once('error', finish);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
