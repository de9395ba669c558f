import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TaskApp } from '#contract/apps.ts';
import type { Message } from '#contract/entities.ts';
import type { SnapshotChange } from '#contract/workspace.ts';
import { AppStates, type AppStatesParts } from '#main/apps/app-states.ts';
import type { StoredSnapshot } from '#main/storage/types.ts';

/** Which snapshots of a task are states of its app, and when a picture of one is taken. */

const TASK = 'task';
const URL = 'http://0123456789abcdef.localhost:1/';
const jpeg = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Snapshots by what is in the files, oldest first; a run is named where there is one. */
function open(given: readonly (Partial<StoredSnapshot> & { readonly content: string })[]) {
  const snapshots = given.map(
    ({ content, ...fields }, index): StoredSnapshot => ({
      ...{ id: `s${index + 1}`, threadId: TASK, at: index, cause: 'step', runId: 'r1', seq: 5 },
      ...{ files: 1, bytes: 1, created: 0, modified: 1, deleted: 0, leftOut: [], leftOutCount: 0 },
      ...{ manifestSha256: `${content} ${index}`, ownSha256: content },
      ...fields,
    }),
  );
  const pictures = new Map<string, Uint8Array>();
  let changed: SnapshotChange[] | null = [];
  let stale: string[] = [];
  const taking: PromiseWithResolvers<Uint8Array>[] = [];
  const signals: AbortSignal[] = [];
  const announced: string[] = [];
  const prompts = { r1: 'Build it' };
  const parts: AppStatesParts = {
    snapshots: {
      list: () => snapshots.toReversed(),
      newest: () => snapshots.at(-1) ?? null,
      get: (_threadId, wanted) => {
        const found = snapshots.find(({ id }) => id === wanted);
        if (found === undefined) throw new Error(`There is no ${wanted}.`);
        return found;
      },
    },
    changedSinceNewest: async () => changed,
    pictures: {
      put: (_threadId, content, picture) => void pictures.set(content, picture),
      get: (_threadId, content) => pictures.get(content) ?? null,
      pictured: () => new Set(pictures.keys()),
    },
    turnOf: (runId) => runId.replace(/ again$/, ''),
    messages: {
      listOfThread: () =>
        [
          { runId: 'r1', role: 'user', content: prompts.r1 },
          { runId: 'r1', role: 'assistant', content: 'Built.' },
          { runId: 'r2', role: 'user', content: 'Make it blue' },
        ] as unknown as Message[],
    },
    apps: {
      state: (threadId) => ({ threadId, previewUrl: URL }) as never,
      preview: () => ({ host: 'x', connect: () => undefined as never }),
      stale: async () => stale,
    },
    takePicture: ({ signal }) => {
      const one = Promise.withResolvers<Uint8Array>();
      signal.addEventListener('abort', () => one.reject(signal.reason));
      taking.push(one);
      signals.push(signal);
      return one.promise;
    },
    onChange: ({ threadId }) => announced.push(threadId),
    logger: { info: () => undefined, warn: () => undefined },
  };
  const states = new AppStates(parts);
  return {
    ...{ states, snapshots, pictures, taking, signals, announced, prompts },
    setChanged: (path: string) => {
      changed = [{ path, kind: 'modified', size: 1 }];
    },
    /** The newest snapshot may not have all that the model did. */
    setWorking: () => {
      changed = null;
    },
    setStale: (...files: string[]) => {
      stale = files;
    },
    restart: () => {
      for (const server of ['stopped', 'starting'] as const) {
        states.appChanged({ threadId: TASK, server } as TaskApp);
      }
    },
    list: async () =>
      (await states.list(TASK)).map(({ snapshotId, by, prompt, isCurrent }) =>
        [snapshotId, by, prompt ?? '-', ...(isCurrent ? ['now'] : [])].join(' '),
      ),
    /** Begins to take a picture; false where none is wanted. */
    begin: async () => {
      const before = taking.length;
      states.look(TASK);
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      return taking.length > before;
    },
    end: async (picture: Uint8Array) => {
      taking.at(-1)?.resolve(picture);
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    },
  };
}

