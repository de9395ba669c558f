import { describe, expect, it } from 'vitest';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import { REVIEWED_TEA, TEA } from '../fakes/markdown-skill.ts';
import { ask, complete, listFiles, load, steppingModel } from '../fakes/stepping-model.ts';
import { ANSWER, openTea, refusals, results, TURN, walk } from '../fakes/tea-bench.ts';

/** What a model may do around a checkpoint, over the real app and HTTP. */

const write = (path: string) => ({
  name: 'sandbox_file',
  arguments: { operation: 'write', path, content: 'made' },
});
const DENIED: InterruptResponse = { action: 'deny', reason: 'Not this.' };

/** What the model read as the answer to its checkpoint. */
const replyIn = (played: Awaited<ReturnType<Awaited<ReturnType<typeof openTea>>['turn']>>) =>
  JSON.parse(
    played.of('tool_result').find(({ name }) => name === 'request_human_approval')?.content ?? '{}',
  );

describe('a checkpoint outside a skill', () => {
  it('that the user cancels ends the run: the model may explain, and nothing more is done', async () => {
    const { bench, turn } = await openTea([
      walk([ask('target')], [write('late.txt')], [write('later.txt')], [ask('again')]),
    ]);
    const played = await turn(TURN, {}, { target: DENIED });
    expect(replyIn(played)).toEqual({ approved: false, status: 'cancelled', reason: 'Not this.' });
    expect(results(played)).toEqual([
      ['request_human_approval', 'ok'],
      ['sandbox_file', 'TOOL_DENIED'],
    ]);
    expect(played.answer).toBe(
      'You stopped this at a checkpoint. No more calls were made after that.',
    );
    expect(played.of('interrupt')).toHaveLength(1);
    expect(await bench.file(played.run.threadId, 'late.txt')).toBeNull();
  });

  it('leaves the last word to a model that ends, and the next turn is free', async () => {
    const { bench, turn } = await openTea([
      walk([ask('target')]),
      { when: 'Again', rounds: [[write('now.txt')]], answer: 'Written.' },
    ]);
    const played = await turn(TURN, {}, { target: DENIED });
    expect([played.run.status, played.answer, bench.requests.length]).toEqual([
      ...['completed', ANSWER, 2],
    ]);
    const { threadId } = played.run;
    await turn('Again', { threadId });
    expect(await bench.file(threadId, 'now.txt')).toBe('made');
  });

  it('that the user cancelled stays cancelled where the run is tried again', async () => {
    const step = steppingModel([walk([ask('target')], [write('late.txt')])]);
    let isFirst = true;
    const bench = await openAppBench((request) => {
      const isDenied = request.messages.at(-1)?.content?.includes('"approved":false') === true;
      if (isDenied && isFirst) {
        // The model was about to say what was done.
        isFirst = false;
        const [{ id = '' } = {}] = api['threads.list']({}).threads;
        for (const { id: runId } of api['threads.get']({ threadId: id }).runs) {
          api['runs.cancel']({ runId });
        }
      }
      return step(request);
    });
    const { api } = bench.app;
    const { id } = await bench.start(TURN, { approve: 'all' });
    await expect.poll(() => api['runs.waiting']().questions).toHaveLength(1);
    const [{ interruptId = '' } = {}] = api['runs.waiting']().questions;
    await api['runs.respond']({ runId: id, interruptId, response: DENIED });
    expect((await bench.settled(id)).run.status).toBe('cancelled');
    const again = await bench.settled(api['runs.retry']({ runId: id }).run.id);
    expect(results(again)).toEqual([['sandbox_file', 'TOOL_DENIED']]);
    expect(await bench.file(again.run.threadId, 'late.txt')).toBeNull();
  });

  it('comes first in its answer: effects beside it do not run, wherever they stand', async () => {
    const { bench, turn } = await openTea([
      walk(
        [write('before.txt'), listFiles, ask('target'), write('after.txt')],
        [write('then.txt')],
      ),
    ]);
    const played = await turn(TURN, {});
    expect(results(played)).toEqual([
      ['sandbox_file', 'TOOL_DENIED'],
      ['sandbox_file', 'ok'],
      ['request_human_approval', 'ok'],
      ['sandbox_file', 'TOOL_DENIED'],
      ['sandbox_file', 'ok'],
    ]);
    const { threadId } = played.run;
    const files = ['before.txt', 'after.txt', 'then.txt'];
    expect(await Promise.all(files.map((name) => bench.file(threadId, name)))).toEqual([
      ...[null, null, 'made'],
    ]);
  });

  it('takes an answer in words', async () => {
    const params = { question_count: 10, types: ['choice', 'essay'] };
    const asks = {
      name: 'request_human_approval',
      arguments: { checkpoint: 'exam', summary: 'Ten?', params },
    };
    const text = 'question_count = 15, and no essays please';
    const { turn } = await openTea([walk([asks])]);
    const played = await turn(TURN, {}, { exam: { action: 'input', text } });
    expect(replyIn(played)).toMatchObject({
      ...{ approved: true, status: 'modified', said: text, overrides: { question_count: 15 } },
      params: { ...params, question_count: 15 },
    });
    const refused = await turn(TURN, {}, { exam: { action: 'input', text: 'No, thanks.' } });
    expect(replyIn(refused)).toMatchObject({ approved: false, status: 'cancelled' });
  });
});

describe('a checkpoint of a step', () => {
  const FREE = { ...TEA, 'SKILL.md': TEA['SKILL.md']?.replace(/allowed-tools.*\n/, '') ?? '' };

  it('holds effects until it is answered; reading is free', async () => {
    const { bench, turn } = await openTea(
      [walk([load()], [write('early.txt')], [listFiles], [ask('tea_params')], [write('ok.txt')])],
      FREE,
    );
    const played = await turn(TURN);
    expect(results(played).slice(1, 5)).toEqual([
      ['sandbox_file', 'TOOL_DENIED'],
      ['sandbox_file', 'ok'],
      ['request_human_approval', 'ok'],
      ['sandbox_file', 'ok'],
    ]);
    expect(refusals(played).map(({ why }) => why)[0]).toContain('has the checkpoint tea_params');
    const { threadId } = played.run;
    expect(await bench.file(threadId, 'early.txt')).toBeNull();
    expect(await bench.file(threadId, 'ok.txt')).toBe('made');
  });

  it('that is marked as a review may come after what it is about', async () => {
    const { turn } = await openTea(
      [walk([load()], [write('draft.txt')], [complete(1)], [ask('tea_params')], [complete(1)])],
      REVIEWED_TEA,
    );
    const played = await turn(TURN);
    expect(results(played).slice(1, 5)).toEqual([
      ['sandbox_file', 'ok'],
      ['complete_skill_step', 'SKILL_STEP_SKIPPED'],
      ['request_human_approval', 'ok'],
      ['complete_skill_step', 'ok'],
    ]);
  });
});
