import { describe, expect, it } from 'vitest';
import type { PushMessage, RequestName } from '#contract/requests.ts';
import type { AppBridge } from '#renderer/bridge/app-bridge.ts';
import { NEW_TASK } from '#renderer/store/app-state.ts';
import { newestRun, openQuestions } from '#renderer/store/selectors.ts';
import { createSession, type Session } from '#renderer/store/session.ts';
import { CSV_RUN } from '../fakes/csv-run.ts';
import { FakeBridge } from '../fakes/fake-bridge.ts';
import { addHistory, fakeState } from '../fakes/fake-state.ts';

interface Opened {
  readonly session: Session;
  readonly fake: FakeBridge;
  /** Waits until the fake main and the frames are idle. */
  readonly rest: () => Promise<void>;
}

async function open(
  threadId: string | null = null,
  prepare?: (fake: FakeBridge) => void,
): Promise<Opened> {
  const fake = new FakeBridge(fakeState(Date.now()), CSV_RUN, 0);
  addHistory(fake, Date.now());
  prepare?.(fake);
  const bridge: AppBridge = Object.assign(fake, {
    connection: { state: () => 'open' as const, onChange: () => () => undefined },
  });
  const session = createSession({ bridge, schedule: (callback) => setTimeout(callback, 0) });
  const rest = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  };
  await session.start(threadId);
  await rest();
  return { session, fake, rest };
}

function toasts({ store }: Session): string[] {
  return store.get().toasts.map((toast) => toast.text);
}

