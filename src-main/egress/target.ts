import { isIP } from 'node:net';
import { EgressDenied } from './denied.ts';

/** The target of a connection. `host` is a lower-case name without a trailing dot, or a plain address. */
export interface EgressTarget {
  readonly host: string;
  readonly port: number;
}

/**
 * Parses a host and a port, by the WHATWG URL rules that browsers follow: decimal, octal, hex, short and
 * full-width spellings of an address all become that address. Throws `EgressDenied`.
 */
export function parseTarget(host: string, port: number): EgressTarget {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new EgressDenied('bad_target', `${port} is not a port.`, { host, port: 0 });
  }
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  // A zone (`%eth0`) names an interface of this computer.
  const written = bare.includes(':') ? `[${bare.replace(/%.*$/, '')}]` : bare;
  // A host only: no user-info, path or white space.
  const url = /[/?#@\\\s]/.test(written) ? null : URL.parse(`http://${written}:${port}/`);
  const hostname = url?.hostname ?? '';
  const name = plainHost(hostname);
  if (url === null || name === '') {
    throw new EgressDenied('bad_target', `"${host.slice(0, 100)}" is not a host.`, { host, port });
  }
  return { host: name, port };
}

/** The target of an http(s) URL. Throws `EgressDenied`. */
export function targetOfUrl(url: URL): EgressTarget {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return parseTarget(url.hostname, port);
}

/** The target as shown and written in lists: an IPv6 address in brackets. */
export function shownTarget({ host, port }: EgressTarget): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

function plainHost(hostname: string): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return hostname.replace(/\.$/, '').toLowerCase();
}
