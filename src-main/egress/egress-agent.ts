import http from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type tls from 'node:tls';
import { targetOfUrl } from './target.ts';
import type { EgressClient } from './types.ts';

type OnCreated = (error: Error | null, socket: Duplex) => void;

/**
 * Connections of HTTP requests to the origin of `url`, each made through egress client. The name that
 * certificates are checked against is that of the URL. Whoever asks for an agent destroys it.
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
    const tell = onCreated as OnCreated | undefined;
    create().then(
      (socket) => tell?.(null, socket),
      // Node's own types know no failure without a socket.
      (error: Error) => tell?.(error, undefined as unknown as Duplex),
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

/** TLS over a connection that is there; rejects when it cannot be made or the certificate is not right. */
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
