import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REQUESTS } from '#contract/requests.ts';
import { silentLogger } from '#main/base/logger.ts';
import { createHandlers } from '#main/ipc/create-handlers.ts';
import { PushHub } from '#main/ipc/push-hub.ts';
import { RequestRouter } from '#main/ipc/request-router.ts';
import type { RequestHandlers } from '#main/ipc/types.ts';
import { WindowClient } from '#main/ipc/window-client.ts';
import { createFakeApp } from '../../fakes/app/fake-app.ts';
import { trials } from '../../setup/sampling.ts';

const client = new WindowClient(() => undefined);

/** A router whose handlers record their input. */
function spyRouter() {
  const reached: [string, unknown][] = [];
  const handlers = Object.fromEntries(
    Object.keys(REQUESTS).map((name) => [
      name,
      (input: unknown) => void reached.push([name, input]),
    ]),
  ) as unknown as RequestHandlers;
  return { reached, router: new RequestRouter(handlers, silentLogger) };
}

function realRouter() {
  const app = createFakeApp({ dataDir: '/nowhere', entryPoint: 'browser', attended: true });
  const hub = new PushHub(app.runs, silentLogger);
  return new RequestRouter(createHandlers(app.services, hub), silentLogger);
}

describe('RequestRouter', () => {
  it('passes parsed input to the handler and wraps its result', async () => {
    const result = await realRouter().handle('threads.list', { search: 'x' }, client);

    expect(result).toEqual({ ok: true, data: { threads: [] } });
  });

  it('reports where an input is invalid, and does not call the handler', async () => {
    const { router, reached } = spyRouter();

    const result = await router.handle(
      'runs.start',
      { prompt: 'x', attachmentIds: [], options: { mode: 'flying' } },
      client,
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

    const result = await router.handle(name, input, client);

    expect(result).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } });
    expect(reached).toEqual([]);
  });

  it('turns a coded failure into its envelope and a bug into INTERNAL', async () => {
    const router = realRouter();

    const missing = await router.handle('runs.get', { runId: 'run_9' }, client);
    const bug = await router.handle('threads.rename', { threadId: 't', title: 'x' }, client);

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
        const result = await router.handle(name, input, client);
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
    const hub = new PushHub(app.runs, silentLogger);
    const router = new RequestRouter(createHandlers(app.services, hub), silentLogger);
    const data = Buffer.alloc(25 * 1024 * 1024, 'x').toString('base64');

    const result = await router.handle('attachments.add', { name: 'big.bin', data }, client);
    const tooLarge = await router.handle(
      'attachments.add',
      { name: 'bigger.bin', data: `${data}AAAA` },
      client,
    );

    expect(result).toMatchObject({ ok: true });
    expect(tooLarge).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } });
    expect(app.attached).toEqual([{ name: 'big.bin', size: 25 * 1024 * 1024 }]);
  });
});
