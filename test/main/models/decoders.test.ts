import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineDecoder } from '#main/models/transport/line-decoder.ts';
import { SseDecoder } from '#main/models/transport/sse-decoder.ts';

function decode(bytes: Buffer, cuts: readonly number[]): string[] {
  const decoder = new LineDecoder(10_000);
  const lines: string[] = [];
  let start = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    lines.push(...decoder.push(bytes.subarray(start, cut)));
    start = cut;
  }
  lines.push(...decoder.push(bytes.subarray(start)));
  return [...lines, decoder.end()];
}

test.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
])('wherever a stream is cut, its lines are the same (%s)', (_name, end) => {
  const lines = fc.array(fc.string({ unit: 'grapheme' }).filter((s) => !/[\r\n\ufeff]/.test(s)));
  fc.assert(
    fc.property(lines, fc.array(fc.nat(400)), (expected, cuts) => {
      const bytes = Buffer.from(`\ufeff${expected.map((line) => `${line}${end}`).join('')}`);
      const within = cuts.filter((cut) => cut < bytes.length);
      expect(decode(bytes, within)).toEqual([...expected, '']);
    }),
  );
});

test('a character split byte by byte arrives whole, and CRLF ends a line like LF', () => {
  const bytes = Buffer.from('naïve 漢字 🎉\r\nrest');
  const everywhere = [...bytes.keys()];
  expect(decode(bytes, everywhere)).toEqual(['naïve 漢字 🎉', 'rest']);
});

test('a line over the limit and bytes that are not UTF-8 are refused', () => {
  expect(() => [...new LineDecoder(8).push(Buffer.from('123456789'))]).toThrow(
    'longer than 8 bytes',
  );
  expect(() => [...new LineDecoder(8).push(Buffer.from([0xc3, 0x28, 0x0a]))]).toThrow('not UTF-8');
});

test('events are put together from their fields; comments and unknown fields are dropped', () => {
  const decoder = new SseDecoder();
  const lines = [
    ': a comment',
    'id: 7',
    'data: one',
    'data:two',
    '',
    'event: error',
    'data: {"error":1}',
    '',
    '',
    'error: {"code":500}',
    '',
    'data: last',
  ];
  const events = [...lines.map((line) => decoder.push(line)), decoder.end()];
  expect(events.filter((event) => event !== null)).toEqual([
    { name: 'message', data: 'one\ntwo' },
    { name: 'error', data: '{"error":1}' },
    { name: 'error', data: '{"code":500}' },
    { name: 'message', data: 'last' },
  ]);
});
