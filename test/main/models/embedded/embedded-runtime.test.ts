import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EmbeddedRuntime } from '#main/models/embedded/embedded-runtime.ts';
import { findEmbeddedRuntime } from '#main/models/embedded/find-runtime.ts';
import type { ChatModel } from '#main/models/types.ts';
import { writeTinyGguf } from '../../../fakes/gguf/tiny-gguf.ts';
import { failureOf, HELLO, send } from '../harness.ts';

/** The real node-llama-cpp on a real, tiny model, in its own process. */
const root = process.cwd();
const isInstalled = findEmbeddedRuntime(root) !== null;
const note = isInstalled ? '' : ' (skipped: not installed; npm run embedded)';
const signal = new AbortController().signal;

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-embedded-'));
  writeTinyGguf(join(dir, 'tiny.gguf'));
  writeFileSync(join(dir, 'page.gguf'), '<!doctype html>');
  writeFileSync(join(dir, 'cut.gguf'), readFileSync(join(dir, 'tiny.gguf')).subarray(0, 9_000));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const openRuntime = (): EmbeddedRuntime => {
  const runtime = new EmbeddedRuntime(root);
  onTestFinished(() => runtime[Symbol.asyncDispose]());
  return runtime;
};

const openFile = (
  runtime: EmbeddedRuntime,
  name: string,
  contextWindow = 512,
): Promise<ChatModel> =>
  runtime.open({
    ...{ ref: { provider: 'embedded', name }, files: [join(dir, 'tiny.gguf')] },
    ...{ contextWindow, thinking: null, signal },
  });

/** Child processes that have a model loaded. */
function hosts(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
      const isOurs = command.includes('llama-host.mjs') && Number(parent) === process.pid;
      return isOurs ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

describe.skipIf(!isInstalled)(`the embedded runtime${note}`, () => {
  it('answers, counts tokens, and evaluates only the new part of the next prompt', async () => {
    const runtime = openRuntime();
    const model = await openFile(runtime, 'tiny');
    const request = { tools: [], maxOutputTokens: 12, seed: 1, temperature: 0 };
    const first = await send(model, request);
    const again = await send(model, request);
    expect({
      window: model.contextWindow,
      trained: model.profile.trainedContext,
      finish: first.reply.finish,
      tokens: first.reply.usage.completionTokens,
      same: again.reply.content === first.reply.content,
      prefix: again.reply.prefix.hit,
    }).toEqual({
      ...{ window: 512, trained: 2_048, finish: 'length', tokens: 12, same: true, prefix: true },
    });
    expect(first.reply.usage.promptTokens).toBeGreaterThan(20);
  });

  it('constrains an answer to a schema, whatever the model', async () => {
    const model = await openFile(openRuntime(), 'tiny');
    const format = {
      type: 'object',
      properties: { tool: { enum: ['ls', 'cat'] }, sure: { type: 'boolean' } },
      required: ['tool', 'sure'],
    };
    const { reply } = await send(model, { tools: [], format, seed: 3, maxOutputTokens: 400 });
    expect(JSON.parse(reply.content)).toEqual({
      tool: expect.stringMatching(/^(ls|cat)$/),
      sure: expect.any(Boolean),
    });
  });

  it('refuses a prompt that is too long before it computes anything', async () => {
    const model = await openFile(openRuntime(), 'tiny', 256);
    const messages = [...HELLO, { role: 'user' as const, content: 'x'.repeat(2_000) }];
    const { code, details } = await failureOf(send(model, { tools: [], messages }));
    expect([code, details.contextWindow]).toEqual(['MODEL_CONTEXT_EXCEEDED', 256]);
  });

  it('stops in the middle, and answers the next request', async () => {
    const model = await openFile(openRuntime(), 'tiny', 2_048);
    const controller = new AbortController();
    let pieces = 0;
    const stopped = model.send(
      // Without chance: of the words that it would choose at random, the first may be the end.
      { messages: HELLO, tools: [], maxOutputTokens: 1_500, seed: 1, temperature: 0 },
      {
        signal: controller.signal,
        onProgress: (progress) => {
          pieces += progress.kind === 'text' ? 1 : 0;
          if (pieces === 3) controller.abort(new Error('enough'));
        },
      },
    );
    await expect(stopped).rejects.toThrow('enough');
    const after = await send(model, { tools: [], maxOutputTokens: 3 });
    expect(after.reply.usage.completionTokens).toBeLessThanOrEqual(3);
  });

  it.skipIf(process.platform !== 'linux')(
    'the app survives its death: a killed process is a typed error, and the next run starts it again',
    async () => {
      const runtime = openRuntime();
      const model = await openFile(runtime, 'tiny', 2_048);
      const [pid] = hosts();
      // Only once: buffered text is emitted when the answer is interrupted, after the process has ended.
      let isKilled = false;
      const onProgress = () => {
        if (pid !== undefined && !isKilled) isKilled = process.kill(pid, 'SIGKILL');
      };
      const { code, message } = await failureOf(
        model.send({ messages: HELLO, tools: [], maxOutputTokens: 1_500 }, { signal, onProgress }),
      );
      await model[Symbol.asyncDispose]();
      const next = await openFile(runtime, 'tiny', 2_048);
      const { reply } = await send(next, { tools: [], maxOutputTokens: 2 });
      expect([
        isKilled,
        code,
        message.includes('tiny.gguf'),
        reply.finish,
        hosts().includes(pid ?? 0),
      ]).toEqual([true, 'MODEL_STREAM_BROKEN', true, 'length', false]);
    },
  );

  it.each([
    ['page.gguf', 'MODEL_LOAD_FAILED', /not a GGUF file/],
    ['cut.gguf', 'MODEL_LOAD_FAILED', /could not be loaded/],
    ['none.gguf', 'MODEL_NOT_FOUND', /does not exist/],
  ])('explains the problem with %s', async (name, code, message) => {
    const failure = await failureOf(openFile(openRuntime(), join(dir, name)));
    expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(message)]);
  });

  it('leaves no process behind', async () => {
    const runtime = new EmbeddedRuntime(root);
    await openFile(runtime, 'tiny');
    await runtime[Symbol.asyncDispose]();
    while (process.platform === 'linux' && hosts().length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

it('says how to install the runtime if it is missing', async () => {
  const runtime = new EmbeddedRuntime(dir);
  const failure = await failureOf(openFile(runtime, 'tiny'));
  const listed = await runtime.list([join(dir, 'tiny.gguf')]);
  expect([failure.code, listed.reachable, listed.problem]).toEqual([
    'MODEL_SERVER_UNREACHABLE',
    false,
    expect.stringContaining('npm run embedded'),
  ]);
});
