import { expect, it, onTestFinished } from 'vitest';
import { openConversation } from '../../fakes/conversation.ts';
import { recordingTool } from '../../fakes/fake-tools.ts';
import type { WireStepInput } from '../../fakes/model-server/options.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';

/** Pausing, resuming, retrying, forking and editing, over the real executor, log and model layer. */

const MODEL = { provider: 'ollama', name: 'x' } as const;
const use = (n: number): WireStepInput => ({ call: { name: 'note', arguments: { n } } });

interface Turn {
  readonly when?: { readonly round?: number; readonly turn?: number; readonly user?: string };
  readonly times?: 'always';
  readonly steps: readonly WireStepInput[];
}

async function setUp(turns: readonly Turn[]) {
  const server = await startModelServer({
    models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
    turns: turns.map((turn) => ({ ...turn, steps: [...turn.steps] })),
  });
  onTestFinished(() => server.close());
  const ran: unknown[] = [];
  let hold: Promise<void> | null = null;
  const note = recordingTool('note', ran, {
    effect: 'opaque',
    run: async (input) => {
      await hold;
      ran.push((input as { n: number }).n);
      return { content: `noted ${(input as { n: number }).n}` };
    },
  });
  const conversation = await openConversation(server, { contextWindow: 8192, tools: [note] });
  const start = async (prompt = 'Go') =>
    conversation.api['runs.start']({
      ...{ prompt, attachmentIds: [], options: { model: MODEL, approve: 'all' } },
    });
  /** The conversation of the newest request: its roles, and the words of people. */
  const request = (i = -1) => {
    const body = server.recording.to('/api/chat').at(i)?.json as {
      messages: { role: string; content: string }[];
    };
    return body.messages.slice(1);
  };
  return {
    ...{ ...conversation, server, ran, start, request },
    holdTools: () => {
      const held = Promise.withResolvers<void>();
      hold = held.promise;
      return held.resolve;
    },
  };
}

it('pauses after the current step, without cutting it off, and resumes', async () => {
  const { runs, start, ran, holdTools, server } = await setUp([
    { when: { round: 0 }, times: 'always', steps: [use(1)] },
    { when: { round: 1 }, times: 'always', steps: [use(2)] },
    { when: { round: 2 }, times: 'always', steps: [{ text: 'Done.' }] },
  ]);
  const letGo = holdTools();
  const { run } = await start();
  await expect
    .poll(() => runs.events(run.id, 0, 100).some((e) => e.type === 'tool_call'))
    .toBe(true);
  runs.pause(run.id);
  letGo();
  expect((await runs.settled(run.id)).status).toBe('paused');
  expect(ran).toEqual([1]);
  const asked = server.recording.to('/api/chat').length;
  runs.resume(run.id);
  const ended = await runs.settled(run.id);
  expect([ended.status, ran]).toEqual(['completed', [1, 2]]);
  expect(server.recording.to('/api/chat').length - asked).toBe(2);
  const events = runs.events(run.id, 0, 100);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.filter((event) => event.type === 'complete')).toHaveLength(1);
  expect(() => runs.resume(run.id)).toThrow('has ended');
  expect(() => runs.pause(run.id)).toThrow('has ended');
});

it('pauses in the middle of an answer, which is requested again', async () => {
  const { runs, start } = await setUp([
    { when: { round: 0 }, steps: [{ text: 'Half of', whole: true }, { delay: 60_000 }] },
    { when: { round: 0 }, steps: [{ text: 'Half of it all.' }] },
  ]);
  const { run } = await start();
  await expect.poll(() => runs.events(run.id, 0, 100).some((e) => e.type === 'token')).toBe(true);
  runs.pause(run.id);
  expect((await runs.settled(run.id)).status).toBe('paused');
  runs.resume(run.id);
  await runs.settled(run.id);
  const said = runs
    .events(run.id, 0, 100)
    .flatMap((event) => (event.type === 'token' ? [event.text] : []))
    .join('');
  expect(said).toBe('Half of it all.');
});