describe('a window', () => {
  it('asks at the start for what its first screen needs, and no more', async () => {
    const { fake } = await open();
    expect(fake.requests.map(({ name }) => name)).toEqual([
      'app.info',
      'settings.get',
      'threads.list',
      'runs.waiting',
      'models.list',
    ]);
  });

  it('shows the first steps the first time, and a task when its address names one', async () => {
    const first = (fake: FakeBridge): void => {
      fake.state.settings = { ...fake.state.settings, checkupSeen: false };
    };
    expect((await open(null, first)).session.store.get().route).toEqual({ kind: 'firstStart' });
    expect((await open('t-sales', first)).session.store.get().route).toEqual({
      kind: 'task',
      threadId: 't-sales',
    });
  });

  it('sends a message, shows the question, and continues once it is answered', async () => {
    const { session, fake, rest } = await open();
    session.drafts.change(NEW_TASK, { text: '  Total it  ' });
    await session.runs.send(null);
    await rest();
    const { route } = session.store.get();
    const threadId = route.kind === 'task' ? route.threadId : null;
    const question = openQuestions(session.store.get(), threadId)[0];
    const run = newestRun(session.store.get(), threadId);
    expect([
      run?.prompt,
      question?.interruptId,
      session.store.get().drafts.get(NEW_TASK)?.text ?? '',
    ]).toEqual(['Total it', 'q1', '']);
    const waiting = session.store.get().waiting.map((one) => one.threadId);
    expect(waiting.toSorted()).toEqual(['t-wait', threadId].toSorted());
    await session.runs.respond(run?.id ?? '', 'q1', {
      ...{ action: 'approve', argumentsSha256: question?.argumentsSha256 ?? '', always: false },
    });
    await rest();
    const view = session.store.get().views.get(run?.id ?? '');
    expect([view?.end?.kind, fake.requests.at(-1)?.name]).toEqual(['complete', 'runs.unsubscribe']);
  });

  it('loses nothing when a run cannot be started', async () => {
    const { session, fake } = await open();
    fake.refuse.set('runs.start', {
      code: 'NO_MODEL',
      message: 'No model was chosen.',
      details: {},
    });
    session.drafts.change(NEW_TASK, { text: 'Total it' });
    await session.runs.send(null);
    expect([session.store.get().drafts.get(NEW_TASK)?.text, toasts(session)]).toEqual([
      'Total it',
      ['No model was chosen.'],
    ]);
  });

  it('queues a message during a run, and sends it when that ends well', async () => {
    const { session, fake, rest } = await open();
    session.drafts.change(NEW_TASK, { text: 'First' });
    await session.runs.send(null);
    await rest();
    const threadId = fake.state.threads[0]?.id ?? '';
    session.drafts.change(threadId, { text: 'Second' });
    await session.runs.send(threadId);
    session.drafts.change(threadId, { text: 'and third' });
    await session.runs.send(threadId);
    expect(session.store.get().queued.get(threadId)?.text).toBe('Second\n\nand third');
    const run = newestRun(session.store.get(), threadId);
    await session.runs.respond(run?.id ?? '', 'q1', { action: 'deny', reason: 'no' });
    await rest();
    const prompts = fake.requests
      .filter(({ name }) => name === 'runs.start')
      .map(({ input }) => (input as { prompt: string }).prompt);
    expect([prompts, session.store.get().queued.size]).toEqual([
      ['First', 'Second\n\nand third'],
      0,
    ]);
  });

  it('gives a queued message back when the run is stopped', async () => {
    const { session, fake, rest } = await open();
    session.drafts.change(NEW_TASK, { text: 'First' });
    await session.runs.send(null);
    await rest();
    const threadId = fake.state.threads[0]?.id ?? '';
    session.drafts.change(threadId, { text: 'Second' });
    await session.runs.send(threadId);
    session.drafts.change(threadId, { text: 'half a third' });
    await session.runs.cancel(newestRun(session.store.get(), threadId)?.id ?? '');
    await rest();
    expect(session.store.get().drafts.get(threadId)?.text).toBe('Second\n\nhalf a third');
  });

  it('reads the log again where a push left a gap', async () => {
    const { session, fake, rest } = await open('t-run', (made) => {
      const now = Date.now();
      const base = made.state.runs[0];
      if (base === undefined) throw new Error('no history');
      made.addLog(
        { ...base, id: 'live', threadId: 't-run', status: 'running', createdAt: now },
        [],
      );
    });
    const token = (text: string) => ({ type: 'token', messageId: 'm', text }) as const;
    fake.emit('live', [token('one ')]);
    // An event without a subscriber is only in the log.
    const listener = fake.pushes(false);
    fake.emit('live', [token('two ')]);
    listener();
    fake.emit('live', [token('three')]);
    await rest();
    const item = session.store.get().views.get('live')?.transcript.items[0];
    expect(item?.kind === 'text' ? item.source : null).toBe('one two three');
  });

  it('evicts the tasks that were shown least recently', async () => {
    const { session, rest } = await open('t-sales');
    for (const id of ['t-wait', 't-fail', 't-cancel']) {
      await session.threads.open(id);
      await rest();
    }
    const { openThreads, views } = session.store.get();
    expect([[...openThreads.keys()], [...views.keys()]]).toEqual([
      ['t-wait', 't-fail', 't-cancel'],
      ['run-t-wait', 'run-t-fail', 'run-t-cancel'],
    ]);
  });

  it('removes a deleted task from the screen, wherever it was deleted', async () => {
    const { session, fake } = await open('t-sales');
    const gone: PushMessage = { kind: 'thread_deleted', threadId: 't-sales' };
    fake.push(gone);
    const { route, threads } = session.store.get();
    const ids = 'value' in threads ? threads.value?.map(({ id }) => id) : [];
    expect([route, ids?.includes('t-sales')]).toEqual([{ kind: 'task', threadId: null }, false]);
  });

  it.each<[RequestName, (session: Session) => Promise<unknown>]>([
    ['threads.rename', (session) => session.threads.rename('t-sales', 'New')],
    ['threads.delete', (session) => session.threads.remove('t-sales')],
    ['runs.respond', (session) => session.runs.respond('r', 'i', { action: 'skip' })],
    ['runs.cancel', (session) => session.runs.cancel('r')],
    ['sandbox.build', (session) => session.settings.buildSandbox()],
  ])('says what went wrong with %s', async (name, act) => {
    const { session, fake } = await open();
    fake.refuse.set(name, { code: 'CONFLICT', message: `${name} did not work.`, details: {} });
    await act(session);
    expect(toasts(session)).toEqual([`${name} did not work.`]);
  });

  it('shows what was typed last, also where Enter is pressed before main has answered it', async () => {
    const { session, rest } = await open();
    session.threads.search('zzz');
    session.threads.search('sales');
    const isFound = await session.threads.openFirst();
    await rest();
    const { route } = session.store.get();
    session.threads.search('zzz');
    expect([isFound, route, await session.threads.openFirst()]).toEqual([
      true,
      { kind: 'task', threadId: 't-sales' },
      false,
    ]);
  });

  it('keeps the last answer of main when a search is overtaken', async () => {
    const { session, rest } = await open();
    session.threads.search('zzz');
    session.threads.search('sales');
    await rest();
    const { found, threads } = session.store.get();
    const ids = 'value' in found ? found.value?.results.map(({ thread }) => thread.id) : null;
    expect([ids, 'value' in threads && (threads.value?.length ?? 0) > 1]).toEqual([
      ['t-sales'],
      true,
    ]);
  });
});
