import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { startNodeHost } from '#main/models/embedded/host-process.ts';
import { LlamaHost } from '#main/models/embedded/llama-host.ts';
import { startUtilityHost } from '#main/window/utility-host.ts';

vi.mock('electron', () => import('../../../fakes/electron/utility-process.ts'));

const PROGRAM = join(import.meta.dirname, '../../../fakes/embedded/echo-host.mjs');
const never = new AbortController().signal;

/** The process of a model, started by Node and as in the packaged app, which cannot fork. */
describe.each([
  ['forked by Node', startNodeHost],
  ['as a utility process of Electron', startUtilityHost],
])('the process of a model, %s', (_how, start) => {
  const open = (): LlamaHost => {
    const host = new LlamaHost({
      ...{ program: PROGRAM, runtimeDir: '/runtime', start },
      onDeath: (how) => new AppError('MODEL_STREAM_BROKEN', how),
    });
    onTestFinished(() => host.kill());
    return host;
  };

  it('answers, streams, and sees nothing of the environment but PATH', async () => {
    process.env.A_SECRET_OF_THE_APP = 'sesame';
    onTestFinished(() => void delete process.env.A_SECRET_OF_THE_APP);
    const texts: string[] = [];
    const onText = (text: string): void => void texts.push(text);
    const outcome = await open().request({ kind: 'generate' }, { signal: never, onText });

    const { argv, env } = JSON.parse(texts.join('')) as { argv: string[]; env: object };
    const ours = Object.keys(env).filter((name) => !/^(?:NODE_CHANNEL|__CF)/.test(name));
    expect(outcome).toMatchObject({ kind: 'done', finish: 'stop' });
    expect({ argv, ours }).toEqual({ argv: ['/runtime'], ours: ['PATH'] });
  });

  it('stops an aborted request, and answers the next one', async () => {
    const host = open();
    const abort = new AbortController();
    const waiting = host.request({ kind: 'wait' }, { signal: abort.signal });
    abort.abort(new Error('enough'));

    await expect(waiting).rejects.toThrow('enough');
    expect(await host.request({ kind: 'generate' }, { signal: never })).toMatchObject({
      kind: 'done',
    });
  });

  it.each([
    ['die', /exit code 7/],
    ['complain', /out of memory/],
  ])('that ends by itself rejects pending requests: %s', async (kind, how) => {
    const host = open();

    await expect(host.request({ kind }, { signal: never })).rejects.toMatchObject({
      code: 'MODEL_STREAM_BROKEN',
      message: expect.stringMatching(how),
    });
    expect(host.isAlive).toBe(false);
    await expect(host.request({ kind: 'generate' }, { signal: never })).rejects.toMatchObject({
      code: 'MODEL_STREAM_BROKEN',
    });
  });

  it('ends when it is killed', async () => {
    const host = open();
    await host.request({ kind: 'generate' }, { signal: never });
    host.kill();

    await expect.poll(() => host.isAlive).toBe(false);
  });
});
