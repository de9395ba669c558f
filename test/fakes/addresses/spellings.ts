/** Ways to write an address that parsers, resolvers and people read as that address. */

/** Internal IPv4 addresses: one of each range that matters, and this computer. */
const INTERNAL_IPV4 = [
  ...['127.0.0.1', '127.1.2.3', '10.0.0.1', '172.16.0.1', '192.168.0.1'],
  ...['169.254.169.254', '100.64.0.1', '0.0.0.0', '198.18.0.1', '224.0.0.1'],
  ...['172.31.255.254', '192.0.2.1', '240.0.0.1', '255.255.255.255'],
];
const INTERNAL_IPV6 = ['::1', '::', 'fd00::1', 'fe80::1', 'ff02::1', 'fec0::1', '2001:db8::1'];

const PUBLIC_IPV4 = [
  ...['8.8.8.8', '1.1.1.1', '93.184.215.14', '151.101.1.69', '140.82.121.4', '11.0.0.1'],
  ...['9.255.255.255', '126.255.255.254', '128.0.0.1', '172.15.255.255', '172.32.0.1'],
  ...['192.167.255.255', '192.169.0.1', '169.253.255.255', '169.255.0.1', '100.63.255.255'],
  ...['100.128.0.1', '198.17.255.255', '198.20.0.1', '223.255.255.254'],
];
const PUBLIC_IPV6 = [
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:81b::200e'],
  ...['2620:fe::fe', '2400:cb00:2048:1::c629:d7a2', '2a04:4e42::645'],
];

/** At least 400 hosts that mean an internal address, as they may stand in a URL. */
export function internalHosts(): string[] {
  return unique([
    ...INTERNAL_IPV4.flatMap(spellingsOfIpv4),
    ...INTERNAL_IPV6.flatMap(spellingsOfIpv6),
    ...INTERNAL_IPV4.flatMap(embeddedInIpv6),
    ...['localhost', 'LOCALHOST', 'localhost.', 'ｌｏｃａｌｈｏｓｔ', 'a.localhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ'],
  ]);
}

/** At least 300 hosts that mean a public address or a name of one. */
export function publicHosts(): string[] {
  const names = ['example.com', 'pypi.org', 'xn--bcher-kva.example', 'a-b.example.co.uk'];
  return unique([
    ...PUBLIC_IPV4.flatMap(spellingsOfIpv4),
    ...PUBLIC_IPV6.flatMap(spellingsOfIpv6),
    ...PUBLIC_IPV4.map((address) => `[::ffff:${address}]`),
    // Names that only look like something internal.
    ...[
      ...names,
      '127.0.0.1.example.com',
      'localhost.example.com',
      '10.example.com',
      'bücher.example',
    ],
    ...names.map((name) => `${name.toUpperCase()}.`),
  ]);
}

function spellingsOfIpv4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number, width = 0): string => `0x${value.toString(16).padStart(width, '0')}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  const last3 = (b * 256 + c) * 256 + d;
  const last2 = c * 256 + d;
  return [
    address,
    `${address}.`,
    // Decimal, hex and octal, as one number and by parts.
    ...[`${whole}`, hex(whole), hex(whole, 8).toUpperCase().replace('0X', '0x'), octal(whole)],
    ...[[a, b, c, d].map((part) => hex(part)).join('.'), [a, b, c, d].map(octal).join('.')],
    ...[`${hex(a)}.${b}.${octal(c)}.${d}`, `${octal(a)}.${hex(b)}.${c}.${hex(d)}`],
    [a, b, c, d].map((part) => `000${part.toString(8)}`).join('.'),
    // Short forms.
    ...[
      `${a}.${last3}`,
      `${a}.${b}.${last2}`,
      `${hex(a)}.${hex(last3)}`,
      `${octal(a)}.${octal(last3)}`,
    ],
    // Other digits and dots that normalise to these.
    ...[
      fullWidth(address),
      enclosed(address),
      address.replaceAll('.', '。'),
      address.replaceAll('.', '．'),
    ],
    ...[mathematical(address), `${fullWidth(String(whole))}`, encodeURIComponentAll(address)],
    `${a}.${b}.${c}.%${(48 + (d % 10)).toString(16)}`.replace(/%[0-9a-f]+$/, percent(String(d))),
  ];
}

function spellingsOfIpv6(address: string): string[] {
  const full = expand(address);
  return [
    `[${address}]`,
    `[${address.toUpperCase()}]`,
    `[${full.map((group) => group.padStart(4, '0')).join(':')}]`,
    `[${full.join(':')}]`,
  ];
}

function embeddedInIpv6(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  return [
    ...[`[::ffff:${address}]`, `[::ffff:${high}:${low}]`, `[0:0:0:0:0:ffff:${address}]`],
    ...[`[::${address}]`, `[64:ff9b::${address}]`, `[64:ff9b::${high}:${low}]`],
    ...[`[64:ff9b:1::${address}]`, `[2002:${high}:${low}::1]`, `[2001:0:${high}:${low}::1]`],
    ...[`[2a00:1450::5efe:${high}:${low}]`, `[fe80::200:5efe:${high}:${low}]`],
  ];
}

const replaceDigits = (text: string, digit: (value: number) => string): string =>
  text.replace(/\d/g, (found) => digit(Number(found)));

function fullWidth(text: string): string {
  return replaceDigits(text, (value) => String.fromCodePoint(0xff10 + value)).replaceAll('.', '．');
}

function enclosed(text: string): string {
  return replaceDigits(text, (value) =>
    value === 0 ? '⓪' : String.fromCodePoint(0x2460 + value - 1),
  );
}

function mathematical(text: string): string {
  return replaceDigits(text, (value) => String.fromCodePoint(0x1d7d8 + value));
}

function percent(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function encodeURIComponentAll(text: string): string {
  return text.split('.').map(percent).join('.');
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  return [
    ...before,
    ...Array.from({ length: 8 - before.length - after.length }, () => '0'),
    ...after,
  ];
}

function unique(hosts: readonly string[]): string[] {
  return [...new Set(hosts)];
}
