import { expect, it } from 'vitest';
import { specialPurpose } from '#main/base/special-purpose.ts';

it.each([
  ['8.8.8.8', null],
  ['0.1.2.3', 'this network'],
  ['100.64.0.1', 'shared address space'],
  ['192.0.0.170', 'protocol assignments'],
  ['2606:4700::1111', null],
  // Translated: what networks without IPv4 reach the public one by, and nothing else.
  ['64:ff9b::808:808', null],
  ['64:ff9b::8.8.8.8', null],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b::192.168.1.5', 'private use'],
  ['64:ff9b:1::808:808', 'local translation'],
  ['::ffff:8.8.8.8', null],
  ['::ffff:169.254.169.254', 'link local'],
  ['::ffff:0:127.0.0.1', 'not assigned'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['::1', 'loopback'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'protocol assignments'],
  ['2002:7f00:1::', '6to4'],
  ['2a00:1450::200:5efe:10.0.0.1', 'private use'],
  ['2a00:1450::5efe:8.8.8.8', null],
  ['fe80::1%eth0', 'link local'],
  ['fd00::1', 'unique local'],
  ['4000::1', 'not assigned'],
  ['localhost', 'not an address'],
])('%s: %s', (address, expected) => {
  expect(specialPurpose(address)).toBe(expected);
});
