import { type Duplex, PassThrough } from 'node:stream';
import { systemClock } from '#main/base/clock.ts';
import { EgressDenied } from '#main/egress/denied.ts';
import { EgressProxy } from '#main/egress/proxy/egress-proxy.ts';
import type { EgressClient } from '#main/egress/types.ts';
import { demultiplex } from '#main/sandbox/docker-provider/frame-demultiplexer.ts';
import { unpackFiles } from '#main/sandbox/e2b-provider/archive.ts';
import { encodeFrame, readMessages } from '#main/sandbox/e2b-provider/connect-stream.ts';
import { parseProcessEvent } from '#main/sandbox/e2b-provider/process-events.ts';
import { MAX_LISTING_BYTES, parseListing } from '#main/sandbox/e2b-provider/remote-listing.ts';
import { FRAME, encodeFrame as relayFrame } from '#main/sandbox/relay/relay-frames.ts';
import { RelayMux } from '#main/sandbox/relay/relay-mux.ts';
import { DEFAULT_OUTPUT_LIMITS, OutputCapture } from '#main/sandbox/shell/output-capture.ts';
import { ShellSession } from '#main/sandbox/shell/shell-session.ts';
import { tool as executeScriptTool } from '#main/tools/definitions/execute-script.ts';
import type { ToolContext } from '#main/tools/types.ts';
import { type FuzzInput, type FuzzTarget, HOLE } from '../types.ts';
import { answering, heard, over, paced, speaker, turns } from './streams.ts';
import { prepareAll } from './tools.ts';

/** Lets everything out, to a server that answers with `answer`. */
function clientTo(answer: () => readonly Buffer[]): EgressClient {
  return {
    connect: async (target) => {
      if (target.host === 'refused.example') throw new EgressDenied('not_listed', 'No.', target);
      return answering(answer());
    },
    refuse: () => undefined,
  };
}

const GET = 'GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

async function throughProxy(asked: readonly Buffer[], answer: readonly Buffer[]): Promise<void> {
  const proxy = new EgressProxy(clientTo(() => answer));
  const stream = speaker(asked);
  proxy.serve(stream);
  await heard(stream);
  await turns(Math.min(answer.length, 2_000));
  stream.destroy();
  await turns(4);
}

const bytesOf = (...bytes: number[]): Buffer => Buffer.from(bytes);
const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const dockerFrame = (kind: number, text: string): Buffer =>
  Buffer.concat([bytesOf(kind, 0, 0, 0), word(text.length), Buffer.from(text)]);

const RELAY_SEED = Buffer.concat([
  relayFrame(0, FRAME.hello),
  relayFrame(1, FRAME.open, Buffer.from('P')),
  relayFrame(1, FRAME.data, Buffer.from(GET)),
  relayFrame(3, FRAME.open, Buffer.from('T')),
  relayFrame(3, FRAME.data, Buffer.from('{"tool":"read_file","arguments":{}}')),
  relayFrame(3, FRAME.end),
  relayFrame(1, FRAME.credit, word(1000)),
  relayFrame(1, FRAME.reset),
]);

async function throughRelay({ chunks }: FuzzInput): Promise<void> {
  const proxy = new EgressProxy(clientTo(() => [Buffer.from(OK)]));
  const channel = speaker(chunks);
  const mux = new RelayMux({
    channel,
    onStream: (kind, stream) => {
      if (kind === 'proxy') proxy.serve(stream);
      else stream.on('data', () => undefined).once('end', () => stream.end('{}'));
    },
  });
  mux.connect(80).on('error', () => undefined);
  await heard(channel);
  mux.close();
  await turns(4);
}

/** What a shell prints, with the mark of its end somewhere in it. */
async function throughShell({ chunks, random }: FuzzInput): Promise<void> {
  const written = new PassThrough();
  let nonce = '';
  let sent = '';
  written.on('data', (chunk: Buffer) => {
    sent += chunk.toString('latin1');
    nonce = /__ha_end ([0-9a-f]{32})\n/.exec(sent)?.[1] ?? nonce;
  });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let end: (end: { cause: 'exited'; exitCode: number }) => void = () => undefined;
  const ended = new Promise<{ cause: 'exited'; exitCode: number }>((resolve) => {
    end = resolve;
  });
  const process = { stdin: written, stdout, stderr, ended, kill: async () => undefined };
  const session = new ShellSession(
    process as never,
    { scriptDir: '/s', workspaceDir: '/w', intake: 'counted', oomCounterFile: null },
    systemClock,
  );
  const capture = new OutputCapture(() => undefined, DEFAULT_OUTPUT_LIMITS);
  const sink = {
    stdout: (bytes: Buffer) => capture.stdout.push(bytes),
    stderr: (bytes: Buffer) => capture.stderr.push(bytes),
  };
  const running = session.run({ language: 'bash', code: 'x' }, sink);
  await turns(2);
  const mark = random() < 0.5 ? nonce : 'f'.repeat(32);
  for await (const chunk of paced(chunks)) {
    const text = chunk.includes(0x4e)
      ? Buffer.from(chunk.toString('latin1').replace('NONCE', mark), 'latin1')
      : chunk;
    stdout.write(text);
    if (random() < 0.3) stderr.write(text);
  }
  stdout.end();
  stderr.end();
  end({ cause: 'exited', exitCode: 0 });
  await running;
  capture.stdout.finish();
  capture.stderr.finish();
}

