import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on every address of this computer, and counts who comes. */
export async function countingListener(): Promise<{
  readonly port: number;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}> {
  let connections = 0;
  const server = createServer((_request, response) => response.end('secret of the house'));
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listen(server, '::');
  return { port, connections: () => connections, close: () => closeServer(server) };
}

export async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
