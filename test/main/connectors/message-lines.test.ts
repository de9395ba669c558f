import { once } from 'node:events';
import { type Duplex, duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import {
  type LinesProblem,
  MessageLines,
  MOST_MESSAGE_BYTES,
} from '#main/connectors/message-lines.ts';

/** A server at one end, and what arrives at ours. */
function open(on: { message?: (bench: ReturnType<typeof open>) => void } = {}) {
  const [server, ours] = duplexPair() as [Duplex, Duplex];
  const messages: { id: unknown; params?: unknown }[] = [];
  const noise: string[] = [];
  const ends: (LinesProblem | null)[] = [];
  const ended = Promise.withResolvers<void>();
  const wanted = { count: Number.POSITIVE_INFINITY, ...Promise.withResolvers<void>() };
  const lines = new MessageLines(ours, {
    onMessage: (message) => {
      messages.push(message as unknown as { id: unknown });
      on.message?.(bench);
      if (messages.length === wanted.count) wanted.resolve();
    },
    onNoise: (line) => void noise.push(line),
    onEnd: (problem) => {
      ends.push(problem);
      ended.resolve();
    },
  });
  const bench = {
    ...{ server, ours, lines, messages, noise, ends, ended: ended.promise },
    ids: () => messages.map(({ id }) => id),
    arrived: (count: number): Promise<void> => {
      wanted.count = count;
      if (messages.length >= count) wanted.resolve();
      return wanted.promise;
    },
  };
  server.on('error', () => undefined);
  server.resume();
  return bench;
}

const request = (id: unknown, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params });

it('takes a message in any pieces, even within a character', async () => {
  const bench = open();
  const text = `${request(1, { a: 'ü😀漢\u2028' })}\n`;
  const bytes = Buffer.from(text);
  for (let size = 1; size < 8; size += 1) {
    for (let at = 0; at < bytes.length; at += size)
      bench.server.write(bytes.subarray(at, at + size));
  }
  await bench.arrived(7);
  for (const message of bench.messages) expect(message.params).toEqual({ a: 'ü😀漢\u2028' });
  expect([bench.noise, bench.ends]).toEqual([[], []]);
});

it('takes several messages in one chunk, with empty lines and both kinds of line ends', async () => {
  const bench = open();
  bench.server.write(`\n\r\n${request(1)}\r\n${request(2)}\n  \n${request(3)}\n${request(4)}`);
  await bench.arrived(3);
  expect(bench.ids()).toEqual([1, 2, 3]);
  bench.server.write('\n');
  await bench.arrived(4);
  expect([bench.noise, bench.ends]).toEqual([[], []]);
});

it('tells noise from messages', async () => {
  const bench = open();
  const noise = [
    'Listening on 3000',
    '{"a":1}',
    '[]',
    'null',
    '{',
    `[${request(9)}]`,
    '\u0000',
    '5',
  ];
  bench.server.write(`${noise.join('\n')}\n${'x'.repeat(5_000)}\n${request(1)}\n`);
  await bench.arrived(1);
  expect(bench.noise).toEqual([...noise, 'x'.repeat(500)]);
  expect(bench.ends).toEqual([]);
});

it('ends a server that prints more than 1,000 lines of noise, once', async () => {
  const bench = open();
  bench.server.write(`${'noise\n'.repeat(1_500)}${request(1)}\n`);
  await bench.ended;
  expect(bench.noise).toHaveLength(1_000);
  expect([bench.ends, bench.messages, bench.ours.destroyed]).toEqual([['noise'], [], true]);
});

it('ends at a line that is too long, whether it is whole or not', async () => {
  const long = 'x'.repeat(MOST_MESSAGE_BYTES + 1);
  for (const text of [long, `${request(1, long)}\n`]) {
    const bench = open();
    bench.server.write(`${text}\n`.slice(0, text === long ? -1 : undefined));
    bench.server.end();
    await bench.ended;
    expect([bench.ends, bench.messages]).toEqual([['too_long'], []]);
  }
});

it('takes a message of almost the longest size, in many pieces', async () => {
  const bench = open();
  const text = Buffer.from(`${request(1, { a: 'x'.repeat(MOST_MESSAGE_BYTES - 1_000) })}\n`);
  for (let at = 0; at < text.length; at += 65_536)
    bench.server.write(text.subarray(at, at + 65_536));
  await bench.arrived(1);
  expect(bench.ends).toEqual([]);
});

it('makes a server wait that floods it, and loses nothing', async () => {
  const bench = open();
  const ids = Array.from({ length: 1_000 }, (_, at) => at);
  const paused = once(bench.ours, 'pause');
  for (const id of ids) bench.server.write(`${request(id)}\n`);
  await paused;
  expect(bench.messages.length).toBeLessThan(1_000);
  await bench.arrived(1_000);
  expect(bench.ids()).toEqual(ids);
  // It goes on after that.
  bench.server.write(`${request('last')}\n`);
  await bench.arrived(1_001);
});

it('gives what came before the end, though it had to wait', async () => {
  const bench = open();
  bench.server.end(Array.from({ length: 500 }, (_, at) => `${request(at)}\n`).join(''));
  await bench.ended;
  expect(bench.messages).toHaveLength(500);
  expect(bench.ends).toEqual([null]);
});

it('survives a message of 10,000 levels, and can still answer it', async () => {
  const bench = open();
  const deep = (open_: string, close: string): string =>
    request(1, { a: 'HERE' }).replace('"HERE"', open_.repeat(10_000) + close.repeat(10_000));
  bench.server.write(`${deep('[', ']')}\n${deep('{"a":', '}').replace(':}', ':1}')}\n`);
  await bench.arrived(2);
  expect(bench.ids()).toEqual([1, 1]);
  expect(() => JSON.stringify(bench.messages)).not.toThrow();
  expect(() => structuredClone(bench.messages)).not.toThrow();
});

it('says once that it ended', async () => {
  const byEnd = open();
  byEnd.server.end();
  await byEnd.ended;
  const byError = open();
  byError.ours.destroy(new Error('reset'));
  await byError.ended;
  const byClose = open();
  byClose.ours.destroy();
  await byClose.ended;
  for (const bench of [byEnd, byError, byClose]) {
    if (!bench.ours.closed) await once(bench.ours, 'close');
    expect(bench.ends).toEqual([null]);
  }
});

it('gives nothing after it was closed, even from within a message', async () => {
  const bench = open({ message: ({ lines }) => lines.close() });
  bench.server.write(`${request(1)}\n${request(2)}\nnoise\n`);
  await once(bench.ours, 'close');
  bench.server.write(`${request(3)}\n`);
  await new Promise((resolve) => setImmediate(resolve));
  expect([bench.ids(), bench.noise, bench.ends]).toEqual([[1], [], []]);
});

it('sends each message as one line, and says when it cannot', async () => {
  const bench = open();
  const sent: Buffer[] = [];
  bench.server.on('data', (chunk: Buffer) => sent.push(chunk));
  await bench.lines.send({ jsonrpc: '2.0', method: 'a', params: { text: 'one\ntwo' } });
  expect(Buffer.concat(sent).toString().match(/\n/g)).toHaveLength(1);
  bench.lines.close();
  await expect(bench.lines.send({ jsonrpc: '2.0', method: 'b' })).rejects.toThrow();
});