describe('the states of an app', () => {
  it('are those after each turn, and what the user did between turns', async () => {
    const { list, states } = open([
      { content: 'a', seq: 0 },
      { content: 'b', seq: 5 },
      { content: 'c', seq: 9 },
      { content: 'd', runId: 'r2', seq: 0 },
      { content: 'e', runId: 'r2', seq: 4 },
    ]);
    expect(await list()).toEqual([
      's1 user -',
      's3 turn Build it',
      's4 user -',
      's5 turn Make it blue now',
    ]);
    expect((await states.list(TASK)).map(({ since }) => since)).toEqual([null, 's1', 's3', 's4']);
  });

  it('are one for a turn that was tried again', async () => {
    const { list, states } = open([
      { content: 'a' },
      { content: 'half', runId: 'r2', seq: 3 },
      { content: 'by user', runId: 'r2 again', seq: 0 },
      { content: 'b', runId: 'r2 again', seq: 4 },
    ]);
    expect(await list()).toEqual(['s1 turn Build it', 's3 user -', 's4 turn Make it blue now']);
    expect((await states.list(TASK)).at(-1)?.since).toBe('s1');
  });

  it('after going back are compared with the one that was gone back to', async () => {
    const back = { runId: null, seq: null } as const;
    const { list, states } = open([
      { content: 'a' },
      { content: 'b', runId: 'r2' },
      { content: 'b', cause: 'before_restore', ...back },
      { content: 'a', cause: 'restore', ...back },
      { content: 'c', runId: 'r3' },
    ]);
    expect(await list()).toEqual(['s1 turn Build it', 's2 turn Make it blue', 's5 turn - now']);
    expect((await states.list(TASK)).map(({ since }) => since)).toEqual([null, 's1', 's4']);
  });

  it('are named by the first line of what was asked, up to half a character', async () => {
    const { states, prompts } = open([{ content: 'a' }]);
    const titles: (string | null | undefined)[] = [];
    for (const prompt of ['\n\n  One\nTwo', `${'x'.repeat(199)}\u{1F600}`, ' \n ']) {
      prompts.r1 = prompt;
      titles.push((await states.list(TASK))[0]?.prompt);
    }
    expect(titles).toEqual(['One', 'x'.repeat(199), null]);
  });

  it('are not repeated after going back: the one that was gone back to is that of now', async () => {
    const back = { runId: null, seq: null } as const;
    const { list } = open([
      { content: 'a' },
      { content: 'b', runId: 'r2' },
      { content: 'b', cause: 'before_restore', ...back },
      { content: 'a', cause: 'restore', ...back },
    ]);
    expect(await list()).toEqual(['s1 turn Build it now', 's2 turn Make it blue']);
  });

  it('have what the user changed before going back, and what is kept nowhere else', async () => {
    const back = { runId: null, seq: null } as const;
    const { list } = open([
      { content: 'b', runId: 'r2' },
      { content: 'mine', cause: 'before_restore', ...back },
      { content: 'gone', cause: 'restore', ...back },
    ]);
    expect(await list()).toEqual(['s1 turn Make it blue', 's2 user -', 's3 restore - now']);
  });

  it('are none of now while the files differ from all of them', async () => {
    const { list, setChanged } = open([{ content: 'a' }]);
    setChanged('src/App.tsx');
    expect(await list()).toEqual(['s1 turn Build it']);
  });

  it('are none of now where that is not known', async () => {
    const { list, setWorking } = open([{ content: 'a' }]);
    setWorking();
    expect(await list()).toEqual(['s1 turn Build it']);
  });

  it('are the same where only tools changed their folders, and none without files', async () => {
    const { list } = open([
      { content: '', seq: 0, files: 0 },
      { content: 'a' },
      { content: 'a', runId: 'r2', seq: 0 },
      { content: 'b', runId: 'r2' },
    ]);
    expect(await list()).toEqual(['s2 turn Build it', 's4 turn Make it blue now']);
  });

  it('differ by all that is in them where they were stored before that was known', async () => {
    const old = { ownSha256: null } as const;
    const { list } = open([
      { content: 'a', ...old },
      { content: 'a', runId: 'r2', ...old },
    ]);
    expect(await list()).toEqual(['s1 turn Build it', 's2 turn Make it blue now']);
  });

  it('are the newest forty', async () => {
    const many = Array.from({ length: 50 }, (_, i) => ({ content: `${i}`, runId: `run${i}` }));
    const { states } = open(many);
    const listed = await states.list(TASK);
    expect(listed.map(({ snapshotId }) => snapshotId)).toEqual(
      Array.from({ length: 40 }, (_, i) => `s${i + 11}`),
    );
    expect(listed[0]?.since).toBe('s10');
  });
});

