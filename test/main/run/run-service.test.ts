import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { RunContext } from '#main/run/types.ts';
import { recordingLogger, someOptions } from '../storage/support.ts';
import { answered, bench, nextFrame, plain, token, turn, untilAborted } from './support.ts';

const KEPT = 'Everything up to here is kept: the conversation and the files of the task.';
describe('a run that reaches its answer', () => {
  test('is logged, published, stored as a message, and shown in its thread', async () => {
    const { service, stores, notices, clock } = bench(async ({ emit }) => {
      emit(token('Do'));
      emit(token('ne.'));
      await nextFrame();
      return { ...answered, rounds: 2, toolCalls: 1 };
    });
    const { run, thread } = await service.start({ ...turn, prompt: '  \n 汇总 sales\nby region ' });
    const heard: RunEvent[] = [];
    service.listen(run.id, (events) => heard.push(...events));
    const ended = await service.settled(run.id);
    const { time } = clock;
    expect(plain(heard)).toEqual([
      { ...token('Done.'), seq: 1 },
      {
        type: 'complete',
        outcome: 'completed',
        answer: 'Done.',
        durationMs: expect.any(Number),
        rounds: 2,
        toolCalls: 1,
        seq: 2,
      },
    ]);
    // Byte for byte: a script sees the same line now and later.
    expect(JSON.stringify(service.events(run.id, 0, 100))).toBe(JSON.stringify(heard));
    expect(run).toMatchObject({ status: 'running', startedAt: time, lastSeq: 0, endedAt: null });
    expect(ended).toEqual({ ...run, status: 'completed', endedAt: time, lastSeq: 2 });
    expect(service.get(run.id)).toEqual(ended);
    expect(stores.messages.listOfThread(thread.id)).toMatchObject([
      { runId: run.id, role: 'user', content: '  \n 汇总 sales\nby region ', attachments: [] },
      { runId: run.id, role: 'assistant', content: 'Done.' },
    ]);
    expect(notices.map((notice) => ('run' in notice ? notice.run.status : notice.kind))).toEqual([
      'thread_changed',
      'running',
      'completed',
      'thread_changed',
    ]);
    expect(stores.threads.get(thread.id)).toMatchObject({
      title: '汇总 sales',
      status: 'completed',
    });
  });

  test('may be unverified', async () => {
    const { service } = bench(async () => ({ ...answered, outcome: 'unverified' }));
    const { run } = await service.start(turn);
    expect(await service.settled(run.id)).toMatchObject({ status: 'unverified', error: null });
  });

  test('cannot be ended by its program a second time', async () => {
    const logger = recordingLogger();
    const late: Array<() => void> = [];
    const { service } = bench(
      async ({ emit }) => {
        emit({ type: 'error', code: 'INTERNAL', message: 'no', details: {} });
        late.push(() => emit(token('after the end')));
        return answered;
      },
      { logger },
    );
    const { run } = await service.start(turn);
    await service.settled(run.id);
    for (const emit of late) emit();
    await nextFrame();
    expect(service.events(run.id, 0, 100).map(({ type }) => type)).toEqual(['complete']);
    expect(logger.lines.map(({ level }) => level)).toContain('error');
  });

  test('has its attachments in the workspace, and in the log, before the program starts', async () => {
    const seen: RunContext[] = [];
    const { service } = bench(async (context) => {
      seen.push(context);
      return answered;
    });
    const attachments = [{ name: 'a.csv', hostPath: '/somewhere/a.csv' }];
    const { run } = await service.start({ ...turn, attachments });
    await service.settled(run.id);
    expect(seen[0]?.message.attachments).toEqual([{ name: 'a.csv', path: 'a.csv', size: 3 }]);
    expect(plain(service.events(run.id, 0, 1))).toEqual([
      {
        type: 'workspace_update',
        operation: 'create',
        path: 'a.csv',
        size: 3,
        origin: 'attachment',
        seq: 1,
      },
    ]);
  });
});

