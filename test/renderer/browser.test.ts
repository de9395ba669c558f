import { describe, expect, it } from 'vitest';
import type { BrowserInput } from '#contract/browser.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { AppBridge } from '#renderer/bridge/app-bridge.ts';
import { PageInputs } from '#renderer/panels/browser/page-inputs.ts';
import { foldEvents } from '#renderer/store/fold-events.ts';
import { emptyRunView } from '#renderer/store/run-view.ts';
import { hasWork } from '#renderer/store/selectors.ts';
import { createSession } from '#renderer/store/session.ts';
import { addBrowsing, BROWSING_TASK } from '../fakes/browsing-run.ts';
import { CSV_RUN } from '../fakes/csv-run.ts';
import { FakeBridge } from '../fakes/fake-bridge.ts';
import { fakeState } from '../fakes/fake-state.ts';
import { log } from './events.ts';

async function openTask() {
  const fake = new FakeBridge(fakeState(Date.now()), CSV_RUN, 0);
  addBrowsing(fake, Date.now());
  const bridge: AppBridge = Object.assign(fake, {
    connection: { state: () => 'open' as const, onChange: () => () => undefined },
  });
  const session = createSession({ bridge, schedule: (callback) => setTimeout(callback, 0) });
  await session.start(BROWSING_TASK);
  await session.browsers.load(BROWSING_TASK);
  const browser = () => session.store.get().browsers.get(BROWSING_TASK);
  return { fake, session, browser };
}

describe('the browser of a task in the store', () => {
  it('follows the changes of open tasks only, and is gone with its task', async () => {
    const { fake, session, browser } = await openTask();
    expect(browser()).toMatchObject({ control: 'agent', isOpen: true });
    fake.browser.change(BROWSING_TASK, { control: 'user' });
    expect(browser()).toMatchObject({ control: 'user' });
    fake.browser.change('t-old', { isOpen: true });
    expect([...session.store.get().browsers.keys()]).toEqual([BROWSING_TASK]);
    session.browsers.open(BROWSING_TASK);
    fake.push({ kind: 'thread_deleted', threadId: BROWSING_TASK });
    expect(session.store.get()).toMatchObject({ browsers: new Map(), browserTabs: new Set() });
  });

  it('keeps nothing of a picture: it is drawn, and then the next one is asked for', async () => {
    const { fake, session } = await openTask();
    const drawn: number[] = [];
    const stop = session.browsers.watch(
      BROWSING_TASK,
      async ({ number }) => void drawn.push(number),
    );
    await expect.poll(() => fake.browser.drawn).toEqual([1]);
    const before = session.store.get();
    fake.browser.change(BROWSING_TASK, before.browsers.get(BROWSING_TASK) ?? {});
    await expect.poll(() => fake.browser.drawn).toEqual([1, 2]);
    const frame = { threadId: BROWSING_TASK, number: 3, data: 'canary==' };
    const state = session.store.get();
    fake.push({ kind: 'browser_frame', frame });
    fake.push({ kind: 'browser_frame', frame: { ...frame, threadId: 't-old' } });
    expect(session.store.get()).toBe(state);
    expect(drawn).toEqual([1, 2, 3]);
    stop();
    fake.push({ kind: 'browser_frame', frame: { ...frame, number: 4 } });
    expect(drawn).toEqual([1, 2, 3]);
    expect(fake.requests.filter(({ name }) => name === 'browser.unwatch').length).toBe(1);
  });

  it('says why control could not be taken', async () => {
    const { fake, session } = await openTask();
    fake.browser.change(BROWSING_TASK, { problem: 'Install Chrome.', isOpen: false });
    expect(await session.browsers.control(BROWSING_TASK, 'take')).toBe(false);
    expect(session.store.get().toasts.map(({ text }) => text)).toEqual(['Install Chrome.']);
  });

  it('is work to show once a tab was asked for', async () => {
    const { session } = await openTask();
    await session.threads.open('t-cancel');
    expect(hasWork(session.store.get(), 't-cancel')).toBe(false);
    session.browsers.open('t-cancel');
    expect(hasWork(session.store.get(), 't-cancel')).toBe(true);
  });
});

