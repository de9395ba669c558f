import { describe, expect, it } from 'vitest';
import { RunSuspended } from '#main/hitl/types.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import { DurableToolLedger } from '#main/tools/durable-ledger.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import type { ToolDefinition } from '#main/tools/types.ts';
import { testGuards } from '../../fakes/fake-guards.ts';
import { knownTools, recordingTool, toolBench } from '../../fakes/fake-tools.ts';
import { call } from '../../fakes/scripted-chat-model.ts';
import { HandClock, insertRun, open, temporaryDir } from '../storage/support.ts';

function setUp() {
  const database = open(temporaryDir());
  insertRun(database);
  const ledger = new DurableToolLedger(openJournal(database.connection, new HandClock()));
  const guards = testGuards();
  const bench = toolBench({ approve: 'all', ledger, guards });
  const run = (tool: ToolDefinition, input = {}) =>
    executeToolBatch([call('a', tool.name, input)], bench.context, {
      pipeline: bench.pipeline,
      tools: knownTools([tool]),
    });
  const rows = () =>
    database.connection
      .sql<{ kind: string; payload: string }>('SELECT kind, payload FROM run_journal')
      .all()
      .map(({ kind, payload }) => ({ kind, ...(JSON.parse(payload) as object) }));
  return { ...bench, guards, database, run, rows };
}

/** A tool whose process dies in the middle of its first call. */
function dying(
  log: unknown[],
  effect: ToolDefinition['effect'],
  more: Partial<ToolDefinition> = {},
) {
  let lives = 0;
  return recordingTool('tool', log, {
    effect,
    run: async (input) => {
      lives += 1;
      log.push(input);
      if (lives === 1) throw new RunSuspended();
      return { content: `life ${lives}` };
    },
    ...more,
  });
}

describe('a call that was finished', () => {
  it('gives its stored result when its step is done again, and does nothing', async () => {
    const { run, rows } = setUp();
    const log: unknown[] = [];
    const tool = recordingTool('tool', log, { effect: 'opaque' });
    const first = await run(tool, { n: 1 });
    const second = await run(tool, { n: 1 });
    expect([log.length, second]).toEqual([1, first]);
    expect(rows()).toMatchObject([
      { kind: 'intent', effect: 'opaque' },
      { kind: 'result', content: 'tool done' },
    ]);
    await run(tool, { n: 2 });
    expect(log.length).toBe(2);
  });

  it('by failing has that as its result', async () => {
    const { run } = setUp();
    const log: unknown[] = [];
    const tool = recordingTool('tool', log, {
      effect: 'opaque',
      run: async () => {
        log.push('ran');
        throw new Error('a bad day');
      },
    });
    const [first] = await run(tool);
    const [second] = await run(tool);
    expect([log.length, first?.content, second?.content]).toEqual([
      1,
      'The tool failed: a bad day',
      'The tool failed: a bad day',
    ]);
  });
});

describe('a call with a key that became known in between', () => {
  const KEY = 'key-entered-later-123';

  it.each(['opaque', 'idempotent'] as const)(
    'gives its stored result, and does nothing: %s',
    async (effect) => {
      const { run, guards } = setUp();
      const log: unknown[] = [];
      const tool = recordingTool('tool', log, { effect });
      const [first] = await run(tool, { code: KEY });
      guards.secrets.register(KEY);
      const [second] = await run(tool, { code: KEY });
      expect([log, second?.content]).toEqual([[['tool', { code: KEY }]], first?.content]);
    },
  );

  it.each(['opaque', 'probeable'] as const)(
    'asks the user where it was interrupted, once for each attempt: %s',
    async (effect) => {
      const { run, guards, events, broker } = setUp();
      const log: unknown[] = [];
      const tool = recordingTool('tool', log, {
        effect,
        probe: async () => ({ content: 'looked for something else' }),
        run: async (input) => {
          log.push(input);
          throw new RunSuspended();
        },
      });
      await expect(run(tool, { code: KEY })).rejects.toBeInstanceOf(RunSuspended);
      guards.secrets.register(KEY);
      const asked = () => events.flatMap((e) => (e.type === 'interrupt' ? [e.interruptId] : []));
      for (const [i, value] of ['not_happened', 'happened'].entries()) {
        const again = run(tool, { code: KEY });
        await expect.poll(() => asked().length).toBe(i + 1);
        broker.respond('run_1', asked()[i] ?? '', { action: 'select', value });
        if (value === 'happened') expect((await again)[0]?.status).toBe('error');
        else await expect(again).rejects.toBeInstanceOf(RunSuspended);
      }
      expect(log).toEqual([{ code: KEY }, { code: '[redacted: key]' }]);
      expect((await run(tool, { code: KEY }))[0]?.status).toBe('error');
      expect([log.length, new Set(asked()).size]).toEqual([2, 2]);
    },
  );
});

