import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import { sha256 } from '#main/base/canonical-json.ts';
import type { InvalidToolCall, ToolCall } from '#main/models/types.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import type { ToolDefinition } from '#main/tools/types.ts';
import { knownTools, recordingTool, toolBench } from '../../fakes/fake-tools.ts';
import { call } from '../../fakes/scripted-chat-model.ts';
import { trials } from '../../setup/sampling.ts';

type Bench = ReturnType<typeof toolBench>;

const run = (bench: Bench, calls: (ToolCall | InvalidToolCall)[], tools: ToolDefinition[]) =>
  executeToolBatch(calls, bench.context, { pipeline: bench.pipeline, tools: knownTools(tools) });

it('gives every call one tool_call, one tool_result and one result, in the order of the calls', async () => {
  const bench = toolBench();
  const ran: unknown[] = [];
  const results = await run(
    bench,
    [
      call('a', 'look', { n: 1 }),
      call('b', 'lok', {}),
      { id: 'c', name: 'look', rawArguments: '{"n":', problem: 'it breaks off' },
      call('d', 'look', { n: 'many' }),
      call('e', 'look', { n: '5' }),
    ],
    [recordingTool('look', ran)],
  );
  const emitted = (type: string) =>
    bench.events.flatMap((event) =>
      event.type === type && 'toolCallId' in event ? [event.toolCallId] : [],
    );
  expect({
    ran,
    results: results.map(({ toolCallId, status }) => [toolCallId, status]),
    calls: emitted('tool_call').sort(),
    ends: emitted('tool_result').sort(),
    hints: [results[1]?.content, results[2]?.content.includes('breaks off')],
  }).toEqual({
    ran: [
      ['look', { n: 1 }],
      ['look', { n: 5 }],
    ],
    results: [
      ['a', 'ok'],
      ['b', 'error'],
      ['c', 'error'],
      ['d', 'error'],
      ['e', 'ok'],
    ],
    calls: ['a', 'b', 'c', 'd', 'e'],
    ends: ['a', 'b', 'c', 'd', 'e'],
    hints: ['There is no tool called "lok". Did you mean look?', true],
  });
});

it('runs five reads side by side, and what has an effect in its place', async () => {
  const bench = toolBench();
  let running = 0;
  let most = 0;
  const order: string[] = [];
  const slow: ToolDefinition['run'] = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running -= 1;
    order.push('read');
    return { content: 'read' };
  };
  const write: ToolDefinition['run'] = async () => {
    order.push(`write beside ${running}`);
    return { content: 'written' };
  };
  const reads = Array.from({ length: 7 }, (_, i) => call(`r${i}`, 'read', {}));
  await run(
    bench,
    [...reads, call('w', 'write', {}), call('r9', 'read', {})],
    [
      recordingTool('read', [], { run: slow }),
      recordingTool('write', [], { effect: 'idempotent', run: write }),
    ],
  );
  expect({ most, order }).toEqual({
    most: 5,
    order: [...Array(7).fill('read'), 'write beside 0', 'read'],
  });
});

it('turns what a tool throws into a result, but lets the end of the run through', async () => {
  const bench = toolBench();
  const failing = (error: unknown) =>
    recordingTool('fail', [], { run: () => Promise.reject(error) });
  const [result] = await run(bench, [call('a', 'fail', {})], [failing(new Error('a bad day'))]);
  expect([result?.status, result?.content]).toEqual(['error', 'The tool failed: a bad day']);

  const fatal = new AppError('SANDBOX_NOT_PROVEN', 'A probe got through.');
  await expect(run(bench, [call('b', 'fail', {})], [failing(fatal)])).rejects.toBe(fatal);

  const stop = new Error('stopped');
  bench.abort.abort(stop);
  await expect(run(bench, [call('c', 'fail', {})], [failing(stop)])).rejects.toBe(stop);
});

