import { expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import type { ToolDefinition, ToolOutput } from '#main/tools/types.ts';
import { knownTools, recordingTool, toolBench } from '../../fakes/fake-tools.ts';
import { call } from '../../fakes/scripted-chat-model.ts';

/** Step 4 of the pipeline: a read that fails for a reason of the moment is tried again, an effect never. */

const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const fetchFailed = new AppError('FETCH_FAILED', 'a.test could not be read.', { cause: reset });

/** Runs one call of a tool that gives these in turn: errors are thrown. */
async function runWith(effect: ToolDefinition['effect'], gives: readonly (ToolOutput | Error)[]) {
  const bench = toolBench({ approve: 'all' });
  let runs = 0;
  const tool = recordingTool('look', [], {
    effect,
    run: async () => {
      const given = gives[runs] ?? new Error('It was run too often');
      runs += 1;
      if (given instanceof Error) throw given;
      return given;
    },
  });
  const [result] = await executeToolBatch([call('a', 'look', {})], bench.context, {
    ...{ pipeline: bench.pipeline, tools: knownTools([tool]) },
  });
  const stages = bench.events.flatMap((event) =>
    event.type === 'stage' ? [[event.status, event.description]] : [],
  );
  const results = bench.events.filter(({ type }) => type === 'tool_result').length;
  return { runs, status: result?.status, content: result?.content, stages, results };
}

it.each<[string, ToolOutput | Error]>([
  ['a connection that broke', fetchFailed],
  ['a name server that was busy', Object.assign(new Error('x'), { code: 'EAI_AGAIN' })],
  ['what says so itself', new AppError('SEARCH_FAILED', 'No.', { details: { transient: true } })],
  ['an answer that says so', { content: 'The server answered 503.', ok: false, transient: true }],
])('a read is tried again, once and visibly: %s', async (_name, failure) => {
  const found = await runWith('read', [failure, { content: 'Here it is.' }]);
  expect(found).toEqual({
    ...{ runs: 2, status: 'ok', content: 'Here it is.', results: 1 },
    stages: [
      ['running', expect.stringMatching(/^look failed for the moment and is tried again: ./)],
      ['completed', 'look was tried again'],
    ],
  });
});

it('a second failure is the result', async () => {
  const found = await runWith('read', [fetchFailed, fetchFailed, { content: 'Too late.' }]);
  expect([found.runs, found.status, found.results]).toEqual([2, 'error', 1]);
  expect(found.stages.map(([status]) => status)).toEqual(['running', 'failed']);
});

it.each<[string, ToolOutput | Error]>([
  ['a page that is not there', { content: 'The server answered 404.', ok: false }],
  ['a refusal', new AppError('EGRESS_DENIED', 'No.')],
  ['a fault', new TypeError('x is not a function')],
  ['a time-out', new AppError('FETCH_FAILED', 'It took longer than 20 s.')],
])('what will not be gone in a moment is not tried again: %s', async (_name, failure) => {
  const found = await runWith('read', [failure, { content: 'Here it is.' }]);
  expect([found.runs, found.status, found.stages]).toEqual([1, 'error', []]);
});

it.each(['idempotent', 'probeable', 'opaque'] as const)(
  'what may have had an effect is never tried again: %s',
  async (effect) => {
    const found = await runWith(effect, [fetchFailed, { content: 'Twice!' }]);
    expect([found.runs, found.status]).toEqual([1, 'error']);
    const told = await runWith(effect, [
      { content: 'No.', ok: false, transient: true },
      { content: 'Twice!' },
    ]);
    expect([told.runs, told.status]).toEqual([1, 'error']);
  },
);

it('an abort ends the pause before the second attempt', async () => {
  const bench = toolBench({ approve: 'all' });
  const controller = new AbortController();
  let runs = 0;
  const tool = recordingTool('look', [], {
    run: async () => {
      runs += 1;
      setTimeout(() => controller.abort(new Error('the user stopped it')), 20);
      throw fetchFailed;
    },
  });
  const context = { ...bench.context, signal: controller.signal };
  await expect(
    executeToolBatch([call('a', 'look', {})], context, {
      ...{ pipeline: bench.pipeline, tools: knownTools([tool]) },
    }),
  ).rejects.toThrow('the user stopped it');
  expect(runs).toBe(1);
});
