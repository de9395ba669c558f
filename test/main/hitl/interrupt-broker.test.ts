import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { exactPattern, matchesPattern } from '#main/hitl/rule-pattern.ts';
import { RunParked } from '#main/hitl/types.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { testGuards } from '../../fakes/fake-guards.ts';
import { knownTools, memoryInterrupts, recordingTool, toolBench } from '../../fakes/fake-tools.ts';
import { call } from '../../fakes/scripted-chat-model.ts';
import { trials } from '../../setup/sampling.ts';

let nextCall = 1;

const anyCall = { toolName: 'danger', match: 'arguments', threadId: null } as const;

function risky(bench: ReturnType<typeof toolBench>, input = { n: 1 }) {
  const ran: unknown[] = [];
  const tools = knownTools([recordingTool('danger', ran, { risk: 'high', effect: 'opaque' })]);
  const results = executeToolBatch([call(`c${nextCall++}`, 'danger', input)], bench.context, {
    pipeline: bench.pipeline,
    tools,
  });
  return { ran, results };
}

const codeOf = (run: () => void): string => {
  try {
    run();
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it('runs what was approved, and answers once', async () => {
  const bench = toolBench();
  const { ran, results } = risky(bench);
  const { interruptId, argumentsSha256 = '', argumentsText } = await bench.openQuestion();
  const approve: InterruptResponse = { action: 'approve', argumentsSha256, always: false };
  const codes = [
    codeOf(() => bench.broker.respond('run_2', interruptId, approve)),
    codeOf(() =>
      bench.broker.respond('run_1', interruptId, { ...approve, argumentsSha256: 'f'.repeat(64) }),
    ),
    codeOf(() => bench.broker.respond('run_1', interruptId, { action: 'select', value: 'x' })),
    ran.length,
    codeOf(() => bench.broker.respond('run_1', interruptId, approve)),
    codeOf(() => bench.broker.respond('run_1', interruptId, approve)),
    codeOf(() => bench.broker.respond('run_1', 'int_none', approve)),
  ];
  const [result] = await results;
  expect({ codes, ran, argumentsText, status: result?.status }).toEqual({
    codes: [
      'NOT_FOUND',
      'APPROVAL_MISMATCH',
      'BAD_REQUEST',
      0,
      'accepted',
      'ALREADY_ANSWERED',
      'NOT_FOUND',
    ],
    ran: [['danger', { n: 1 }]],
    argumentsText: '{"n":1}',
    status: 'ok',
  });
});

it('tells the model why the user denied, and runs nothing', async () => {
  const bench = toolBench();
  const { ran, results } = risky(bench);
  const { interruptId } = await bench.openQuestion();
  bench.broker.respond('run_1', interruptId, { action: 'deny', reason: 'Not on a Friday.' });
  const [result] = await results;
  expect([ran, result?.status, result?.content.includes('Not on a Friday.')]).toEqual([
    [],
    'denied',
    true,
  ]);
});

it('closes the earlier question about a call when a secret in it becomes known', async () => {
  const interrupts = memoryInterrupts();
  const guards = testGuards();
  const tools = knownTools([recordingTool('danger', [], { risk: 'high', effect: 'opaque' })]);
  const ask = (attended: boolean) => {
    const bench = toolBench({ attended, guards, broker: { interrupts } });
    const { pipeline } = bench;
    const calls = [call('later', 'danger', { code: 'key-entered-later-123' })];
    return { bench, results: executeToolBatch(calls, bench.context, { pipeline, tools }) };
  };
  await expect(ask(false).results).rejects.toBeInstanceOf(RunParked);
  const [before] = interrupts.open();
  guards.secrets.register('key-entered-later-123');
  await expect(ask(false).results).rejects.toBeInstanceOf(RunParked);
  const open = interrupts.open();
  expect(open.map(({ question }) => question.argumentsText)).toEqual([
    '{"code":"[redacted: key]"}',
  ]);
  expect(open[0]?.id).not.toBe(before?.id);
});

it('turns "always" into a rule for the same call in the same task, and no other', async () => {
  const bench = toolBench();
  const first = risky(bench);
  const { interruptId, argumentsSha256 = '' } = await bench.openQuestion();
  bench.broker.respond('run_1', interruptId, { action: 'approve', argumentsSha256, always: true });
  await first.results;
  expect(bench.rules.list().map(({ threadId }) => threadId)).toEqual(['thr_1']);
  const second = risky(bench);
  expect((await second.results)[0]?.status).toBe('ok');
  const asked = bench.events.filter((event) => event.type === 'interrupt').length;
  const third = risky(bench, { n: 2 });
  while (bench.events.filter((event) => event.type === 'interrupt').length === asked) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(third.ran).toEqual([]);
  bench.abort.abort(new Error('stop'));
  await expect(third.results).rejects.toThrow('stop');
});

it('lets a rule that denies win over one that approves', async () => {
  const bench = toolBench({ approve: 'all' });
  bench.rules.put({ ...anyCall, pattern: '*', decision: 'approve' });
  bench.rules.put({ ...anyCall, pattern: '*"n":1*', decision: 'deny' });
  const { ran, results } = risky(bench);
  expect([(await results)[0]?.status, ran]).toEqual(['denied', []]);
});

it.each([
  ['never', 'denied', 2],
  ['all', 'ok', 0],
] as const)('answers by the policy %s', async (approve, status, questions) => {
  const bench = toolBench({ approve });
  const { results } = risky(bench);
  const [result] = await results;
  const emitted = bench.events.filter(({ type }) => type.startsWith('interrupt'));
  expect([result?.status, emitted.length]).toEqual([status, questions]);
});

it('parks the run if nobody is there, with the question in the log', async () => {
  const bench = toolBench({ attended: false });
  const { ran, results } = risky(bench);
  await expect(results).rejects.toBeInstanceOf(RunParked);
  expect([ran, bench.events.map(({ type }) => type)]).toEqual([[], ['interrupt']]);
});

it('matches patterns as text, whatever is in them', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, other) => {
      expect(matchesPattern(exactPattern(text), text)).toBe(true);
      expect(matchesPattern(exactPattern(text), other)).toBe(text === other);
      expect(matchesPattern(`${exactPattern(text)}*${exactPattern(other)}`, text + other)).toBe(
        true,
      );
    }),
    trials(2000, { name: 'patterns of rules', size: 400 }),
  );
});

it.each([
  ['{"code":*,"language":"python"}', '{"code":"1","language":"python"}', true],
  ['{"code":*,"language":"python"}', '{"code":"1","language":"bash"}', false],
  [
    '{"code":*,"language":"python"}',
    '{"code":"\\",\\"language\\":\\"python\\"}","language":"bash"}',
    false,
  ],
  ['a*b*c', 'axbxc', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
])('pattern %s on %s: %s', (pattern, text, expected) => {
  expect(matchesPattern(pattern, text)).toBe(expected);
});
