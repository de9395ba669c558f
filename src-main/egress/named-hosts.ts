import { EgressDenied } from './denied.ts';
import { type EgressTarget, parseTarget, targetOfUrl } from './target.ts';

/** Most hosts of one text, so that the list stays quick to check. */
const MAX_HOSTS = 200;
/** Only the end of a longer text is read: it has the newest words. */
const MAX_CHARS = 200_000;
const ADDRESS = /(?<![a-z0-9])https?:\/\/[^\s"'`<>()[\]{}|\\^。，、；：！？]{1,2000}/gi;
/** A name on its own, not part of an address, a path or a longer word. */
const NAME =
  /(?<![\p{L}\d@/._-])(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}(?:[a-z]{2,24}|xn--[a-z\d-]{2,59})(?![\p{L}\d_-]|\.[\p{L}\d])/giu;
/** File extensions that are also top-level domains: `readme.md` is a file unless written as an address. */
const FILES = /\.(?:am|app|cc|docs|info|md|ml|mm|mov|name|pl|pm|ps|py|rs|sh|so|sv|tf|vi|zip)$/i;
const WEB_PORTS = [80, 443];

/**
 * The hosts that a text names, by address or by name. Each comes with its twin with or without `www.`,
 * because sites redirect between the two.
 */
export function hostsNamedIn(given: string): EgressTarget[] {
  const text = given.slice(-MAX_CHARS);
  const found = new Map<string, EgressTarget>();
  const add = (host: string, ports: readonly number[]): void => {
    for (const name of [host, host.startsWith('www.') ? host.slice(4) : `www.${host}`]) {
      for (const port of ports) {
        const target = read(() => parseTarget(name, port));
        if (target !== null && found.size < MAX_HOSTS) found.set(`${name} ${port}`, target);
      }
    }
  };
  for (const { host, port } of addressesIn(text)) {
    add(host, WEB_PORTS.includes(port) ? WEB_PORTS : [port]);
  }
  for (const [name] of text.replace(ADDRESS, ' ').matchAll(NAME)) {
    if (!FILES.test(name)) add(name.toLowerCase(), WEB_PORTS);
  }
  return [...found.values()];
}

/** The hosts of the addresses (`https://…`) in a text. */
export function addressesIn(text: string): EgressTarget[] {
  return [...text.matchAll(ADDRESS)].flatMap(([address]) => {
    const url = URL.parse(address.replace(/[.,;:!?]+$/, ''));
    return (url === null ? null : read(() => targetOfUrl(url))) ?? [];
  });
}

function read(target: () => EgressTarget): EgressTarget | null {
  try {
    return target();
  } catch (error) {
    if (error instanceof EgressDenied) return null;
    throw error;
  }
}
