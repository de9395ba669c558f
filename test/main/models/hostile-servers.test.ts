import http from 'node:http';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { StreamLimits } from '#main/models/transport/stream-watch.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import { CHAT_PATHS, failureOf, openAt, openOn, type Protocol, send } from './harness.ts';

/**
 * Servers that behave badly, whichever protocol they claim. Each ends in a typed error within its
 * limit, and nothing hangs.
 */

const PROTOCOLS = Object.keys(CHAT_PATHS) as Protocol[];
/** For tests without a stall: pauses of a busy computer do not count as one. */
const PATIENT: Partial<StreamLimits> = {
  ...{ connectMs: 20_000, firstTokenMs: 20_000, idleMs: 20_000 },
  waitingEveryMs: 40,
  maxLineBytes: 4 * 1024 * 1024,
};
const SOON: Partial<StreamLimits> = { ...PATIENT, firstTokenMs: 250 };
const SOON_IDLE: Partial<StreamLimits> = { ...PATIENT, idleMs: 200 };

/** A bare TCP server: `answer` gets each connection and its request. */
async function listen(answer: (socket: net.Socket, request: string) => void): Promise<string> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (data: Buffer) => answer(socket, data.toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

/** Answers the requests before a conversation, and leaves the conversation itself to `answer`. */
function afterOpening(
  answer: (socket: net.Socket, request: string) => void,
): (socket: net.Socket, request: string) => void {
  return (socket, request) => {
    if (/^(POST \/api\/show|GET \/v1\/models)/.test(request)) {
      socket.write('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    } else {
      answer(socket, request);
    }
  };
}

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const firstToken: Readonly<Record<Protocol, string>> = {
  ollama: '{"message":{"role":"assistant","content":"Half"},"done":false}\n',
  'openai-compatible': 'data: {"choices":[{"index":0,"delta":{"content":"Half"}}]}\n\n',
  openai:
    'data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Half"}\n\n',
  anthropic:
    'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n' +
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Half"}}\n\n',
};

/** Opens a model and sends it a request; some find out only then that nothing is there. */
async function useAt(...given: Parameters<typeof openAt>): Promise<void> {
  await using model = await openAt(...given);
  await send(model);
}

for (const protocol of PROTOCOLS) {
  const failing = async (
    answer: (socket: net.Socket, request: string) => void,
    limits = PATIENT,
  ): Promise<[string, unknown]> => {
    const url = await listen(afterOpening(answer));
    await using model = await openAt(protocol, url, { parts: { limits } });
    const { code, details } = await failureOf(send(model));
    return [code, details.partial];
  };

  test(`${protocol}: nothing listens`, async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const failure = await failureOf(useAt(protocol, `http://127.0.0.1:${port}`));
    expect([failure.code, failure.message]).toEqual([
      'MODEL_SERVER_UNREACHABLE',
      expect.stringContaining(`Nothing answers at http://127.0.0.1:${port}`),
    ]);
  });

  test(`${protocol}: a name that has no address`, async () => {
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const createAgent = (): http.Agent =>
      new http.Agent({ lookup: (_name, _options, done) => done(error, '') });
    // The test guard lets this name pass; only the resolver above is asked.
    const failure = await failureOf(
      useAt(protocol, 'http://127.no-such-name:1', { parts: { createAgent } }),
    );
    expect([failure.code, failure.message]).toEqual([
      'MODEL_SERVER_UNREACHABLE',
      expect.stringContaining('cannot be resolved'),
    ]);
  });

  test(`${protocol}: a web page with status 200`, async () => {
    const page = '<!doctype html>\n<html><body>Welcome</body></html>';
    const steps = [{ refuse: { status: 200, body: page, contentType: 'text/html' } }];
    await using setup = await openOn(protocol, { turns: [{ steps }] });
    const failure = await failureOf(send(setup.model));
    expect([failure.code, failure.message]).toEqual([
      'MODEL_NOT_A_MODEL_SERVER',
      expect.stringContaining('a web page'),
    ]);
  });

  test(`${protocol}: unrelated JSON with status 200`, async () => {
    const steps = [
      { refuse: { status: 200, body: '{"ok":true}', contentType: 'application/json' } },
    ];
    await using setup = await openOn(protocol, { turns: [{ steps }] });
    expect((await failureOf(send(setup.model))).code).toBe('MODEL_NOT_A_MODEL_SERVER');
  });

  test(`${protocol}: something that does not speak HTTP`, async () => {
    expect(await failing((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'))).toEqual([
      'MODEL_NOT_A_MODEL_SERVER',
      '',
    ]);
  });

  test(`${protocol}: silence instead of headers`, async () => {
    expect(await failing(() => undefined, SOON)).toEqual(['MODEL_STALLED', '']);
  });

  test(`${protocol}: headers and then silence`, async () => {
    expect(await failing((socket) => socket.write(CHUNKED), SOON)).toEqual(['MODEL_STALLED', '']);
  });

  test(`${protocol}: a token and then silence`, async () => {
    const answer = (socket: net.Socket): void => {
      socket.write(CHUNKED + chunk(firstToken[protocol]));
    };
    expect(await failing(answer, SOON_IDLE)).toEqual(['MODEL_STALLED', 'Half']);
  });

  test(`${protocol}: a line that drips byte by byte and never ends`, async () => {
    const answer = (socket: net.Socket): void => {
      socket.write(CHUNKED + chunk(firstToken[protocol]));
      const timer = setInterval(() => socket.write(chunk('x')), 20);
      socket.on('close', () => clearInterval(timer));
    };
    expect(await failing(answer, SOON_IDLE)).toEqual(['MODEL_STALLED', 'Half']);
  });

  test(`${protocol}: a half-closed connection`, async () => {
    const answer = (socket: net.Socket): void => {
      socket.end(CHUNKED + chunk(firstToken[protocol]));
    };
    expect(await failing(answer)).toEqual(['MODEL_STREAM_BROKEN', 'Half']);
  });

  test(`${protocol}: an endless line`, async () => {
    const answer = (socket: net.Socket): void => {
      socket.write(CHUNKED + chunk(firstToken[protocol]));
      const block = chunk('x'.repeat(256 * 1024));
      for (let i = 0; i < 20; i += 1) socket.write(block);
    };
    expect(await failing(answer)).toEqual(['MODEL_STREAM_BROKEN', 'Half']);
  });

  test(`${protocol}: a reset in mid-stream`, async () => {
    const token = Promise.withResolvers<void>();
    const answer = async (socket: net.Socket): Promise<void> => {
      socket.write(CHUNKED + chunk(firstToken[protocol]));
      // A reset discards what was not read yet.
      await token.promise;
      socket.resetAndDestroy();
    };
    const url = await listen(afterOpening(answer));
    await using model = await openAt(protocol, url, { parts: { limits: PATIENT } });
    const sending = model.send(
      { messages: [{ role: 'user', content: 'Hello' }], tools: [] },
      {
        signal: new AbortController().signal,
        onProgress: (entry) => entry.kind === 'text' && token.resolve(),
      },
    );
    const { code, details } = await failureOf(sending);
    expect([code, details.partial]).toEqual(['MODEL_STREAM_BROKEN', 'Half']);
  });

  test(`${protocol}: a connection closed before the first byte is retried once, visibly`, async () => {
    let requests = 0;
    const url = await listen(
      afterOpening((socket) => {
        requests += 1;
        socket.destroy();
      }),
    );
    await using model = await openAt(protocol, url, { parts: { limits: PATIENT } });
    const retries: unknown[] = [];
    const sending = model.send(
      { messages: [{ role: 'user', content: 'Hello' }], tools: [] },
      {
        signal: new AbortController().signal,
        onProgress: (entry) => entry.kind === 'retrying' && retries.push(entry),
      },
    );
    expect([(await failureOf(sending)).code, requests, retries]).toEqual([
      'MODEL_STREAM_BROKEN',
      2,
      [
        {
          kind: 'retrying',
          attempt: 1,
          reason: 'The server closed the connection before it answered.',
        },
      ],
    ]);
  });

  test(`${protocol}: an abort while the model loads closes the socket, and so does one in mid-stream`, async () => {
    await using fake = await startModelServer({
      // Matched by content, not by order: a request that is aborted at once may leave its turn unplayed.
      turns: [
        { when: { user: 'arrival' }, steps: [{ stall: true }] },
        { when: { user: 'token' }, steps: [{ text: 'Half' }, { stall: true }] },
      ],
    });
    await using model = await openAt(protocol, fake.url);
    const path = CHAT_PATHS[protocol];

    for (const until of ['arrival', 'token'] as const) {
      const controller = new AbortController();
      const arrival = fake.arrival(path);
      const token = Promise.withResolvers<void>();
      const sending = model.send(
        { messages: [{ role: 'user', content: until }], tools: [] },
        {
          signal: controller.signal,
          onProgress: (entry) => entry.kind === 'text' && token.resolve(),
        },
      );
      const outcome = expect(sending).rejects.toThrow('the user stopped it');
      const request = await arrival;
      if (until === 'token') await token.promise;
      controller.abort(new Error('the user stopped it'));
      await outcome;
      // The server itself must see the connection close; otherwise the test hangs.
      await request.closed;
      expect(request.aborted).toBe(true);
    }
    expect(fake.recording.to(path)).toHaveLength(2);
  });

  test(`${protocol}: closing the model closes its connections`, async () => {
    await using fake = await startModelServer({ turns: [{ steps: [{ stall: true }] }] });
    const model = await openAt(protocol, fake.url);
    const arrival = fake.arrival(CHAT_PATHS[protocol]);
    const outcome = failureOf(send(model));
    const request = await arrival;
    await model[Symbol.asyncDispose]();
    await request.closed;
    expect([(await outcome).code, request.aborted]).toEqual(['CANCELLED', true]);
  });

  test(`${protocol}: an aborted run does not disturb another on the same server`, async () => {
    await using fake = await startModelServer({
      turns: [
        { when: { user: 'slow' }, steps: [{ text: 'a' }, { stall: true }] },
        { when: { user: 'good' }, steps: [{ text: 'b ' }, { delay: 100 }, { text: 'c' }] },
      ],
    });
    await using model = await openAt(protocol, fake.url);
    const controller = new AbortController();
    const slow = send(model, { messages: [{ role: 'user', content: 'slow' }] }, controller.signal);
    const good = send(model, { messages: [{ role: 'user', content: 'good' }] });
    setTimeout(() => controller.abort(new Error('stopped')), 40);
    await expect(slow).rejects.toThrow('stopped');
    expect((await good).reply.content).toBe('b c');
  });
}

test('https to a plain http server is distinguished from an unreachable server', async () => {
  await using fake = await startModelServer();
  const failure = await failureOf(openAt('ollama', fake.url.replace('http:', 'https:')));
  expect([failure.code, failure.details.reason, failure.message]).toEqual([
    'MODEL_SERVER_UNREACHABLE',
    'tls',
    expect.stringContaining('whether the server uses http or https'),
  ]);
});

test('proxy variables do not affect loopback, and localhost needs no resolver', async () => {
  await using fake = await startModelServer({ turns: [{ steps: [{ text: 'direct' }] }] });
  const before = process.env.HTTP_PROXY;
  process.env.HTTP_PROXY = 'http://127.0.0.1:9';
  try {
    await using model = await openAt('ollama', fake.url.replace('127.0.0.1', 'localhost'));
    expect((await send(model)).reply.content).toBe('direct');
  } finally {
    if (before === undefined) delete process.env.HTTP_PROXY;
    else process.env.HTTP_PROXY = before;
  }
});
