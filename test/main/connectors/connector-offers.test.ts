import { describe, expect, it, onTestFinished } from 'vitest';
import type { Connector } from '#contract/connectors.ts';
import {
  type ConnectorBench,
  type ConnectorBenchOptions,
  openConnectorBench,
} from '../../fakes/connectors/connector-bench.ts';
import { addSpokenServer } from '../../fakes/connectors/spoken-server.ts';

/** A server that offers a resource and a prompt besides its tool. */
const OFFERING = `
const listing = { tools: { listChanged: true }, resources: { listChanged: true }, prompts: {} };
answer.initialize = () => ({ protocolVersion: '2025-11-25', capabilities: listing, serverInfo: { name: 'notes', version: '1' } });
let resources = [{ uri: 'notes://today', name: 'Today', mimeType: 'text/markdown' }];
answer['resources/list'] = () => ({ resources });
answer['resources/read'] = ({ uri }) => ({ contents: [{ uri, text: 'milk for ' + uri }] });
answer['prompts/list'] = () => ({ prompts: [{ name: 'plan', description: 'Plans a day', arguments: [{ name: 'day', required: true }] }] });
answer['prompts/get'] = ({ name, arguments: given }) => ({ messages: [{ role: 'user', content: { type: 'text', text: name + ' ' + JSON.stringify(given) } }] });
`;

const soon = () => AbortSignal.timeout(20_000);

async function open(more = '', limits: ConnectorBenchOptions['limits'] = {}) {
  const bench = await openConnectorBench({ limits: { retryMs: 0, ...limits } });
  onTestFinished(() => bench[Symbol.asyncDispose]());
  const notes = await addSpokenServer(bench, OFFERING + more);
  return { bench, notes };
}

const start = (bench: ConnectorBench, { id }: Connector) =>
  bench.connectors.tools(id, { refresh: true, signal: soon() });
const names = (bench: ConnectorBench) =>
  bench.connectors.offers().map(({ connector, resources, prompts }) => ({
    connector,
    resources: resources.map(({ name }) => name),
    prompts: prompts.map(({ name }) => name),
  }));
const NOTHING = [{ connector: 'notes', resources: [], prompts: [] }];
const BOTH = [{ connector: 'notes', resources: ['Today'], prompts: ['plan'] }];

const TODAY = { uri: 'notes://today', variables: {} };

