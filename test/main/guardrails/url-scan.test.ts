import { expect, it } from 'vitest';
import { scanUrl, scanUrlsIn } from '#main/guardrails/url-scan.ts';

const rules = (url: string): string[] => scanUrl(url).map(({ rule }) => rule);

it.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://2130706433/',
  'http://１２７.０.０.１/',
  'http://127.0.0.1./',
  'http://0/',
  'http://localhost./',
  'http://LOCALHOST/',
  'http://a.localhost/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fd12:3456::1]/',
  'http://172.31.255.255/',
  'http://100.64.0.1/',
  'http://router/',
  'http://nas.local/',
  'http://10.0.0.1.nip.io/',
  'http:\\\\127.0.0.1\\',
  'HTTP:///127.0.0.1',
])('sees that %s is this computer or its network', (url) => {
  expect(rules(url)).toEqual(['url_internal']);
});

it.each([
  'https://example.com/127.0.0.1',
  'https://127.0.0.1.example.com/',
  'http://172.32.0.1/',
  'http://100.128.0.1/',
  'http://8.8.8.8/',
  'http://[2606:4700:4700::1111]/',
  'https://localhost.example/',
  'https://münchen.example/',
  'not an address',
])('finds nothing in %s', (url) => {
  expect(rules(url)).toEqual([]);
});

it('finds other suspicious addresses, also in code', () => {
  expect(rules('file:///etc/passwd')).toEqual(['url_scheme']);
  expect(rules(' javascript:alert(1)')).toEqual(['url_scheme']);
  expect(rules('https://me:secret@example.com/')).toEqual(['url_credentials']);
  const code = 'fetch("https://example.com");\nfetch("http://0x7f000001/a")';
  expect(scanUrlsIn(code).map(({ message }) => message)).toEqual([
    'Targets this computer or its network: 127.0.0.1.',
  ]);
});
