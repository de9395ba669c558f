import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RunParked } from '#main/hitl/types.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { knownTools, memoryInterrupts, recordingTool, toolBench } from '../../fakes/fake-tools.ts';
import { call } from '../../fakes/scripted-chat-model.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function ask(bench: ReturnType<typeof toolBench>, ran: unknown[] = []) {
  const tools = knownTools([recordingTool('danger', ran, { risk: 'high', effect: 'opaque' })]);
  return executeToolBatch([call('a', 'danger', {})], bench.context, {
    pipeline: bench.pipeline,
    tools,
  });
}

it('parks the run after the attention time; a later answer still counts', async () => {
  const interrupts = memoryInterrupts();
  const bench = toolBench({ broker: { interrupts } });
  const ran: unknown[] = [];
  const parked = ask(bench, ran);
  const { interruptId, argumentsSha256 = '', attentionMs } = await bench.openQuestion();
  expect(attentionMs).toBe(120_000);
  vi.advanceTimersByTime(119_999);
  expect(interrupts.open()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await expect(parked).rejects.toBeInstanceOf(RunParked);
  bench.broker.respond('run_1', interruptId, { action: 'approve', argumentsSha256, always: false });
  const [result] = await ask(bench, ran);
  expect([ran.length, result?.status]).toEqual([1, 'ok']);
});

it('counts as denied if the user set it so, and a later answer is refused as late', async () => {
  const bench = toolBench({ broker: { onTimeout: () => 'deny' } });
  const ran: unknown[] = [];
  const results = ask(bench, ran);
  const { interruptId, argumentsSha256 = '' } = await bench.openQuestion();
  vi.advanceTimersByTime(120_000);
  const [result] = await results;
  expect([ran, result?.status, result?.content]).toEqual([
    [],
    'denied',
    expect.stringContaining('Nobody answered in time.'),
  ]);
  expect(() =>
    bench.broker.respond('run_1', interruptId, {
      action: 'approve',
      argumentsSha256,
      always: false,
    }),
  ).toThrow('answered already');
});
