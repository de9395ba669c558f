import type { Run } from '#contract/entities.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { FakeBridge } from './fake-bridge.ts';
import { fakeThread } from './fake-thread.ts';

export const BROWSING_TASK = 't-browse';
export const BROWSING_RUN = 'run-t-browse';

const SITE = 'https://trains.example/';

function step(
  actionId: string,
  action: string,
  more: { readonly target?: string; readonly url?: string; readonly failed?: boolean } = {},
): RunEventDraft[] {
  const { failed = false, ...facts } = more;
  const begun = { type: 'browser_action', actionId, action, ...facts } as const;
  return [
    { ...begun, status: 'running' },
    { ...begun, status: failed ? 'failed' : 'completed' },
  ];
}

/** Adds a running task that looks for a train in its browser. */
export function addBrowsing(fake: FakeBridge, now: number): void {
  const title = 'Find a train to Ulm on Friday';
  const at = now - 60_000;
  fake.state.threads.unshift(fakeThread({ id: BROWSING_TASK, title, at, status: 'running' }));
  const run: Run = {
    ...{ id: BROWSING_RUN, threadId: BROWSING_TASK, status: 'running', prompt: title },
    options: {
      mode: 'task',
      model: { provider: 'ollama', name: 'qwen3:8b' },
      ...{ sandbox: 'auto', network: 'open', allowHosts: [], executionMode: 'standard' },
      ...{ approve: 'ask', timeoutSeconds: null },
    },
    ...{ createdAt: at, startedAt: at, endedAt: null, lastSeq: 0, error: null, origin: null },
  };
  fake.state.messages.push({
    ...{ id: 'message-browse', threadId: BROWSING_TASK, runId: run.id, role: 'user' },
    ...{ content: title, attachments: [], createdAt: at },
  });
  fake.addLog(run, [
    ...step('b1', 'navigate', { url: SITE }),
    ...step('b2', 'click', { target: 'Accept\u202e all', url: SITE, failed: true }),
    ...step('b3', 'type', { target: 'From', url: SITE }),
    ...step('b4', 'type', { target: 'To', url: `${SITE}?${'from=Bonn&'.repeat(30)}` }),
    step('b5', 'click', { target: 'Search', url: SITE })[0] as RunEventDraft,
  ]);
  fake.browser.openPage(BROWSING_TASK, { title: 'Timetable', url: `${SITE}timetable` });
  fake.browser.openPage(BROWSING_TASK, { title: 'Book a train', url: `${SITE}?to=Ulm` });
  fake.browser.change(BROWSING_TASK, {
    control: 'agent',
    mark: { x: 64, y: 680, width: 260, height: 76 },
  });
}