/** A program in the sandbox that calls back. */
async function throughScript({ chunks }: FuzzInput): Promise<void> {
  let take: (stream: Duplex) => void = () => undefined;
  const tool = executeScriptTool({ commandTimeoutMs: () => 1_000 });
  const runProgram = async (): Promise<unknown> => {
    const call = speaker(chunks);
    take(call);
    await heard(call);
    return { outcome: 'completed', exitCode: 0, stdout: '', stderr: '', durationMs: 1 };
  };
  const context = {
    ...{ toolCallId: 'c', runId: 'r', threadId: 't', agent: 'executor', round: 1 },
    signal: new AbortController().signal,
    emit: () => undefined,
    egress: { noteNamedByProgram: () => undefined },
    taint: { sources: () => [], add: () => undefined },
    sandbox: {
      takeCalls: (given: (stream: Duplex) => void) => {
        take = given;
        return { [Symbol.dispose]: () => undefined };
      },
      workspace: {
        list: async () => ({ entries: [], truncated: false }),
        watch: async () => ({
          others: [],
          end: async () => [],
          [Symbol.dispose]: () => undefined,
        }),
      },
      runtime: async () => ({ network: null, level: 'os', run: runProgram }),
    },
    invoke: async ({
      name,
      arguments: given,
    }: {
      name: string;
      arguments: Record<string, unknown>;
    }) => {
      // As `nestedCalls` does.
      prepareAll({
        toolCalls: [
          { id: 'n', name: name === 'shell_command' ? 'deep' : 'text', arguments: given },
        ],
        invalidToolCalls: [],
      });
      return { toolCallId: 'n', toolName: name, content: 'done', status: 'ok' as const };
    },
  };
  await tool.run({ script: 'x' }, context as unknown as ToolContext);
}