describe('a call that was cut off', () => {
  it('is made again where that changes nothing', async () => {
    const { run } = setUp();
    const log: unknown[] = [];
    const tool = dying(log, 'idempotent');
    await expect(run(tool)).rejects.toBeInstanceOf(RunSuspended);
    expect([(await run(tool))[0]?.content, log.length]).toEqual(['life 2', 2]);
  });

  it('is probed where that is possible', async () => {
    const { run } = setUp();
    const log: unknown[] = [];
    const tool = dying(log, 'probeable', {
      before: async () => 'was there',
      probe: async (_input, { before }) => ({ content: `found: ${String(before)}` }),
    });
    await expect(run(tool)).rejects.toBeInstanceOf(RunSuspended);
    expect([(await run(tool))[0]?.content, log.length]).toEqual(['found: was there', 1]);
  });

  it.each([
    ['happened', 'error', 1],
    ['not_happened', 'ok', 2],
  ])('and left nothing to tell by is put to the person: %s', async (value, status, times) => {
    const { run, openQuestion, broker } = setUp();
    const log: unknown[] = [];
    const tool = dying(log, 'opaque');
    await expect(run(tool)).rejects.toBeInstanceOf(RunSuspended);
    const again = run(tool);
    const question = await openQuestion();
    expect(question.options.map((option) => option.value)).toEqual([
      'happened',
      'not_happened',
      'stop',
    ]);
    broker.respond('run_1', question.interruptId, { action: 'select', value });
    expect([(await again)[0]?.status, log.length]).toEqual([status, times]);
  });

  it('twice is asked about twice: what was said of the first attempt does not hold for the second', async () => {
    const { run, events, broker } = setUp();
    const log: unknown[] = [];
    const tool = recordingTool('tool', log, {
      effect: 'opaque',
      run: async () => {
        log.push('ran');
        throw new RunSuspended();
      },
    });
    await expect(run(tool)).rejects.toBeInstanceOf(RunSuspended);
    const asked = () => events.filter((event) => event.type === 'interrupt');
    const second = run(tool);
    await expect.poll(() => asked().length).toBe(1);
    const first = asked()[0];
    const answer = { action: 'select', value: 'not_happened' } as const;
    broker.respond('run_1', first?.type === 'interrupt' ? first.interruptId : '', answer);
    await expect(second).rejects.toBeInstanceOf(RunSuspended);
    const third = run(tool);
    await expect.poll(() => asked().length).toBe(2);
    const last = asked()[1];
    broker.respond('run_1', last?.type === 'interrupt' ? last.interruptId : '', {
      ...{ action: 'select', value: 'happened' },
    });
    expect([(await third)[0]?.status, log.length]).toEqual(['error', 2]);
  });

  it('ends the run where the user stops it there', async () => {
    const { run, openQuestion, broker } = setUp();
    const tool = dying([], 'opaque');
    await expect(run(tool)).rejects.toBeInstanceOf(RunSuspended);
    const again = run(tool);
    const { interruptId } = await openQuestion();
    broker.respond('run_1', interruptId, { action: 'select', value: 'stop' });
    await expect(again).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('by closing the app is known to be so, and nobody is asked', async () => {
    const { run, abort, events, rows } = setUp();
    const tool = recordingTool('tool', [], {
      effect: 'opaque',
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    });
    const running = run(tool);
    while (rows().length === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort(new RunSuspended());
    await expect(running).rejects.toBeInstanceOf(RunSuspended);
    expect(JSON.stringify(rows().at(-1))).toContain('The app was closed while this ran');
    expect(events.filter(({ type }) => type === 'interrupt')).toEqual([]);
  });
});

it('announces nothing before what only reads, and keeps what it gave', async () => {
  const { run, rows } = setUp();
  const log: unknown[] = [];
  const tool = recordingTool('tool', log);
  await run(tool);
  expect(rows()).toMatchObject([{ kind: 'result', content: 'tool done' }]);
  await run(tool);
  expect([log.length, rows().length]).toEqual([1, 1]);
});
