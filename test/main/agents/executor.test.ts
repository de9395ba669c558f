import { expect, it } from 'vitest';
import { Executor } from '#main/agents/executor.ts';
import type { AgentContext } from '#main/agents/types.ts';
import { branchStep, RUN_STEP } from '#main/base/step-path.ts';
import type { ChatMessage } from '#main/models/types.ts';
import { DurableToolLedger } from '#main/tools/durable-ledger.ts';
import type { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import type { ToolDefinition } from '#main/tools/types.ts';
import { callParts, knownTools, recordingTool, toolBench } from '../../fakes/fake-tools.ts';
import { fitterFor } from '../../fakes/fitter.ts';
import { memoryJournal } from '../../fakes/memory-journal.ts';
import { call, ScriptedChatModel, type ScriptedReply } from '../../fakes/scripted-chat-model.ts';

function start(
  replies: ScriptedReply[],
  tools: ToolDefinition[] = [],
  more: Partial<AgentContext> = {},
  stored = memoryJournal(),
) {
  const bench = toolBench({ approve: 'all', ledger: new DurableToolLedger(stored.journal) });
  const model = new ScriptedChatModel(replies);
  const recorded: ChatMessage[] = [];
  const known = knownTools(tools);
  const executor = new Executor({
    catalogue: { forAgent: () => known } as unknown as ToolCatalogue,
    pipeline: bench.pipeline,
    ...stored,
  });
  const { runId, threadId, approve, sandbox, egress, signal, emit, broker } = bench.context;
  const context: AgentContext = {
    ...{ runId, threadId, approve, sandbox, egress, signal, emit, model, maxRounds: 50 },
    ...{ ...callParts(), broker, roundsBefore: 0, executionMode: 'standard' },
    ...{
      branch: RUN_STEP,
      repeatsBeforeHint: 3,
      errorsBeforeReplan: 5,
      connectorShare: 0.05,
      tier: async () => model,
      vision: async () => model,
    },
    fitter: fitterFor(model, { signal, emit }),
    openFitter: () => fitterFor(model, { signal, emit }),
    record: ({ messages }) => void recorded.push(...messages),
    ...more,
  };
  const outcome = executor.run([{ role: 'user', content: 'Do it' }], context);
  return { ...bench, model, recorded, outcome };
}

/** Calls of the transcript without a result: servers reject them. */
function orphans(messages: readonly ChatMessage[]): string[] {
  const answered = new Set(messages.flatMap((m) => (m.role === 'tool' ? [m.toolCallId] : [])));
  return messages
    .flatMap((m) => (m.role === 'assistant' ? (m.toolCalls ?? []) : []))
    .filter((made) => !answered.has(made.id))
    .map((made) => made.id);
}

it('reasons, acts and completes, with requests that only grow at their end', async () => {
  const ran: unknown[] = [];
  const { outcome, model, recorded, events } = start(
    [
      { reasoning: 'Look first.', toolCalls: [call('a', 'look', { n: 1 })] },
      { content: 'Again.', toolCalls: [call('a', 'look', { n: 2 })] },
      { content: 'Done.' },
    ],
    [recordingTool('look', ran)],
  );
  const made = (n: number) => ({
    name: 'look',
    arguments: { n },
    status: 'ok',
    content: 'look done',
  });
  expect(await outcome).toEqual({
    ...{ answer: 'Done.', rounds: 3, toolCalls: 2 },
    calls: [made(1), made(2)],
  });
  const grows = model.requests.every(
    (body, i) => i === 0 || body.startsWith((model.requests[i - 1] ?? '').slice(0, -1)),
  );
  const ids = events.flatMap((event) => (event.type === 'tool_call' ? [event.toolCallId] : []));
  expect({
    ran,
    grows,
    orphans: orphans(recorded),
    ids: new Set(ids).size,
    roles: recorded.map((message) => message.role),
    types: events.map((event) => event.type),
  }).toEqual({
    ran: [
      ['look', { n: 1 }],
      ['look', { n: 2 }],
    ],
    grows: true,
    orphans: [],
    ids: 2,
    roles: ['assistant', 'tool', 'assistant', 'tool', 'assistant'],
    types: [
      ...['reasoning', 'usage', 'tool_call', 'tool_result'],
      ...['token', 'usage', 'tool_call', 'tool_result'],
      ...['token', 'usage'],
    ],
  });
});

it('numbers what its calls find; calls within a call number nothing', async () => {
  const numbers: unknown[] = [];
  const find = recordingTool('find', [], {
    run: async (input, { sources, toolCallId, invoke, signal }) => {
      const { n = 0 } = input as { n?: number };
      const added = sources?.add([{ url: `https://a.example/${n}`, title: 'A' }], toolCallId);
      numbers.push([n, added?.numbers]);
      if (n === 2) await invoke({ name: 'find', arguments: { n: 9 } }, signal);
      return { content: 'found', events: added?.events ?? [] };
    },
  });
  const { outcome, events } = start(
    [
      { toolCalls: [call('a', 'find', { n: 1 })] },
      { toolCalls: [call('b', 'find', { n: 2 })] },
      { toolCalls: [call('c', 'find', { n: 1 })] },
      { content: 'Done.' },
    ],
    [find],
    { commit: (work) => work(), sandbox: { beside: () => ({}) } as never },
  );
  await outcome;
  expect(numbers).toEqual([
    [1, [1]],
    [2, [2]],
    [9, undefined],
    [1, [1]],
  ]);
  expect(events.flatMap((one) => (one.type === 'source' ? [one.index] : []))).toEqual([1, 2, 1]);
});

it('waits for the disk after each round, and not before it first asks the model', async () => {
  const waits: string[] = [];
  const persisted: (() => void)[] = [];
  const commit = (work: () => void): void => {
    for (const earlier of persisted.splice(0)) earlier();
    work();
    waits.push(`after ${bench.model.requests.length} requests and ${ran.length} effects`);
  };
  const ran: unknown[] = [];
  const replies = [{ toolCalls: [call('a', 'write', {})] }, { content: 'Done.' }];
  const bench = start(replies, [recordingTool('write', ran)], {
    ...{ commit, persist: (work) => void persisted.push(work) },
  });
  await bench.outcome;

  expect(waits).toEqual(['after 1 requests and 1 effects', 'after 2 requests and 1 effects']);
});

it('runs no call of an answer that was cut, and keeps its text', async () => {
  const ran: unknown[] = [];
  const { outcome, recorded } = start(
    [{ content: 'Half of', finish: 'length', toolCalls: [call('a', 'look', {})] }],
    [recordingTool('look', ran)],
  );
  await expect(outcome).rejects.toMatchObject({ code: 'MODEL_OUTPUT_INCOMPLETE' });
  expect([ran, recorded]).toEqual([[], [{ role: 'assistant', content: 'Half of' }]]);
});

it('nudges a model once if it returns nothing', async () => {
  const { outcome } = start([{}, { content: 'Here.' }]);
  expect((await outcome).answer).toBe('Here.');
  await expect(start([{}, {}]).outcome).rejects.toMatchObject({ code: 'MODEL_OUTPUT_INCOMPLETE' });
});

it('stops at the round limit', async () => {
  const replies = Array.from({ length: 9 }, (_, i) => ({
    toolCalls: [call(`c${i}`, 'look', { n: i })],
  }));
  const { outcome, model } = start(replies, [recordingTool('look', [])], { maxRounds: 4 });
  await expect(outcome).rejects.toMatchObject({ code: 'ROUND_LIMIT' });
  expect(model.requests.length).toBe(4);
});

it('hints at a model that repeats itself, and gives up on one that only fails', async () => {
  const same = (i: number) => ({ toolCalls: [call(`c${i}`, 'look', {})] });
  const hinted = start(
    [same(0), same(1), same(2), { content: 'Ok.' }],
    [recordingTool('look', [])],
  );
  await hinted.outcome;
  expect(hinted.recorded.filter((message) => message.role === 'user').length).toBe(1);
  const failing = Array.from({ length: 9 }, (_, i) => ({
    toolCalls: [call(`c${i}`, 'none', { i })],
  }));
  const given = start(failing, [recordingTool('look', [])]);
  await expect(given.outcome).rejects.toMatchObject({ code: 'MODEL_REPEATS_FAILURES' });
  expect([given.model.requests.length, orphans(given.recorded)]).toEqual([5, []]);
});

it('reaches a running tool with a cancel, and leaves no call without a result', async () => {
  let aborted = false;
  let begun: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const wait: ToolDefinition['run'] = (_input, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(signal.reason);
      });
      begun();
    });
  const calls = [call('a', 'wait', {}), call('b', 'wait', {})];
  const tools = [recordingTool('wait', [], { effect: 'opaque', run: wait })];
  const { outcome, abort, recorded } = start([{ toolCalls: calls }], tools);
  await running;
  abort.abort(new Error('enough'));
  await expect(outcome).rejects.toThrow('enough');
  expect([aborted, orphans(recorded), recorded.length]).toEqual([true, [], 3]);
});

