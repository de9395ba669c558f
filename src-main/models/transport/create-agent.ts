import http from 'node:http';
import type { LookupFunction } from 'node:net';

/**
 * Makes the connection pool of one model. The egress broker plugs in here, with agents that connect only to
 * targets it has checked. The caller destroys the agent.
 */
export type CreateAgent = (url: URL) => http.Agent;

/** Connects directly. Ignores proxy variables of the environment, so loopback is never proxied. */
export const createPlainAgent: CreateAgent = (url) => {
  const options = { keepAlive: true, lookup: lookupWithoutResolverForLocalhost };
  if (url.protocol !== 'https:') return new http.Agent(options);
  const https = process.getBuiltinModule('node:https');
  return new https.Agent(options);
};

/** Whether `url` points to this machine, by name or address. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return isLocalhostName(host) || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isLocalhostName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** Answers `localhost` without a resolver, so that it works offline. */
const lookupWithoutResolverForLocalhost: LookupFunction = (hostname, options, callback) => {
  if (!isLocalhostName(hostname)) {
    const dns = process.getBuiltinModule('node:dns');
    dns.lookup(hostname, options, callback);
    return;
  }
  if (options.all === true) {
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  } else {
    callback(null, '127.0.0.1', 4);
  }
};
