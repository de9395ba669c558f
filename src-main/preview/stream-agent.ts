import http from 'node:http';
import type { Duplex } from 'node:stream';

/** Each request over a stream of its own, such as one into a sandbox; none is kept. */
export function streamAgent(connect: () => Duplex): http.Agent {
  const agent = new http.Agent({ keepAlive: false });
  agent.createConnection = () => connect();
  return agent;
}