it('runs the given first calls before it asks the model, and continues with their results', async () => {
  const ran: unknown[] = [];
  const { outcome, model, recorded } = start(
    [{ content: 'Done by the skill.' }],
    [recordingTool('invoke_skill', ran)],
    { firstCalls: [{ name: 'invoke_skill', arguments: { n: 7 } }] },
  );
  expect(await outcome).toMatchObject({ answer: 'Done by the skill.', toolCalls: 1 });
  expect([ran, model.requests.length]).toEqual([[['invoke_skill', { n: 7 }]], 1]);
  expect(model.requests[0]).toContain('invoke_skill done');
  expect(recorded.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
});

it('keeps the work of branches apart, so that two never collide', async () => {
  const idIn = async (branch: AgentContext['branch']): Promise<string[]> => {
    const replies = [{ toolCalls: [call('a', 'look', {})] }, { content: 'Done.' }];
    const { outcome, events } = start(replies, [recordingTool('look', [])], { branch });
    await outcome;
    return events.flatMap((event) => {
      if (event.type === 'token') return [event.messageId];
      return event.type === 'tool_call' ? [event.toolCallId] : [];
    });
  };
  const root = await idIn(RUN_STEP);
  const step = await idIn(branchStep(RUN_STEP, 'step', 'build'));
  expect([root.length, new Set([...root, ...step]).size]).toEqual([2, 4]);
  expect(step).toContain('run_1-mstep-build/2');
});

it('gives the same outcome again after it ended, from rounds that are stored once', async () => {
  const stored = memoryJournal();
  const replies = [{ toolCalls: [call('a', 'look', {})] }, { content: 'The lake is deep.' }];
  const first = start(replies, [recordingTool('look', [])], {}, stored);
  const outcome = await first.outcome;
  const again = start([], [recordingTool('look', [])], { resumed: true }, stored);
  const kinds = stored.connection
    .sql<{ kind: string }>("SELECT kind FROM run_journal WHERE payload LIKE '%The lake is deep.%'")
    .all()
    .map(({ kind }) => kind);
  expect({ again: await again.outcome, asked: again.model.requests.length, kinds }).toEqual({
    ...{ again: outcome, asked: 0, kinds: ['answer'] },
  });
});
