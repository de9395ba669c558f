import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EmbeddedRuntime } from '#main/models/embedded/embedded-runtime.ts';
import type { StartHostProcess } from '#main/models/embedded/host-process.ts';
import { HELLO } from '../harness.ts';

/** A process of a model that does what the test says; by itself it loads without end. */
function bench() {
  const root = mkdtempSync(join(tmpdir(), 'hyperagent-loading-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, '.embedded/node_modules/node-llama-cpp'), { recursive: true });
  const file = join(root, 'model.gguf');
  writeFileSync(file, 'GGUF and more');
  const started: { killed: boolean; sent: { id: number; kind: string }[] }[] = [];
  const listeners: ((message: unknown) => void)[] = [];
  const start: StartHostProcess = () => {
    const host = { killed: false, sent: [] as { id: number; kind: string }[] };
    started.push(host);
    let onEnd: (how: string) => void = () => undefined;
    return {
      pid: 1,
      send: (message) => void host.sent.push(message as { id: number; kind: string }),
      kill: () => {
        host.killed = true;
        onEnd('SIGKILL');
      },
      onMessage: (listener) => void listeners.push(listener),
      onErrorText: () => undefined,
      onEnd: (listener) => {
        onEnd = listener;
      },
      setBusy: () => undefined,
    };
  };
  const runtime = new EmbeddedRuntime(root, start);
  onTestFinished(() => runtime[Symbol.asyncDispose]());
  const open = (signal: AbortSignal) =>
    runtime.open({
      ...{ ref: { provider: 'embedded', name: 'model' }, files: [file] },
      ...{ contextWindow: 512, thinking: null, signal },
    });
  const say = (message: object): void => listeners.at(-1)?.(message);
  return { open, started, say };
}

const never = new AbortController().signal;
const opened = {
  ...{ id: 1, kind: 'opened', contextWindow: 512, trainedContext: 512 },
  ...{ tools: false, thinking: false },
};
const reason = new Error('the user stopped it');

it('an abort ends a load at once, and the process with it; the next run loads again', async () => {
  const { open, started, say } = bench();
  const controller = new AbortController();
  const opening = open(controller.signal);
  await expect.poll(() => started[0]?.sent.length).toBe(1);
  controller.abort(reason);
  await expect(opening).rejects.toBe(reason);
  expect(started.map(({ killed }) => killed)).toEqual([true]);
  const again = open(never);
  await expect.poll(() => started[1]?.sent.length).toBe(1);
  say(opened);
  await (await again)[Symbol.asyncDispose]();
  expect(started.map(({ killed }) => killed)).toEqual([true, false]);
});

it('a load for which another run waits goes on', async () => {
  const { open, started, say } = bench();
  const controller = new AbortController();
  const stopped = open(controller.signal);
  const waiting = open(never);
  await expect.poll(() => started[0]?.sent.length).toBe(1);
  controller.abort(reason);
  await expect(stopped).rejects.toBe(reason);
  say(opened);
  expect((await waiting).contextWindow).toBe(512);
  expect(started.map(({ killed }) => killed)).toEqual([false]);
});

it('an answer that is stuck ends, and its process hears of it', async () => {
  const { open, started, say } = bench();
  const opening = open(never);
  await expect.poll(() => started[0]?.sent.length).toBe(1);
  say(opened);
  const model = await opening;
  const sending = model.send(
    { messages: HELLO, tools: [] },
    { signal: never, onProgress: () => undefined },
  );
  const failed = expect(sending).rejects.toMatchObject({
    code: 'MODEL_OUTPUT_INCOMPLETE',
    details: { partial: expect.stringContaining('Again. ') },
  });
  await expect.poll(() => started[0]?.sent.length).toBe(2);
  for (let i = 0; i < 40; i += 1) say({ id: 2, kind: 'text', text: 'Again. '.repeat(300) });
  await failed;
  expect(started[0]?.sent.at(-1)).toEqual({ id: 2, kind: 'cancel' });
});
