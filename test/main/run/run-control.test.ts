import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { RunParked } from '#main/hitl/types.ts';
import type { RunContext } from '#main/run/types.ts';
import { recordingLogger } from '../storage/support.ts';
import {
  answered,
  bench,
  nextFrame,
  plain,
  question,
  reply,
  token,
  turn,
  untilAborted,
} from './support.ts';

const KEPT = 'Everything up to here is kept: the conversation and the files of the task.';
const STOPPED = {
  type: 'error',
  code: 'CANCELLED',
  message: 'The run was stopped.',
  details: {},
  kept: KEPT,
};

const ends = (events: readonly RunEvent[]): RunEvent[] =>
  events.filter(({ type }) => type === 'complete' || type === 'error');

describe('cancelling', () => {
  test('reaches the program and ends the run once, however often it is asked', async () => {
    const { service, stores } = bench(async (context) => {
      context.emit(token('Half'));
      await nextFrame();
      return untilAborted(context);
    });
    const { run, thread } = await service.start(turn);
    await nextFrame();
    service.cancel(run.id);
    service.cancel(run.id);
    const ended = await service.settled(run.id);
    service.cancel(run.id);
    expect(ended).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } });
    expect(plain(service.events(run.id, 1, 100))).toEqual([{ ...STOPPED, seq: 2 }]);
    expect(stores.messages.listOfThread(thread.id).at(-1)?.content).toBe('Half');
  });

  test('before the first step lets the program do nothing', async () => {
    let isBegun = false;
    const { service } = bench(async () => {
      isBegun = true;
      return answered;
    });
    const { run } = await service.start(turn);
    service.cancel(run.id);
    await service.settled(run.id);
    expect([isBegun, plain(service.events(run.id, 0, 100))]).toEqual([
      false,
      [{ ...STOPPED, seq: 1 }],
    ]);
  });

  test('counts although the program was done at that moment, or failed for another reason', async () => {
    for (const outcome of [
      () => Promise.resolve(answered),
      () => Promise.reject(new AppError('TOOL_FAILED', 'x')),
      () => Promise.reject(new RunParked('int_1')),
    ]) {
      const { service } = bench(async (context) => {
        await untilAborted(context).catch(() => undefined);
        return outcome();
      });
      const { run } = await service.start(turn);
      await nextFrame();
      service.cancel(run.id);
      expect((await service.settled(run.id)).status).toBe('cancelled');
    }
  });

  test('ends a run whose program ignores it, and drops what that emits later', async () => {
    const logger = recordingLogger();
    const contexts: RunContext[] = [];
    const { service } = bench(
      (context) => {
        contexts.push(context);
        return new Promise(() => undefined);
      },
      { logger, stopGraceMs: 30 },
    );
    const { run } = await service.start(turn);
    await nextFrame();
    service.cancel(run.id);
    expect((await service.settled(run.id)).status).toBe('cancelled');
    contexts[0]?.emit(token('still here'));
    await nextFrame();
    expect(plain(service.events(run.id, 0, 100))).toEqual([{ ...STOPPED, seq: 1 }]);
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ message: 'A stopped run did not end in time' }),
    );
  });

  test('waits for what the program still emits', async () => {
    const { service } = bench(async (context) => {
      await untilAborted(context).catch(async (reason) => {
        await nextFrame();
        context.emit(token('put away'));
        throw reason;
      });
      return answered;
    });
    const { run } = await service.start(turn);
    await nextFrame();
    service.cancel(run.id);
    await service.settled(run.id);
    expect(service.events(run.id, 0, 100).map(({ type }) => type)).toEqual(['token', 'error']);
  });

  test('of a run that waits, or is parked, ends it as well', async () => {
    const waiting = bench((context) => {
      context.emit(question);
      return untilAborted(context);
    });
    const parked = bench(async ({ emit }) => {
      emit(question);
      throw new RunParked('int_1');
    });
    for (const { service } of [waiting, parked]) {
      const { run } = await service.start(turn);
      await expect.poll(() => service.get(run.id).status).toBe('waiting');
      service.cancel(run.id);
      const { status, endedAt } = await service.settled(run.id);
      expect([status, endedAt === null]).toEqual(['cancelled', false]);
      expect(plain(service.events(run.id, 1, 100))).toEqual([{ ...STOPPED, seq: 2 }]);
    }
  });

  test('of an unknown run is NOT_FOUND', async () => {
    const { service } = bench(async () => answered);
    expect(() => service.cancel('run_9')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    await expect(service.settled('run_9')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(() => service.listen('run_9', () => undefined)).toThrow('run_9');
  });
});

describe('waiting for the user', () => {
  test('shows from the question to the last answer', async () => {
    const states: string[] = [];
    const second = { ...question, interruptId: 'int_2' };
    const { service, notices } = bench(async ({ emit }) => {
      for (const step of [question, second, reply, { ...reply, interruptId: 'int_2' }]) {
        emit(step);
        await nextFrame();
        states.push(service.list()[0]?.status ?? '');
      }
      return answered;
    });
    const { run } = await service.start(turn);
    await service.settled(run.id);
    expect(states).toEqual(['waiting', 'waiting', 'waiting', 'running']);
    expect(
      notices.flatMap((notice) => (notice.kind === 'run_changed' ? [notice.run.status] : [])),
    ).toEqual(['running', 'waiting', 'running', 'completed']);
  });

  test('that is over at once shows nothing', async () => {
    const { service, notices } = bench(async ({ emit }) => {
      emit(question);
      emit(reply);
      return answered;
    });
    const { run } = await service.start(turn);
    await service.settled(run.id);
    expect(notices).not.toContainEqual(
      expect.objectContaining({ run: expect.objectContaining({ status: 'waiting' }) }),
    );
  });

  test('parks the run without an end if nobody is there', async () => {
    const { service, stores } = bench(async ({ emit }) => {
      emit(question);
      throw new RunParked('int_1');
    });
    const { run, thread } = await service.start(turn);
    const parked = await service.settled(run.id);
    expect(parked).toMatchObject({ status: 'waiting', endedAt: null, error: null, lastSeq: 1 });
    expect(service.get(run.id)).toEqual(parked);
    expect(ends(service.events(run.id, 0, 100))).toEqual([]);
    // It does not block a later turn of the same thread.
    await service.start({ ...turn, threadId: thread.id });
    expect(stores.runs.listOfThread(thread.id)).toHaveLength(2);
  });
});
