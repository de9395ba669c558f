import http from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type tls from 'node:tls';
import { targetOfUrl } from './target.ts';
import type { EgressClient } from './types.ts';

type OnCreated = (error: Error | null, socket: Duplex) => void;

/**
 * Connections of HTTP requests to the origin of `url`, each made through the egress client. Certificates
 * are checked against the name in the URL. The caller destroys the agent.
 */
export function createEgressAgent(egressClient: EgressClient, url: URL): http.Agent {
  const target = targetOfUrl(url);
  const closing = new AbortController();
  const isTls = url.protocol === 'https:';
  const agent = isTls
    ? new (process.getBuiltinModule('node:https').Agent)({ keepAlive: true })
    : new http.Agent({ keepAlive: true });
  const create = async (): Promise<Duplex> => {
    const socket = await egressClient.connect(target, closing.signal);
    return isTls ? await startTls(socket, target.host) : socket;
  };
  agent.createConnection = (_options, onCreated) => {
    const notify = onCreated as OnCreated | undefined;
    create().then(
      (socket) => notify?.(null, socket),
      // Node's types do not allow a failure without a socket.
      (error: Error) => notify?.(error, undefined as unknown as Duplex),
    );
    return undefined as unknown as Duplex;
  };
  const destroy = agent.destroy.bind(agent);
  agent.destroy = () => {
    closing.abort();
    destroy();
  };
  return agent;
}

/** TLS over an existing connection; rejects when the handshake fails or the certificate is not valid. */
function startTls(socket: Duplex, host: string): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const { connect } = process.getBuiltinModule('node:tls');
    const secure = connect({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: ['http/1.1'],
    });
    const onError = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    secure.once('error', onError);
    secure.once('secureConnect', () => {
      secure.off('error', onError);
      resolve(secure);
    });
  });
}