export const SANDBOX_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'proxy-request',
    faces: 'sandbox',
    seeds: [
      GET,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\nhello',
      `POST http://example.com/a?b=c HTTP/1.1\r\nHost: other\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive, x-${HOLE}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
      `GET http://${HOLE}/ HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nUpgrade: websocket\r\n\r\n`,
      'GET http://refused.example/ HTTP/1.0\r\n\r\n',
    ],
    tokens: [
      '\r\n',
      'Host: ',
      'Content-Length: 5\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Connection: ',
      ' HTTP/1.1\r\n',
      'CONNECT ',
      'http://',
      '[::1]',
      '%00',
      ': ',
      '\u0005',
      'Expect: 100-continue\r\n',
      'Trailer: a\r\n',
    ],
    run: ({ chunks }) => throughProxy(chunks, [Buffer.from(OK)]),
  },
  {
    name: 'proxy-answer',
    faces: 'server',
    seeds: [
      OK,
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: ${HOLE}\r\n\r\n5\r\nhello\r\n0\r\nTrailer: b\r\n\r\n`,
      'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nbytes',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 099 Low\r\n\r\n',
      'HTTP/1.0 999 Odd reason\r\nConnection: content-length, close\r\n\r\n',
    ],
    tokens: [
      '\r\n',
      'HTTP/1.1 ',
      ' 099 ',
      ' 1000 ',
      'Content-Length: ',
      'Set-Cookie: a=b\r\n',
      'Connection: ',
      'Transfer-Encoding: chunked\r\n',
      '\u0000',
      '\u007f',
      '\u0080',
      ' \r\n',
    ],
    run: ({ chunks }) => throughProxy([Buffer.from(GET)], chunks),
  },
  {
    name: 'proxy-socks',
    faces: 'sandbox',
    seeds: [
      Buffer.concat([
        bytesOf(5, 1, 0, 5, 1, 0, 3, 11),
        Buffer.from('example.com'),
        bytesOf(0, 80),
        Buffer.from('hi'),
      ]),
      bytesOf(5, 2, 0, 2, 5, 1, 0, 1, 93, 184, 216, 34, 1, 187),
      Buffer.concat([bytesOf(5, 1, 0, 5, 1, 0, 4), Buffer.alloc(16, 1), bytesOf(0, 80)]),
      bytesOf(5),
    ],
    tokens: ['\u0005', '\u0005\u0001\u0000', '\u0003\u00ff', '\u0000', 'example.com', '\u0004'],
    run: ({ chunks }) => throughProxy(chunks, [Buffer.from('hello')]),
  },
  {
    name: 'relay',
    faces: 'sandbox',
    seeds: [RELAY_SEED, relayFrame(1, FRAME.open, Buffer.from('P'))],
    tokens: [
      ...[
        relayFrame(5, FRAME.open, Buffer.from('T')),
        relayFrame(1, FRAME.data, Buffer.from('x'.repeat(100))),
      ],
      ...[
        relayFrame(1, FRAME.credit, word(2 ** 32 - 1)),
        relayFrame(1, FRAME.end),
        relayFrame(1, FRAME.reset),
      ],
      ...[
        relayFrame(2, FRAME.credit),
        relayFrame(2, FRAME.data, Buffer.from('y')),
        word(65_536),
        word(65_537),
      ],
    ].map((frame) => frame.toString('latin1')),
    run: throughRelay,
  },
  {
    name: 'docker-stream',
    faces: 'sandbox',
    seeds: [Buffer.concat([dockerFrame(1, 'out\n'), dockerFrame(2, 'err\n'), dockerFrame(1, '')])],
    tokens: [
      dockerFrame(1, 'a'),
      dockerFrame(2, 'b'),
      dockerFrame(1, ''),
      word(1024 * 1024),
      word(2 ** 32 - 1),
    ].map((frame) => frame.toString('latin1')),
    run: async ({ chunks }) => {
      const connection = speaker(chunks);
      const { stdout, stderr } = demultiplex(connection);
      const ends = [stdout, stderr].map((stream) => over(stream.resume()));
      await Promise.all(ends);
    },
  },
  {
    name: 'shell-output',
    faces: 'sandbox',
    seeds: [
      'hello\n\u001eNONCE 0 0\u001e',
      'a\u001eb\u001eNONCE 1',
      '\u001eNONCE x y\u001e',
      'héllo 中\n',
    ],
    tokens: ['\u001e', '\u001eNONCE ', 'NONCE', ' 0\u001e', '\r\n', '\u001b[2J', '\n'],
    maxBytes: 8 * 1024 * 1024,
    run: throughShell,
  },
  {
    name: 'script-call',
    faces: 'sandbox',
    seeds: [
      '{"tool":"run_command","arguments":{"command":"ls"}}',
      `{"tool":"run_command","arguments":{"value":${HOLE}}}`,
      `{"tool":"read_file","arguments":{"path":"a","x":${HOLE}}}`,
    ],
    tokens: ['{"tool":"', '"arguments":{', 'web_search', '"', '}', '[', '\\u0000'],
    maxBytes: 2 * 1024 * 1024 + 100,
    run: throughScript,
  },
  {
    name: 'e2b-stream',
    faces: 'server',
    seeds: [
      Buffer.concat([
        encodeFrame({ event: { start: { pid: 7 } } }),
        encodeFrame({ event: { data: { stdout: 'aGVsbG8=' } } }),
        encodeFrame({ event: { end: { exitCode: 0, status: 'signal: killed' } } }),
        Buffer.concat([bytesOf(2), word(2), Buffer.from('{}')]),
      ]),
    ],
    tokens: [
      encodeFrame({ event: { data: { stderr: 'eA==' } } }).toString('latin1'),
      '\u0002\u0000\u0000\u0000\u0002{}',
      '\u0000\u0001\u0000\u0000\u0000',
      '\u0000\u0000\u0010\u0000\u0000[[',
      '{"event":',
    ],
    maxBytes: 4 * 1024 * 1024,
    run: async ({ chunks }) => {
      const body = ReadableStream.from(paced(chunks)) as ReadableStream<Uint8Array>;
      for await (const message of readMessages(body, 10_000)) parseProcessEvent(message);
    },
    // The provider makes errors with a code of its own of these.
    isTyped: (error) => error instanceof Error && /^E2b/.test(error.constructor.name),
  },
  {
    name: 'remote-listing',
    faces: 'sandbox',
    seeds: [
      Buffer.from(
        'f 12 644 1700000000.5 99 a/b.txt\0\0d 4096 755 1.2 3 sub\0\0l 3 777 1.0 4 link\0../x\0',
      ),
    ],
    tokens: ['\0', '\0\0', 'f 1 644 1 1 ', 'l 1 777 1 1 a\0', '../', '/', '\u00ff'],
    maxBytes: MAX_LISTING_BYTES,
    run: ({ bytes }) => void parseListing(bytes, true),
  },
  {
    name: 'remote-archive',
    faces: 'sandbox',
    seeds: [tarSeed('a.txt', 'hello'), tarSeed('./sub/b', 'x'.repeat(600))],
    tokens: [
      'ustar\u000000',
      '\0'.repeat(512),
      '0000644\0',
      '00000000005\0',
      'path=',
      '20 path=../../x\n',
    ],
    run: async ({ chunks }) => {
      const archive = ReadableStream.from(paced(chunks)) as ReadableStream<Uint8Array>;
      await unpackFiles(archive, 512 * 1024, async (_path, contents) => {
        for await (const _chunk of contents);
      });
    },
    // The sync makes an error with a code of whatever an archive is refused for.
    isTyped: (error) =>
      error instanceof Error && !(error instanceof TypeError || error instanceof RangeError),
  },
];

function tarSeed(name: string, content: string): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write('0000644\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  head.write('00000000000\0', 136);
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([head, body, Buffer.alloc(1024)]);
}