describe('a run that fails', () => {
  test('reports its code, and keeps its partial answer', async () => {
    const { service, stores } = bench(async ({ emit }) => {
      emit(token('I will look. ', 'm1'));
      emit(token('Half an ans', 'm2'));
      throw new AppError('MODEL_STREAM_BROKEN', 'It broke off.', { details: { at: 'x' } });
    });
    const { run, thread } = await service.start(turn);
    const ended = await service.settled(run.id);
    const error = { code: 'MODEL_STREAM_BROKEN', message: 'It broke off.' };
    expect([ended.status, ended.error]).toEqual(['failed', error]);
    expect(plain(service.events(run.id, 2, 100))).toEqual([
      { type: 'error', ...error, details: { at: 'x' }, kept: KEPT, seq: 3 },
    ]);
    expect(stores.messages.listOfThread(thread.id).at(-1)).toMatchObject({
      role: 'assistant',
      content: 'Half an ans',
    });
  });

  test('because of a bug is INTERNAL, and the log has the cause', async () => {
    const logger = recordingLogger();
    const bug = new TypeError('undefined is not a function');
    const { service } = bench(() => Promise.reject(bug), { logger });
    const { run } = await service.start(turn);
    expect((await service.settled(run.id)).error?.code).toBe('INTERNAL');
    expect(logger.lines).toContainEqual({
      level: 'error',
      message: 'A run failed because of a bug',
      fields: { runId: run.id, error: bug },
    });
  });

  test('in the middle of a call keeps no words from before the call as an answer', async () => {
    const { service, stores } = bench(async ({ emit }) => {
      emit(token('I will look.'));
      emit({
        type: 'tool_call',
        toolCallId: 'c',
        name: 'shell_command',
        arguments: {},
        risk: 'low',
        effect: 'opaque',
        agent: 'executor',
        round: 1,
      });
      throw new AppError('SANDBOX_LOST', 'It died.');
    });
    const { run, thread } = await service.start(turn);
    await service.settled(run.id);
    expect(stores.messages.listOfThread(thread.id).map(({ role }) => role)).toEqual(['user']);
  });

  test('because of an event that cannot be stored has an end as well', async () => {
    const { service } = bench(async (context) => {
      context.emit(token('before'));
      await nextFrame();
      const output = { size: 10n };
      context.emit({
        type: 'tool_call',
        toolCallId: 'c',
        name: 'n',
        arguments: output,
        risk: 'low',
        effect: 'read',
        agent: 'executor',
        round: 1,
      });
      return untilAborted(context);
    });
    const { run } = await service.start(turn);
    expect(await service.settled(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL' },
      lastSeq: 2,
    });
    expect(service.events(run.id, 0, 10).map(({ type }) => type)).toEqual(['token', 'error']);
  });

  test('at once, when its program throws before it waits', async () => {
    const { service } = bench(() => {
      throw new AppError('NO_MODEL', 'No model was chosen.');
    });
    const { run } = await service.start(turn);
    expect(await service.settled(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'NO_MODEL' },
    });
  });

  test('past its time limit says so', async () => {
    const { service } = bench(untilAborted);
    const options = { ...someOptions, timeoutSeconds: 0.05 };
    const { run } = await service.start({ ...turn, options });
    expect(await service.settled(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'RUN_TIMED_OUT' },
    });
  });

  test('is not stopped early by a limit longer than any timer', async () => {
    const { service } = bench(async ({ signal }) => {
      await nextFrame();
      signal.throwIfAborted();
      return answered;
    });
    const options = { ...someOptions, timeoutSeconds: 10_000_000 };
    const { run } = await service.start({ ...turn, options });
    expect((await service.settled(run.id)).status).toBe('completed');
  });
});

