import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodeFrame,
  FrameSplitter,
  readMessages,
} from '#main/sandbox/e2b-provider/connect-stream.ts';
import { parseProcessEvent } from '#main/sandbox/e2b-provider/process-events.ts';
import { frame, lastFrame, unframe } from '../../../fakes/e2b/connect-wire.ts';

/** A body that arrives in these pieces, and then ends or goes silent. */
function bodyOf(pieces: readonly Uint8Array[], { open = false } = {}): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      if (!open) controller.close();
    },
  });
}

async function all(body: ReadableStream<Uint8Array>, idleMs = 1_000): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of readMessages(body, idleMs)) messages.push(message);
  return messages;
}

describe('frames', () => {
  test('are those of the protocol', () => {
    expect([...encodeFrame({ a: 'ü' })]).toEqual([...frame({ a: 'ü' })]);
    expect(unframe(encodeFrame({ a: 1 }))).toEqual({ a: 1 });
  });

  test('are complete however they are cut', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), cuts, (sent, steps) => {
        const wire = Buffer.concat(sent.map((message) => frame(message)));
        const splitter = new FrameSplitter();
        const got: string[] = [];
        for (let at = 0, i = 0; at < wire.length; i += 1) {
          const step = steps[i % steps.length] ?? 1;
          const piece = new Uint8Array(wire.subarray(at, at + step));
          for (const { payload } of splitter.push(piece)) got.push(payload.toString('utf8'));
          at += step;
        }
        expect(got).toEqual(sent.map((message) => JSON.stringify(message)));
      }),
    );
  });
});

describe('a stream', () => {
  test('yields its messages and ends at its last frame', async () => {
    const body = bodyOf([frame({ n: 1 }), Buffer.concat([frame({ n: 2 }), lastFrame()])]);
    expect(await all(body)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test.each([
    ['not_found', 404],
    ['unauthenticated', 401],
    ['resource_exhausted', 429],
    ['unavailable', 502],
    ['something_new', 500],
  ])('reports an error in its last frame: %s', async (code, status) => {
    const body = bodyOf([frame({ n: 1 }), lastFrame({ code, message: 'why' })]);
    await expect(all(body)).rejects.toMatchObject({ status, message: 'why' });
  });

  test('breaks without its last frame', async () => {
    await expect(all(bodyOf([frame({ n: 1 })]))).rejects.toThrow('the stream broke');
  });

  test('goes silent', async () => {
    const body = bodyOf([frame({ n: 1 })], { open: true });
    await expect(all(body, 50)).rejects.toThrow('the stream went silent');
  });

  test('with a frame that is over the cap, compressed or not JSON', async () => {
    const huge = Buffer.from([0, 0xff, 0xff, 0xff, 0xff]);
    await expect(all(bodyOf([huge]))).rejects.toThrow('4294967295 bytes');
    await expect(all(bodyOf([frame({}, 1)]))).rejects.toThrow('compressed');
    await expect(all(bodyOf([Buffer.from([0, 0, 0, 0, 1, 123])]))).rejects.toThrow('not JSON');
  });
});

describe('what a message says', () => {
  test.each([
    [{ event: { start: { pid: 7 } } }, { type: 'start', pid: 7 }],
    [{ event: { data: { stderr: 'aGk=' } } }, output('stderr', 'hi')],
    [{ event: { data: { stdout: 'aGk=' } } }, output('stdout', 'hi')],
    [{ event: { end: { exited: true, status: 'exit status 0' } } }, { type: 'end', exitCode: 0 }],
    [{ event: { end: { exited: true, exitCode: 3 } } }, { type: 'end', exitCode: 3 }],
    [
      { event: { end: { exitCode: -1, status: 'signal: killed' } } },
      { type: 'end', exitCode: 137 },
    ],
    [
      { event: { end: { exitCode: -1, status: 'signal: segmentation fault (core dumped)' } } },
      { type: 'end', exitCode: 139 },
    ],
    [{ event: { keepalive: {} } }, null],
    [{ event: { news: 1 } }, null],
    [{ event: { start: { pid: 'x' } } }, null],
    ['nonsense', null],
  ])('%j', (message, event) => {
    expect(parseProcessEvent(message)).toEqual(event);
  });
});

function output(stream: string, text: string): unknown {
  return { type: 'output', stream, bytes: Buffer.from(text) };
}