it('cuts a long result in the middle and says how much is missing', async () => {
  const bench = toolBench();
  const text = `START${'😀'.repeat(500)}END`;
  const tool = recordingTool('long', [], {
    maxResultChars: 100,
    run: async () => ({ content: text }),
  });
  const [result] = await run(bench, [call('a', 'long', {})], [tool]);
  const event = bench.events.findLast((candidate) => candidate.type === 'tool_result');
  const content = result?.content ?? '';
  const omitted = event?.type === 'tool_result' ? (event.omittedChars ?? 0) : 0;
  expect([
    content.startsWith('START😀'),
    content.endsWith('😀END'),
    content.isWellFormed(),
    content.includes(`${omitted} characters left out`),
    content.replace(/\n\[….*…\]\n/, '').length + omitted,
  ]).toEqual([true, true, true, true, text.length]);
});

it('shows, hashes and runs the same bytes, whatever a model makes up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }), async (input) => {
      const bench = toolBench();
      const ran: [string, unknown][] = [];
      const tool = recordingTool('danger', ran, { risk: 'high', effect: 'opaque' });
      const given = { ...input, n: 1 };
      const results = run(bench, [call('a', 'danger', given)], [tool]);
      const { interruptId, argumentsText = '', argumentsSha256 = '' } = await bench.openQuestion();
      const approval = { action: 'approve', argumentsSha256, always: false } as const;
      bench.broker.respond('run_1', interruptId, approval);
      await results;
      expect(sha256(argumentsText)).toBe(argumentsSha256);
      expect(JSON.parse(argumentsText)).toEqual(JSON.parse(JSON.stringify(ran[0]?.[1])));
    }),
    trials(1000, { name: 'approved arguments', size: 200 }),
  );
});

it('asks about the calls of an answer in their order, however long each takes to describe', async () => {
  const bench = toolBench();
  const slow = recordingTool('slow', [], {
    risk: 'high',
    preview: () => new Promise((resolve) => setTimeout(() => resolve(null), 30)),
  });
  const results = run(
    bench,
    [call('a', 'slow', {}), call('b', 'quick', {})],
    [slow, recordingTool('quick', [], { risk: 'high' })],
  );
  const asked = () =>
    bench.events.flatMap((event) => (event.type === 'interrupt' ? [event.toolCallId] : []));
  await expect.poll(() => asked().length).toBe(2);
  expect(asked()).toEqual(['a', 'b']);
  bench.abort.abort(new Error('stop'));
  await expect(results).rejects.toThrow('stop');
});

it('does not run arguments that changed after they were approved', async () => {
  const bench = toolBench();
  const ran: unknown[] = [];
  const tool = recordingTool('danger', ran, { risk: 'high', effect: 'opaque' });
  const given = { nested: { path: 'a.txt' } };
  const results = run(bench, [call('a', 'danger', given)], [tool]);
  const { interruptId, argumentsSha256 = '' } = await bench.openQuestion();
  const approval = { action: 'approve', argumentsSha256, always: false } as const;
  given.nested.path = '/etc/passwd';
  bench.broker.respond('run_1', interruptId, approval);
  const [result] = await results;
  expect([ran, result?.content]).toEqual([
    [],
    'The tool failed: This call is not the one that was approved.',
  ]);
});

it('a level that is chosen while a question is open counts for the calls that nobody was asked about', async () => {
  let level: PolicyLevel | null = null;
  const bench = toolBench({ level: () => level });
  const ran: unknown[] = [];
  const results = run(
    bench,
    [call('a', 'send', {}), call('b', 'write', {}), call('c', 'look', {})],
    [
      recordingTool('send', ran, { risk: 'high', effect: 'opaque' }),
      recordingTool('write', ran, { risk: 'medium', effect: 'opaque' }),
      recordingTool('look', ran),
    ],
  );
  const first = await bench.openQuestion();
  level = 'ask_every_time';
  bench.broker.respond('run_1', first.interruptId, {
    ...{ action: 'approve', argumentsSha256: first.argumentsSha256 ?? '', always: false },
  });
  await expect.poll(() => bench.events.filter(({ type }) => type === 'interrupt').length).toBe(2);
  const second = await bench.openQuestion();
  bench.broker.respond('run_1', second.interruptId, { action: 'deny', reason: 'No.' });
  expect((await results).map(({ toolCallId, status }) => [toolCallId, status])).toEqual([
    ['a', 'ok'],
    ['b', 'denied'],
    ['c', 'ok'],
  ]);
  expect(ran).toEqual([
    ['send', {}],
    ['look', {}],
  ]);
});
