import { describe, expect, it } from 'vitest';
import type { BrowserState } from '#contract/browser.ts';
import { AppError } from '#contract/errors.ts';
import { browserRequests } from '#main/api/browser.ts';
import type { Subscriber } from '#main/api/types.ts';
import type { BrowserService } from '#main/browser/types.ts';
import { fakeCaller } from '../../fakes/app/fake-app.ts';

function closedBrowser(threadId: string): BrowserState {
  return {
    ...{ threadId, isOpen: false, control: 'nobody', tabs: [], tabId: null, isLoading: false },
    ...{ viewport: { width: 1280, height: 800 }, mark: null, dialog: null },
    ...{ chooser: null, problem: null },
  };
}

/** A service that writes down what it is asked for. */
function recordingService() {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (threadId: string, ...rest: unknown[]): Promise<BrowserState> => {
      calls.push([name, threadId, ...rest]);
      return Promise.resolve({ ...closedBrowser(threadId), isOpen: true, control: 'user' });
    };
  const service = {
    state: closedBrowser,
    watch: (threadId, viewer) => void calls.push(['watch', threadId, viewer]),
    unwatch: (threadId, viewer) => void calls.push(['unwatch', threadId, viewer]),
    drawn: (threadId, number, viewer) => void calls.push(['drawn', threadId, number, viewer]),
    take: note('take'),
    handBack: note('handBack'),
    input: async (...call) => void (await note('input')(...call)),
    selection: async (threadId) => {
      calls.push(['selection', threadId]);
      return { text: 'Ulm', canCut: false };
    },
    giveFiles: note('giveFiles'),
    go: note('go'),
    close: note('close'),
  } satisfies Partial<BrowserService>;
  return { calls, service: service as unknown as BrowserService };
}

function openApi(isElsewhere = false) {
  const { calls, service } = recordingService();
  const threads = {
    get: (id: string) => {
      if (id !== 'thr_1') throw new AppError('NOT_FOUND', 'There is no task with this id.');
      return { id } as never;
    },
  };
  return { calls, api: browserRequests({ browsers: service, threads, isElsewhere }) };
}

const task = { threadId: 'thr_1' };
const inputs = [{ type: 'text' as const, text: 'Ulm' }];

/** Every request that needs a task, made for this one. */
function everyRequest({ api }: ReturnType<typeof openApi>, threadId: string) {
  return {
    watch: () => api['browser.watch']({ threadId }, fakeCaller),
    take: () => api['browser.control']({ threadId, action: 'take' }),
    handBack: () => api['browser.control']({ threadId, action: 'hand_back' }),
    input: () => api['browser.input']({ threadId, inputs }),
    selection: () => api['browser.selection']({ threadId }),
    giveFiles: () => api['browser.giveFiles']({ threadId, chooserId: 'c', files: [] }),
    go: () => api['browser.go']({ threadId, to: 'back' }),
    close: () => api['browser.close']({ threadId }),
  };
}

const codeOf = async (make: () => unknown): Promise<unknown> => {
  try {
    await make();
    return null;
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
};

describe('requests about browsers', () => {
  it('pass on what they ask for, with the window that watches', async () => {
    const opened = openApi();
    const { api, calls } = opened;
    const window: Subscriber = { ...fakeCaller, showFrame: () => undefined };
    expect(await api['browser.watch'](task, window)).toEqual(closedBrowser('thr_1'));
    await api['browser.drawn']({ ...task, number: 7 }, window);
    expect(await api['browser.control']({ ...task, action: 'take' })).toMatchObject({
      control: 'user',
    });
    await api['browser.input']({ ...task, inputs });
    expect(await api['browser.selection'](task)).toEqual({ text: 'Ulm', canCut: false });
    const file = { name: 'a.txt', mimeType: 'text/plain' };
    const files = [{ ...file, data: btoa('words') }];
    await api['browser.giveFiles']({ ...task, chooserId: 'chooser_1', files });
    await api['browser.go']({ ...task, to: { url: 'example.com' } });
    await api['browser.control']({ ...task, action: 'hand_back' });
    await api['browser.unwatch'](task, window);
    await api['browser.close'](task);
    expect(calls).toEqual([
      ['watch', 'thr_1', window],
      ['drawn', 'thr_1', 7, window],
      ['take', 'thr_1'],
      ['input', 'thr_1', inputs],
      ['selection', 'thr_1'],
      [
        'giveFiles',
        'thr_1',
        { chooserId: 'chooser_1', files: [{ ...file, bytes: Buffer.from('words') }] },
      ],
      ['go', 'thr_1', { url: 'example.com' }],
      ['handBack', 'thr_1', { showTyped: false }],
      ['unwatch', 'thr_1', window],
      ['close', 'thr_1'],
    ]);
  });

  it('know no task that does not exist', async () => {
    const opened = openApi();
    const all = { ...everyRequest(opened, 'thr_2'), state: () => stateOf(opened, 'thr_2') };
    for (const [name, make] of Object.entries(all)) {
      expect([name, await codeOf(make)]).toEqual([name, 'NOT_FOUND']);
    }
    expect(opened.calls).toEqual([]);
  });

  it('act only in the process that has the browsers; elsewhere the state says where that is', async () => {
    const opened = openApi(true);
    for (const [name, make] of Object.entries(everyRequest(opened, 'thr_1'))) {
      expect([name, await codeOf(make)]).toEqual([name, 'CONFLICT']);
    }
    expect(opened.calls).toEqual([]);
    expect(stateOf(opened, 'thr_1')).toMatchObject({
      isOpen: false,
      problem: expect.stringContaining('Use it there.'),
    });
  });
});

function stateOf({ api }: ReturnType<typeof openApi>, threadId: string) {
  return api['browser.state']({ threadId });
}