describe('a picture of a state', () => {
  it('is taken once, reaches windows, and shown for the same files later', async () => {
    const bench = open([{ content: 'a' }]);
    expect(await bench.begin()).toBe(true);
    await bench.end(jpeg('one'));
    expect(bench.announced).toEqual([TASK]);
    expect(bench.states.picture(TASK, 's1')).toEqual(jpeg('one'));
    expect(await bench.begin()).toBe(false);
    bench.snapshots.push(
      { ...(bench.snapshots[0] as StoredSnapshot), id: 's2', runId: 'r2', ownSha256: 'b' },
      { ...(bench.snapshots[0] as StoredSnapshot), id: 's3', runId: null, cause: 'restore' },
    );
    expect(await bench.begin()).toBe(false);
    const listed = await bench.states.list(TASK);
    expect(listed.map(({ hasPicture }) => hasPicture)).toEqual([true, false]);
    expect(bench.states.picture(TASK, 's3')).toEqual(jpeg('one'));
  });

  it('is not that of files that were changed while it was taken', async () => {
    const changes = [
      (bench: ReturnType<typeof open>) => bench.setChanged('a'),
      (bench: ReturnType<typeof open>) => bench.setWorking(),
      ({ snapshots }: ReturnType<typeof open>) =>
        void snapshots.push({ ...(snapshots[0] as StoredSnapshot), id: 's2', ownSha256: 'b' }),
    ];
    for (const change of changes) {
      const bench = open([{ content: 'a' }]);
      expect(await bench.begin()).toBe(true);
      change(bench);
      await bench.end(jpeg('of another state'));
      expect([...bench.pictures]).toEqual([]);
    }
  });

  it('is not taken while files are changed, nor twice at a time', async () => {
    const working = open([{ content: 'a' }]);
    working.setWorking();
    expect(await working.begin()).toBe(false);
    const changed = open([{ content: 'a' }]);
    changed.setChanged('a');
    expect(await changed.begin()).toBe(false);
    const twice = open([{ content: 'a' }]);
    expect([await twice.begin(), await twice.begin()]).toEqual([true, false]);
  });

  it('of a turn that ends while another is taken follows it', async () => {
    const bench = open([{ content: 'a' }]);
    await bench.begin();
    bench.snapshots.push({
      ...(bench.snapshots[0] as StoredSnapshot),
      ...{ id: 's2', runId: 'r2', ownSha256: 'b' },
    });
    expect(await bench.begin()).toBe(false);
    await bench.end(jpeg('of the turn before'));
    await bench.end(jpeg('of this one'));
    expect([...bench.pictures]).toEqual([['b', jpeg('of this one')]]);
  });

  it('is not kept where it is larger than one could be', async () => {
    const bench = open([{ content: 'a' }]);
    await bench.begin();
    await bench.end(new Uint8Array(600_000));
    expect([...bench.pictures]).toEqual([]);
  });

  it('is not taken while the server still has what the files were before', async () => {
    const bench = open([{ content: 'a' }]);
    bench.setStale('server.js');
    expect(await bench.begin()).toBe(false);
    bench.setStale();
    expect(await bench.begin()).toBe(false);
    bench.restart();
    expect(await bench.begin()).toBe(true);
  });

  it('that fails is not tried again and again, but for other files, and by a server that was started again', async () => {
    const bench = open([{ content: 'a' }]);
    const fail = async (): Promise<void> => {
      expect(await bench.begin()).toBe(true);
      bench.taking.at(-1)?.reject(new Error('The page does not open.'));
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      expect(await bench.begin()).toBe(false);
    };
    await fail();
    bench.restart();
    await fail();
    bench.snapshots.push({
      ...(bench.snapshots[0] as StoredSnapshot),
      ...{ id: 's2', runId: 'r2', ownSha256: 'b' },
    });
    await fail();
    expect([...bench.pictures]).toEqual([]);
  });

  it('is only given to its own task, and where there is one', () => {
    const bench = open([{ content: 'a' }]);
    bench.pictures.set('of another task', jpeg('x'));
    expect(() => bench.states.picture(TASK, 's1')).toThrow('There is no picture');
    expect(() => bench.states.picture(TASK, 's of another task')).toThrow('There is no s of');
  });

  it('is given up when the app is closed', async () => {
    const bench = open([{ content: 'a' }]);
    await bench.begin();
    await bench.states[Symbol.asyncDispose]();
    expect(bench.signals[0]?.aborted).toBe(true);
    expect(await bench.begin()).toBe(false);
  });
});
