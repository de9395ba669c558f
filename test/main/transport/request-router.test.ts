import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REQUESTS } from '#contract/requests.ts';
import type { Requests } from '#main/api/types.ts';
import { silentLogger } from '#main/base/logger.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { createFakeApp, fakeCaller } from '../../fakes/app/fake-app.ts';
import { trials } from '../../setup/sampling.ts';

/** A router whose handlers record their input. */
function spyRouter() {
  const reached: [string, unknown][] = [];
  const handlers = Object.fromEntries(
    Object.keys(REQUESTS).map((name) => [
      name,
      (input: unknown) => void reached.push([name, input]),
    ]),
  ) as unknown as Requests;
  return { reached, router: new RequestRouter(handlers, silentLogger) };
}

function realRouter() {
  const app = createFakeApp({ dataDir: '/nowhere', entryPoint: 'browser', attended: true });
  return new RequestRouter(app.api, silentLogger);
}

describe('RequestRouter', () => {
  it('passes parsed input to the handler and wraps its result', async () => {
    const result = await realRouter().handle('threads.list', { search: 'x' }, fakeCaller);

    expect(result).toEqual({ ok: true, data: { threads: [] } });
  });

  it('reports where an input is invalid, and does not call the handler', async () => {
    const { router, reached } = spyRouter();

    const result = await router.handle(
      'runs.start',
      { prompt: 'x', attachmentIds: [], options: { mode: 'flying' } },
      fakeCaller,
    );

    expect(reached).toEqual([]);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'BAD_REQUEST', details: { issues: [{ path: 'options.mode' }] } },
    });
  });

  it.each([
    ['an unknown field', 'app.info', { extra: 1 }],
    ['a missing field', 'runs.get', {}],
    ['no input', 'app.info', undefined],
    ['an array', 'app.info', []],
    ['a key of the prototype', 'app.info', JSON.parse('{"__proto__": {"x": 1}}')],
    ['a constructor', 'app.info', JSON.parse('{"constructor": 1}')],
    ['an unknown request', 'threads.drop', {}],
    ['a name of the prototype', 'constructor', {}],
    ['another name of the prototype', '__proto__', {}],
    ['a name that is not a string', 7, {}],
  ])('refuses %s', async (_what, name, input) => {
    const { router, reached } = spyRouter();

    const result = await router.handle(name, input, fakeCaller);

    expect(result).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } });
    expect(reached).toEqual([]);
  });

  it('turns a coded failure into its envelope and a bug into INTERNAL', async () => {
    const router = realRouter();

    const missing = await router.handle('runs.get', { runId: 'run_9' }, fakeCaller);
    const bug = await router.handle('threads.rename', { threadId: 't', title: 'x' }, fakeCaller);

    expect(missing).toEqual({
      ok: false,
      error: { code: 'NOT_FOUND', message: 'There is no run run_9.', details: {} },
    });
    expect(bug).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
  });

  it('survives thousands of malformed messages, and no handler sees one unparsed', async () => {
    const { router, reached } = spyRouter();
    const names = fc.oneof(fc.constantFrom(...Object.keys(REQUESTS)), fc.string(), fc.anything());
    const inputs = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
      fc.record({ runId: fc.anything(), threadId: fc.anything(), afterSeq: fc.anything() }),
    );
    await fc.assert(
      fc.asyncProperty(names, inputs, async (name, input) => {
        reached.length = 0;
        const result = await router.handle(name, input, fakeCaller);
        const [call] = reached;
        if (call === undefined) return !result.ok && result.error.code === 'BAD_REQUEST';
        const [reachedName, reachedInput] = call;
        const schema = REQUESTS[reachedName as keyof typeof REQUESTS].input;
        return schema.safeParse(reachedInput).success;
      }),
      trials(5000, { name: 'inputs of requests', size: 1000 }),
    );
  });

  it('takes an attachment of the largest size', async () => {
    const app = createFakeApp({ dataDir: '/nowhere', entryPoint: 'browser', attended: true });
    const router = new RequestRouter(app.api, silentLogger);
    const data = Buffer.alloc(25 * 1024 * 1024, 'x').toString('base64');

    const result = await router.handle('attachments.add', { name: 'big.bin', data }, fakeCaller);
    const tooLarge = await router.handle(
      'attachments.add',
      { name: 'bigger.bin', data: `${data}AAAA` },
      fakeCaller,
    );

    expect(result).toMatchObject({ ok: true });
    expect(tooLarge).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } });
    expect(app.attached).toEqual([{ name: 'big.bin', size: 25 * 1024 * 1024 }]);
  });
});