it('resumes with its own conversation, whatever the task was asked while it was paused', async () => {
  const { runs, api, start, request, ran } = await setUp([
    { when: { user: 'First', round: 0 }, steps: [use(1)] },
    { when: { user: 'First', round: 1 }, steps: [{ delay: 60_000 }] },
    { when: { user: 'Second' }, steps: [{ text: 'That was quick.' }] },
    { when: { user: 'First', round: 1 }, steps: [{ text: 'Done.' }] },
    { when: { user: 'Third' }, steps: [{ text: 'Well.' }] },
  ]);
  const { run, thread } = await start('First');
  // The second request is on its way: its answer is the one that is broken off.
  await expect.poll(() => request().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  runs.pause(run.id);
  expect((await runs.settled(run.id)).status).toBe('paused');
  const second = await api['runs.start']({
    ...{ threadId: thread.id, prompt: 'Second', attachmentIds: [] },
    options: { model: MODEL, approve: 'all' },
  });
  expect((await runs.settled(second.run.id)).status).toBe('completed');
  runs.resume(run.id);
  expect([(await runs.settled(run.id)).status, ran]).toEqual(['completed', [1]]);
  expect(request().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  const third = await api['runs.start']({
    ...{ threadId: thread.id, prompt: 'Third', attachmentIds: [] },
    options: { model: MODEL, approve: 'all' },
  });
  await runs.settled(third.run.id);
  // Both answers are in the conversation, each once.
  const said = request().flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
  expect(said).toEqual(['', 'That was quick.', 'Done.']);
});

it('retries the last step of a failed run, with everything that was done before it', async () => {
  const { runs, api, start, ran, request } = await setUp([
    { when: { round: 0 }, steps: [use(1)] },
    { when: { round: 1 }, steps: [{ refuse: { status: 400, body: '{"error":"a bad day"}' } }] },
    { when: { round: 1 }, steps: [{ text: 'Done.' }] },
  ]);
  const { run, thread } = await start();
  expect((await runs.settled(run.id)).status).toBe('failed');
  const again = api['runs.retry']({ runId: run.id }).run;
  expect(again).toMatchObject({ threadId: thread.id, origin: { kind: 'retry', runId: run.id } });
  expect((await runs.settled(again.id)).status).toBe('completed');
  expect(request().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(ran).toEqual([1]);
  expect(() => api['runs.retry']({ runId: run.id })).toThrow('last run');
  expect(() => api['runs.retry']({ runId: again.id })).toThrow('failed');
});

it('forks at a complete round: the rounds before are not requested again, those after are', async () => {
  const { runs, api, start, ran, request, copied } = await setUp([
    { when: { round: 0 }, times: 'always', steps: [use(1)] },
    { when: { round: 1 }, times: 'always', steps: [use(2)] },
    { when: { round: 2 }, times: 'always', steps: [{ text: 'Done.' }] },
  ]);
  const first = await start('First turn');
  await runs.settled(first.run.id);
  const second = await api['runs.start']({
    ...{ threadId: first.thread.id, prompt: 'Second turn', attachmentIds: [] },
    options: { model: MODEL, approve: 'all' },
  });
  await runs.settled(second.run.id);
  const log = runs.events(second.run.id, 0, 100);
  const results = log.flatMap(({ type, seq }) => (type === 'tool_result' ? [seq] : []));
  // In the middle of the second round: what is whole is the first one.
  const { run, thread } = await api['runs.fork']({
    runId: second.run.id,
    seq: (results[1] ?? 0) - 1,
  });
  expect([run.status, run.lastSeq, copied]).toEqual([
    'paused',
    results[0],
    [[first.thread.id, thread.id]],
  ]);
  ran.length = 0;
  runs.resume(run.id);
  expect((await runs.settled(run.id)).status).toBe('completed');
  expect(ran).toEqual([2]);
  // Of the fork's two requests the first one holds the copied past: two turns, one round of the second.
  expect(request(-2).map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
    ...['user', 'assistant', 'tool'],
  ]);
  expect(runs.events(second.run.id, 0, 100)).toEqual(log);
  const copy = runs.list().filter(({ threadId }) => threadId === thread.id);
  expect(copy.map(({ prompt }) => prompt)).toEqual(['Second turn', 'First turn']);
  await expect(api['runs.fork']({ runId: run.id, seq: 10_000 })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  const whole = await api['runs.fork']({ runId: first.run.id, seq: 0 });
  expect(whole.run).toMatchObject({ lastSeq: 0, origin: { messages: 1 } });
});

it('runs an edited message in a new task, after everything that was before it', async () => {
  const { runs, api, start, request } = await setUp([
    { times: 'always', steps: [{ text: 'Well.' }] },
  ]);
  const first = await start('One');
  await runs.settled(first.run.id);
  const second = await api['runs.start']({
    ...{ threadId: first.thread.id, prompt: 'Two', attachmentIds: [] },
    options: { model: MODEL, approve: 'all' },
  });
  await runs.settled(second.run.id);
  const { run, thread } = await api['runs.edit']({
    runId: second.run.id,
    prompt: 'Two, but better',
  });
  await runs.settled(run.id);
  expect([thread.id === first.thread.id, run.origin?.kind]).toEqual([false, 'edit']);
  const words = request().map(({ role, content }) => [role, content.split('\n')[0]]);
  expect(words).toEqual([
    ['user', 'One'],
    ['assistant', 'Well.'],
    ['user', 'Two, but better'],
  ]);
  expect(runs.list().filter(({ threadId }) => threadId === first.thread.id)).toHaveLength(2);
});

it('drops the questions of a run that ended', async () => {
  const { runs, api, start } = await setUp([{ times: 'always', steps: [{ text: 'Well.' }] }]);
  const { run } = await start();
  await runs.settled(run.id);
  expect(() =>
    api['runs.respond']({ runId: run.id, interruptId: 'int_1', response: { action: 'skip' } }),
  ).toThrow('has ended');
});

it('names a question that a run does not have', async () => {
  const { runs, api, start } = await setUp([{ times: 'always', steps: [{ text: 'Well.' }] }]);
  const { run } = await start();
  await runs.settled(run.id);
  const input = { runId: run.id, interruptId: 'int_1', argumentsText: '{}' };
  expect(() => api['runs.review'](input)).toThrow(/^This run has no question "int_1"\.$/);
});
