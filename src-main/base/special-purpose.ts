import { isIPv4, isIPv6 } from 'node:net';

/**
 * Addresses outside the public internet: the IANA IPv4 and IPv6 Special-Purpose Address Registries
 * (RFC 6890 and later entries), multicast, and unassigned IPv6 space. Entries that the registries call
 * globally reachable (AS112, AMT) are infrastructure that no program of ours needs.
 */
const SPECIAL_IPV4: readonly (readonly [prefix: string, name: string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private use'],
  ['100.64.0.0/10', 'shared address space'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link local'],
  ['172.16.0.0/12', 'private use'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private use'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];

const SPECIAL_IPV6: readonly (readonly [prefix: string, name: string])[] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::/96', 'IPv4-compatible'],
  ['64:ff9b:1::/48', 'local translation'],
  ['100::/64', 'discard only'],
  ['100:0:0:1::/64', 'dummy prefix'],
  ['2001::/23', 'protocol assignments'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link local'],
  ['fec0::/10', 'site local'],
  ['ff00::/8', 'multicast'],
];

interface Range {
  readonly value: bigint;
  readonly shift: bigint;
  readonly name: string;
}

const IPV4_RANGES = SPECIAL_IPV4.map(([prefix, name]) => toRange(prefix, name, 32));
const IPV6_RANGES = SPECIAL_IPV6.map(([prefix, name]) => toRange(prefix, name, 128));
const GLOBAL_UNICAST = toRange('2000::/3', '', 128);
const MAPPED = toRange('::ffff:0:0/96', '', 128);
/** The prefix by which networks without IPv4 translate (RFC 6052); the last 32 bits are the IPv4 address. */
const TRANSLATED = toRange('64:ff9b::/96', '', 128);
const LAST_32_BITS = 0xffff_ffffn;
/** Interface identifiers of ISATAP (RFC 5214), which precede the IPv4 address of the tunnel. */
const ISATAP_MARKS: ReadonlySet<bigint> = new Set([0x0000_5efen, 0x0200_5efen]);

/**
 * One spelling for each address, to compare: the IPv4 address of an IPv6 address that only stands for one (mapped,
 * translated), else what it is. Anything else is returned as it is.
 */
export function sameAddress(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const value = ipv6Value(plain);
  if (!isIn(MAPPED, value) && !isIn(TRANSLATED, value)) return value.toString(16);
  const bytes = [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn);
  return bytes.join('.');
}

/**
 * Why `address` is not on the public internet, in the words of the registries; null for one that is.
 * IPv6 addresses that embed an IPv4 address (mapped, translated, ISATAP) are judged by that one too.
 * A string that is not an address is not public.
 */
export function specialPurpose(address: string): string | null {
  const plain = address.replace(/%.*$/, '');
  if (isIPv4(plain)) return specialIpv4(ipv4Value(plain));
  if (!isIPv6(plain)) return 'not an address';
  const value = ipv6Value(plain);
  if (isIn(MAPPED, value) || isIn(TRANSLATED, value)) return specialIpv4(value & LAST_32_BITS);
  const range = IPV6_RANGES.find((candidate) => isIn(candidate, value));
  if (range !== undefined) return range.name;
  if (!isIn(GLOBAL_UNICAST, value)) return 'not assigned';
  const isTunnel = ISATAP_MARKS.has((value >> 32n) & LAST_32_BITS);
  return isTunnel ? specialIpv4(value & LAST_32_BITS) : null;
}

function specialIpv4(value: bigint): string | null {
  return IPV4_RANGES.find((range) => isIn(range, value))?.name ?? null;
}

function isIn({ value, shift }: Range, address: bigint): boolean {
  return address >> shift === value;
}

function toRange(prefix: string, name: string, bits: 32 | 128): Range {
  const [address = '', length = ''] = prefix.split('/');
  const shift = BigInt(bits - Number(length));
  const value = bits === 32 ? ipv4Value(address) : ipv6Value(address);
  return { value: value >> shift, shift, name };
}

function ipv4Value(address: string): bigint {
  return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function ipv6Value(address: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const tail = dotted?.[2] === undefined ? null : ipv4Value(dotted[2]);
  const text =
    tail === null
      ? address
      : `${dotted?.[1]}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [head = '', rest] = text.split('::');
  const before = groups(head);
  const after = rest === undefined ? [] : groups(rest);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0n);
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | group, 0n);
}

function groups(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`));
}
