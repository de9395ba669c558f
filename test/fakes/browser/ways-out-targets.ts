import type { Site } from './site.ts';
import type { Traps } from './traps.ts';
import type { WayOut } from './way-out.ts';

/** Names that lead to this computer by its own files, by the broker's names, or by what browsers assume. */
export const INNER_NAMES: readonly string[] = [
  'localhost',
  'x.localhost',
  'inner.test',
  'hosts-file.test',
];

/** This computer and its network, in every notation. */
export function innerHosts(traps: Traps): readonly string[] {
  return [
    ...INNER_NAMES,
    ...['127.0.0.1', '[::1]', '0.0.0.0', traps.ownAddress, '2130706433', '0177.0.0.1', '0x7f.1'],
    ...['127.1', '127.000.000.001', '[::ffff:127.0.0.1]', '[::]', '１２７.0.0.1', '127.0.0.1.'],
  ];
}

/** Others that are not on the public internet: nothing answers there. */
export const PRIVATE_HOSTS: readonly string[] = [
  ...['10.0.0.1', '192.168.1.1', '172.16.0.1', '169.254.169.254', '100.64.0.1', '[fd00::1]'],
  ...['[fe80::1]', '255.255.255.255', '224.0.0.1', 'metadata.google.internal', 'router.local'],
];

/** A name of the way's own, by which the list of connections shows that it was tried. */
export const nameOfWay = (way: WayOut): string => `${way.name}.outside.test`;

/** What each way tries to reach. */
export function targetsOf(way: WayOut, traps: Traps): string[] {
  return [nameOfWay(way), ...innerHosts(traps)].map(
    (host) => `http://${host}:${traps.port}/${way.name}`,
  );
}

/** A page that tries some of the ways. */
export interface WaysPage {
  readonly address: string;
  readonly ways: readonly WayOut[];
}

/** Puts the pages of the ways on a site; the frames of a group page show those that can share one. */
export function putWays(site: Site, ways: readonly WayOut[], traps: Traps): WaysPage[] {
  for (const way of ways) site.pages.set(`/way/${way.name}/`, way.answer(targetsOf(way, traps)));
  const secure = `https://site.test:${site.tlsPort}`;
  const pages: WaysPage[] = [];
  for (const isSecure of [false, true]) {
    const shared = ways.filter((way) => !way.isAlone && (way.isSecure ?? false) === isSecure);
    for (let at = 0; at < shared.length; at += WAYS_IN_A_PAGE) {
      const path = `/ways/${isSecure ? 'secure' : 'plain'}/${at}`;
      const these = shared.slice(at, at + WAYS_IN_A_PAGE);
      const frames = these.map(({ name }) => `<iframe src="/way/${name}/" allow="*"></iframe>`);
      site.pages.set(path, `<!doctype html><title>Ways</title>${frames.join('')}<h1>Trying</h1>`);
      pages.push({ address: isSecure ? `${secure}${path}` : site.url(path), ways: these });
    }
  }
  for (const way of ways.filter(({ isAlone }) => isAlone)) {
    const path = `/way/${way.name}/`;
    pages.push({ address: way.isSecure ? `${secure}${path}` : site.url(path), ways: [way] });
  }
  return pages;
}

const WAYS_IN_A_PAGE = 6;
