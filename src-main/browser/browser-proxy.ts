import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { EgressProxy } from '../egress/proxy/egress-proxy.ts';
import type { EgressClient } from '../egress/types.ts';

/** What a context of the browser signs in with. */
export interface ProxyAccess extends Disposable {
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

/**
 * The only egress of the browser: a port on the loopback that demands a credential, and hands each connection to
 * the egress client whose credential it is. Browsers cannot be given a proxy without a port.
 */
export class BrowserProxy implements AsyncDisposable {
  readonly #server: Server;
  /** Egress clients by the hash of their `Proxy-Authorization`, so that a look-up says nothing about a secret. */
  readonly #clients = new Map<string, () => EgressClient>();
  readonly #sockets = new Set<Socket>();

  private constructor() {
    const proxy = new EgressProxy((authorization) => {
      const client = this.#clients.get(hashOf(authorization ?? ''));
      return client?.() ?? null;
    });
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      proxy.serve(socket);
    });
  }

  static async open(): Promise<BrowserProxy> {
    const proxy = new BrowserProxy();
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen({ host: '127.0.0.1', port: 0, exclusive: true }, resolve);
    });
    // The app ends when its last window does, whatever listens here.
    proxy.#server.unref();
    return proxy;
  }

  /** Without a credential nothing gets through: for what belongs to no task. */
  get server(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A credential for one context; `client` is asked again for every connection. */
  grant(client: () => EgressClient): ProxyAccess {
    const [username, password] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    const key = hashOf(`Basic ${basic}`);
    this.#clients.set(key, client);
    const { server } = this;
    return { server, username, password, [Symbol.dispose]: () => void this.#clients.delete(key) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#clients.clear();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