it('folds actions into steps, each in its last state, and brings the tab forward', () => {
  const act = (actionId: string, status: 'running' | 'completed' | 'failed'): RunEventDraft => ({
    ...{ type: 'browser_action', actionId, action: 'click', status },
    ...(status === 'running' ? { target: `Button ${actionId}` } : {}),
  });
  const view = foldEvents(
    emptyRunView('run'),
    log([act('a', 'running'), act('b', 'running'), act('b', 'failed'), act('a', 'completed')]),
  );
  expect(view.browser.actions).toMatchObject([
    { actionId: 'a', status: 'completed', target: 'Button a' },
    { actionId: 'b', status: 'failed', target: 'Button b' },
  ]);
  expect([view.browser.version, view.workspace.suggested]).toEqual([4, 'browser']);
  expect(view.transcript.items).toEqual([]);
});

describe('inputs on their way to a page', () => {
  const move = (x: number): BrowserInput => ({
    ...{ type: 'mouse_move', x, y: 0, button: 'left', clicks: 0 },
  });
  const key = (name: string): BrowserInput => ({
    ...{ type: 'key_down', key: name, code: '', modifiers: [] },
  });
  const wheel = (dy: number): BrowserInput => ({ type: 'wheel', x: 0, y: 0, dx: 1, dy });

  function collect() {
    const sent: (readonly BrowserInput[])[] = [];
    const frames: (() => void)[] = [];
    const answers: (() => void)[] = [];
    const inputs = new PageInputs({
      send: (all) => {
        sent.push(all);
        return new Promise((resolve) => answers.push(resolve));
      },
      schedule: (callback) => frames.push(callback),
    });
    return { sent, frames, answers, inputs };
  }

  it('go in order, moves and turns as one, one request at a time', async () => {
    const { sent, frames, answers, inputs } = collect();
    for (const one of [move(1), move(2), key('a'), wheel(5), wheel(9_999), move(3)])
      inputs.add(one);
    expect([sent.length, frames.length]).toEqual([0, 1]);
    frames.shift()?.();
    expect(sent).toEqual([[move(2), key('a'), { ...wheel(10_000), dx: 2 }, move(3)]]);
    inputs.add(key('b'));
    expect(frames.length).toBe(0);
    answers.shift()?.();
    await expect.poll(() => frames.length).toBe(1);
    frames.shift()?.();
    expect(sent[1]).toEqual([key('b')]);
  });

  it('wait for what is done between them, and come after what that returns', async () => {
    const { sent, frames, answers, inputs } = collect();
    const work = Promise.withResolvers<readonly BrowserInput[]>();
    inputs.add(key('a'));
    let begun = false;
    inputs.between(() => {
      begun = true;
      return work.promise;
    });
    inputs.add(key('c'));
    frames.shift()?.();
    expect([sent, begun]).toEqual([[[key('a')]], false]);
    answers.shift()?.();
    await expect.poll(() => frames.length).toBe(1);
    frames.shift()?.();
    expect([sent.length, begun]).toEqual([1, true]);
    work.resolve([key('b')]);
    await expect.poll(() => frames.length).toBe(1);
    frames.shift()?.();
    expect(sent[1]).toEqual([key('b'), key('c')]);
  });

  it('are split where they are more than a request takes', async () => {
    const { sent, frames, answers, inputs } = collect();
    for (let n = 0; n < 120; n += 1) inputs.add(key(`${n}`));
    while (sent.flat().length < 120) {
      await expect.poll(() => frames.length).toBe(1);
      frames.shift()?.();
      answers.shift()?.();
    }
    expect(sent.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(sent.flat().map((one) => ('key' in one ? one.key : ''))).toEqual(
      Array.from({ length: 120 }, (_, n) => `${n}`),
    );
  });
});