describe('what a connector offers for messages', () => {
  it('is known once its server ran, also while it does not run, and not while it is off', async () => {
    const { bench, notes } = await open();
    expect(names(bench)).toEqual(NOTHING);
    await start(bench, notes);
    expect(names(bench)).toEqual(BOTH);
    expect(bench.connectors.offers()[0]?.prompts[0]?.arguments).toEqual([
      { name: 'day', description: '', isRequired: true },
    ]);
    await bench.connectors.enable(notes.id, false);
    expect(names(bench)).toEqual([]);
    await bench.connectors.enable(notes.id, true);
    expect(bench.connectors.list()).toMatchObject([
      { state: 'idle', offers: { resources: 1, prompts: 1 } },
    ]);
    expect(names(bench)).toEqual(BOTH);
  });

  it('is given by the server, which starts for it; no tool need be approved', async () => {
    const { bench, notes } = await open();
    const file = await bench.connectors.resource(notes.id, TODAY, soon());
    expect(Buffer.from(file.bytes).toString()).toBe('milk for notes://today');
    await start(bench, notes);
    const named = await bench.connectors.resource(notes.id, TODAY, soon());
    expect(named.name).toBe('Today.md');
    const asked = { name: 'plan', arguments: { day: 'Monday' } };
    expect(await bench.connectors.prompt(notes.id, asked, soon())).toBe('plan {"day":"Monday"}');
    await bench.connectors.enable(notes.id, false);
    const off = { code: 'CONNECTOR_UNAVAILABLE' };
    await expect(bench.connectors.resource(notes.id, TODAY, soon())).rejects.toMatchObject(off);
    await expect(bench.connectors.prompt(notes.id, asked, soon())).rejects.toMatchObject(off);
  });

  it('is a file of what the user filled in, where its address wants that', async () => {
    const { bench, notes } = await open(`
      const uriTemplate = 'notes://days/{day}{?format}';
      answer['resources/templates/list'] = () => ({ resourceTemplates: [{ uriTemplate, name: 'Day' }] });`);
    await start(bench, notes);
    expect(names(bench)).toEqual([{ ...BOTH[0], resources: ['Today', 'Day'] }]);
    const uri = 'notes://days/{day}{?format}';
    const ask = (variables: Record<string, string>) =>
      bench.connectors.resource(notes.id, { uri, variables }, soon());
    const file = await ask({ day: 'a/b', format: 'x y', other: 'z' });
    expect(Buffer.from(file.bytes).toString()).toBe('milk for notes://days/a%2Fb?format=x%20y');
    expect(file.name).toBe('b x y.txt');
    await expect(ask({ format: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('has no problem where its server knows no templates', async () => {
    const { bench, notes } = await open();
    await start(bench, notes);
    expect(names(bench)).toEqual(BOTH);
    const log = bench.connectors.log(notes.id).map(({ text }) => text);
    expect(log.filter((text) => text.includes('could not be read'))).toEqual([]);
  });

  it('follows what its server says', async () => {
    const { bench, notes } = await open(`
      answer['resources/read'] = () => {
        resources = [{ uri: 'notes://later', name: 'Later' }];
        setTimeout(() => send({ method: 'notifications/resources/list_changed' }), 10);
        return { contents: [{ uri: 'notes://today', text: '' }] };
      };`);
    await start(bench, notes);
    expect((await bench.connectors.resource(notes.id, TODAY, soon())).bytes).toHaveLength(0);
    await expect
      .poll(() => names(bench), { timeout: 15_000 })
      .toEqual([{ connector: 'notes', resources: ['Later'], prompts: ['plan'] }]);
  });

  it.each([
    ['never answers', `answer['resources/list'] = () => undefined;`, { listMs: 3_000 }],
    ['says no list', `answer['resources/list'] = () => ({ resources: 'all of them' });`, {}],
    ['refuses', `delete answer['resources/list'];`, {}],
  ])('is left out where its server %s; tools and the rest work', async (_, more, limits) => {
    const { bench, notes } = await open(more, limits);
    // Nobody waits for the list: the call is answered first.
    await bench.connectors.restart(notes.id, soon());
    const tools = await bench.connectors.tools(notes.id, { refresh: false, signal: soon() });
    bench.connectors.approve(notes.id, tools);
    expect(await bench.call(notes, 'note')).toMatchObject({ text: '{} ' });
    await expect
      .poll(() => names(bench), { timeout: 15_000 })
      .toEqual([{ connector: 'notes', resources: [], prompts: ['plan'] }]);
    expect(bench.connectors.list()).toMatchObject([{ state: 'running' }]);
    const log = bench.connectors.log(notes.id).map(({ text }) => text);
    expect(log).toEqual(
      expect.arrayContaining([expect.stringContaining('its resources could not be read')]),
    );
  });

  it.each([
    ['an error', `answer['resources/read'] = undefined;`, 'unknown'],
    ['nothing', `answer['resources/read'] = () => ({ contents: [] });`, 'returned no content for'],
    ['no answer', `answer['resources/read'] = () => undefined;`, 'did not answer in time'],
    ['its end', `answer['resources/read'] = () => process.exit(3);`, 'exit code 3'],
  ])('is a clear failure where the server gives %s, and can be asked for again', async (...row) => {
    const [what, more, message] = row;
    const { bench, notes } = await open(more, what === 'no answer' ? { callMs: 1_500 } : {});
    const ask = () => bench.connectors.resource(notes.id, TODAY, soon());
    const failed = { code: 'CONNECTOR_FAILED', message: expect.stringContaining(message) };
    await expect(ask()).rejects.toMatchObject(failed);
    await expect(ask()).rejects.toMatchObject(failed);
  });

  it('ends with the wait of the user', async () => {
    const { bench, notes } = await open(`answer['prompts/get'] = () => undefined;`);
    await start(bench, notes);
    const stop = new AbortController();
    const asked = bench.connectors.prompt(notes.id, { name: 'plan', arguments: {} }, stop.signal);
    stop.abort(new Error('closed'));
    await expect(asked).rejects.toThrow('closed');
  });
});
