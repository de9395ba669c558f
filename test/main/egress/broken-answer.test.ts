import { expect, it } from 'vitest';
import { fetchDocument } from '#main/egress/fetch.ts';
import { answering } from '../../fuzz/targets/streams.ts';

it.each(['gzip', 'deflate', 'br', 'identity'])(
  'an answer in %s that breaks after its headers fails at once',
  async (encoding) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const connect = async () => answering([Buffer.from(`${head}zz\r\n`)]);
    const { signal } = new AbortController();
    const options = { signal, maxBytes: 1_000, timeoutMs: 60_000 };
    const asked = fetchDocument('http://a.example/', { connect, refuse: () => undefined }, options);
    await expect(asked).rejects.toMatchObject({ code: 'FETCH_FAILED' });
  },
);
