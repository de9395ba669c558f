import { expect, it } from 'vitest';
import { hostsNamedIn } from '#main/egress/named-hosts.ts';
import { shownTarget } from '#main/egress/target.ts';

/** Without the twins with and without `www.`. */
const named = (text: string): string[] =>
  hostsNamedIn(text)
    .map(shownTarget)
    .filter((shown) => !shown.startsWith('www.') && !shown.endsWith(':80'));

it.each([
  [
    'Read https://example.com/a, then docs.example.org.',
    ['example.com:443', 'docs.example.org:443'],
  ],
  ['(see http://a.test:8080/x)', ['a.test:8080']],
  ['请看https://example.com/路径。谢谢', ['example.com:443']],
  ['Look at www.example.com', ['example.com:443']],
  ['https://user@good.test@evil.test/', ['evil.test:443']],
  ['https://bücher.example', ['xn--bcher-kva.example:443']],
  // These look like hosts but are not.
  ['Sum up report.md and main.py, version 3.11 of 12.10., e.g. a.b@c.test', []],
  ['请看 https://example.com。然后', ['example.com:443']],
  ['Fix Makefile.am, main.ml and top.sv', []],
  ['files/example.com/x and ../other.test', []],
  ['', []],
] as const)('%j names %j', (text, hosts) => {
  expect(named(text)).toEqual(hosts);
});

it('reads a long text in linear time, and stops at the limit of hosts', () => {
  const many = Array.from({ length: 2_000 }, (_, i) => `h${i}.test`).join(' ');
  expect(hostsNamedIn(many).length).toBeLessThanOrEqual(200);
  for (const text of ['a.'.repeat(200_000), 'https://'.repeat(50_000), '-'.repeat(400_000)]) {
    const before = process.cpuUsage();
    hostsNamedIn(text);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  }
});