describe('threads', () => {
  test('have one active run at a time; other threads are free', async () => {
    const { service } = bench(untilAborted);
    const { thread } = await service.start(turn);
    const again = { ...turn, threadId: thread.id };
    await expect(service.start(again)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(service.deleteThread(thread.id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await service.start(turn);
    expect(service.list().map(({ status }) => status)).toEqual(['running', 'running']);
  });

  test('continue with a second turn after the first', async () => {
    const { service, stores } = bench(async () => answered);
    const { run, thread } = await service.start(turn);
    await service.settled(run.id);
    const second = await service.start({ ...turn, threadId: thread.id, prompt: 'More' });
    await service.settled(second.run.id);
    expect(second.thread).toMatchObject({ id: thread.id, title: 'Do it' });
    expect(stores.messages.listOfThread(thread.id).map(({ content }) => content)).toEqual([
      'Do it',
      'Done.',
      'More',
      'Done.',
    ]);
  });

  test('are renamed and deleted with their workspace, and windows are notified', async () => {
    const { service, stores, notices, removed } = bench(async () => answered);
    const { run, thread } = await service.start(turn);
    await service.settled(run.id);
    notices.length = 0;
    const renamed = service.renameThread(thread.id, 'Better');
    await service.deleteThread(thread.id);
    expect(notices).toEqual([
      { kind: 'thread_changed', thread: renamed },
      { kind: 'thread_deleted', threadId: thread.id },
    ]);
    expect([renamed.title, stores.threads.list(), service.list(), removed]).toEqual([
      'Better',
      [],
      [],
      [thread.id],
    ]);
    await expect(service.deleteThread(thread.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(service.start({ ...turn, threadId: thread.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('are not created if a file cannot be imported', async () => {
    const { service, stores, removed } = bench(async () => answered, {
      importAttachments: () => Promise.reject(new AppError('ATTACHMENT_UNREADABLE', 'a.csv')),
    });
    const attachments = [{ name: 'a.csv', hostPath: '/a.csv' }];
    await expect(service.start({ ...turn, attachments })).rejects.toMatchObject({
      code: 'ATTACHMENT_UNREADABLE',
    });
    expect([stores.threads.list(), stores.runs.list(), removed.length]).toEqual([[], [], 1]);
  });
});

test('closing suspends every run until the next start, waits for it, and accepts no new one', async () => {
  const { service } = bench(untilAborted);
  const { run } = await service.start(turn);
  const other = await service.start(turn);
  await service.dispose();
  const rested = [run.id, other.run.id].map((id) => {
    const { status, endedAt, lastSeq } = service.get(id);
    return { status, endedAt, lastSeq };
  });
  const still = { status: 'running', endedAt: null, lastSeq: 0 };
  expect(rested).toEqual([still, still]);
  await expect(service.start(turn)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a listener of notices that throws affects no run', async () => {
  const { service } = bench(async () => answered);
  service.onNotice(() => {
    throw new Error('bug');
  });
  const { run } = await service.start(turn);
  expect((await service.settled(run.id)).status).toBe('completed');
});

describe('what a run left in the background', () => {
  const ended: string[] = [];
  const endPrograms = async (_threadId: string, runId: string): Promise<void> =>
    void ended.push(runId);

  test('continues when the run is done', async () => {
    ended.length = 0;
    const { service } = bench(async () => answered, { endPrograms });
    const { run } = await service.start(turn);
    await service.settled(run.id);
    expect(ended).toEqual([]);
  });

  test('ends when the run is stopped, even if its program ignores that, and again when it has ended', async () => {
    ended.length = 0;
    const { service } = bench(untilAborted, { endPrograms });
    const { run } = await service.start(turn);
    service.cancel(run.id);
    expect(ended).toEqual([run.id]);
    await service.settled(run.id);
    expect(ended).toEqual([run.id, run.id]);
  });

  test('ends when the run fails, before the next one can start', async () => {
    const ending = Promise.withResolvers<void>();
    const { service } = bench(
      async () => {
        throw new AppError('MODEL_OVERLOADED', 'It is busy.');
      },
      { endPrograms: () => ending.promise },
    );
    const { run } = await service.start(turn);
    await expect.poll(() => service.get(run.id).status).toBe('failed');
    const again = { ...turn, threadId: run.threadId };
    await expect(service.start(again)).rejects.toMatchObject({ code: 'CONFLICT' });
    ending.resolve();
    await service.settled(run.id);
    await service.start(again);
  });
});
