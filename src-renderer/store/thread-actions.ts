import type { Run, Thread } from '#contract/entities.ts';
import type { TaskHit } from '#contract/task-search.ts';
import type { PolicyLevel, ReportFormat } from '#contract/vocabulary.ts';
import { saveBase64 } from '../bridge/save-file.ts';
import { type AppState, type OpenThread, type Route, withEntry, withMember } from './app-state.ts';
import { type ActionContext, ask } from './context.ts';
import { type Place, placeOf } from './find-place.ts';
import { isFinal, loadedValue } from './selectors.ts';

/** Tasks whose views stay in memory, so that switching between them is instant. */
const THREADS_AT_HAND = 3;
/** Tasks in the results of a search. */
const RESULTS = 30;

export interface ThreadActions {
  refresh(): Promise<void>;
  /** Searches the words of all tasks; an empty query shows the list again. */
  search(query: string): void;
  /** Shows a task at a place that was found in it. */
  openAt(threadId: string, hit: TaskHit | null): Promise<void>;
  /** Shows a task at a place, or with null at its end. */
  openPlace(threadId: string, place: Place | null): Promise<void>;
  /** Shows the best place of what was found; false if nothing was. */
  openFirst(): Promise<boolean>;
  /** The place was shown, or the user went elsewhere. */
  leavePlace(): void;
  /** Saves the conversation as a file. */
  save(threadId: string, format: ReportFormat): Promise<void>;
  mark(threadId: string, mark: 'pinned' | 'archived', on: boolean): Promise<void>;
  /** Shows a task, or the empty page of a new one. */
  open(threadId: string | null): Promise<void>;
  /** Reloads the task on the screen: after a reconnect, or after a run started. */
  reload(threadId: string): Promise<void>;
  rename(threadId: string, title: string): Promise<boolean>;
  /** The approval level of a task, from its next call on; null leaves it to the settings. */
  setLevel(threadId: string, level: PolicyLevel | null): Promise<void>;
  remove(threadId: string): Promise<boolean>;
  forget(threadId: string): void;
}

export function createThreadActions(context: ActionContext): ThreadActions {
  const { store, bridge, feed } = context;
  /** Most recently shown last. */
  let recent: string[] = [];
  let listRound = 0;
  let finding: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    const round = ++listRound;
    const result = await bridge.request('threads.list', {});
    if (round !== listRound) return;
    store.update((state) => {
      const known = loadedValue(state.threads);
      if (result.ok) return { ...state, threads: { phase: 'ready', value: result.data.threads } };
      const problem = result.error.message;
      const failed = { phase: 'failed' as const, problem };
      return { ...state, threads: known === null ? failed : { ...failed, value: known } };
    });
  }

  /** One search at a time: of what is typed meanwhile only the last is searched. */
  async function find(): Promise<void> {
    for (;;) {
      const query = store.get().search.trim();
      if (query === '') return;
      const result = await bridge.request('threads.search', { query, limit: RESULTS });
      if (store.get().search.trim() !== query) continue;
      store.update((state) => ({
        ...state,
        found: result.ok
          ? { phase: 'ready', value: { ...result.data, query } }
          : { phase: 'failed', problem: result.error.message },
      }));
      return;
    }
  }

  async function reload(threadId: string): Promise<void> {
    const result = await bridge.request('threads.get', { threadId });
    if (!result.ok) {
      const problem = result.error.message;
      store.update((state) => setOpen(state, threadId, { phase: 'failed', problem }));
      return;
    }
    const { messages, runs, thread } = result.data;
    const ordered = runs.toSorted((a, b) => a.createdAt - b.createdAt);
    store.update((state) =>
      setOpen(withRuns(withThread(state, thread), ordered), threadId, {
        phase: 'ready',
        problem: null,
        messages,
        runIds: ordered.map((run) => run.id),
      }),
    );
    // Newest first: that is what the screen shows.
    for (const run of ordered.toReversed()) await feed.open(run.id, !isFinal(run.status));
  }

  function makeRoom(threadId: string): void {
    recent = [...recent.filter((id) => id !== threadId), threadId];
    while (recent.length > THREADS_AT_HAND) {
      const oldest = recent.shift();
      if (oldest !== undefined) forget(oldest);
    }
  }

  function forget(threadId: string): void {
    recent = recent.filter((id) => id !== threadId);
    const runIds = store.get().openThreads.get(threadId)?.runIds ?? [];
    for (const runId of runIds) feed.close(runId);
    store.update((state) => {
      const views = new Map(state.views);
      const runs = new Map(state.runs);
      for (const runId of runIds) {
        views.delete(runId);
        runs.delete(runId);
      }
      return {
        ...state,
        views,
        runs,
        openThreads: withEntry(state.openThreads, threadId, null),
        browsers: withEntry(state.browsers, threadId, null),
        apps: withEntry(state.apps, threadId, null),
      };
    });
  }

  function go(route: Route): void {
    store.update((state) => ({ ...state, route }));
  }

  async function open(threadId: string | null): Promise<void> {
    go({ kind: 'task', threadId });
    if (threadId === null) return;
    makeRoom(threadId);
    const known = store.get().openThreads.get(threadId);
    if (known === undefined || known.phase === 'failed') {
      store.update((state) => setOpen(state, threadId, { phase: 'loading', problem: null }));
    }
    await reload(threadId);
  }

  async function openPlace(threadId: string, place: Place | null): Promise<void> {
    store.update((state) => ({ ...state, place: place === null ? null : { threadId, ...place } }));
    await open(threadId);
  }

  const openAt = (threadId: string, hit: TaskHit | null): Promise<void> =>
    openPlace(threadId, hit === null ? null : placeOf(hit));

  return {
    refresh,
    reload,
    open,
    forget,
    openAt,
    openPlace,
    openFirst: async () => {
      // What was typed last may not be answered yet.
      await finding;
      const { found, search } = store.get();
      const [first] = search.trim() === '' ? [] : (loadedValue(found)?.results ?? []);
      if (first !== undefined) void openAt(first.thread.id, first.hits[0] ?? null);
      return first !== undefined;
    },
    leavePlace: () => {
      if (store.get().place !== null) store.update((state) => ({ ...state, place: null }));
    },
    save: async (threadId, format) => {
      const file = await ask(context, 'threads.export', { threadId, format });
      if (file !== null) saveBase64(file);
    },
    mark: async (threadId, mark, on) => {
      const data = await ask(context, 'threads.mark', { threadId, mark, on });
      if (data !== null) store.update((state) => withThread(state, data.thread));
    },
    search: (query) => {
      store.update((state) => ({
        ...state,
        search: query,
        found: query.trim() === '' ? { phase: 'idle' } : state.found,
      }));
      finding ??= find().finally(() => {
        finding = null;
      });
    },
    rename: async (threadId, title) => {
      const data = await ask(context, 'threads.rename', { threadId, title });
      if (data !== null) store.update((state) => withThread(state, data.thread));
      return data !== null;
    },
    setLevel: async (threadId, level) => {
      const data = await ask(context, 'threads.setLevel', { threadId, level });
      if (data !== null) store.update((state) => withThread(state, data.thread));
    },
    remove: async (threadId) => {
      const data = await ask(context, 'threads.delete', { threadId });
      if (data === null) return false;
      dropThread(context, threadId, forget);
      return true;
    },
  };
}

/** Removes a deleted task from the screen. */
export function dropThread(
  { store }: ActionContext,
  threadId: string,
  forget: (threadId: string) => void,
): void {
  forget(threadId);
  store.update((state) => {
    const threads = loadedValue(state.threads)?.filter((thread) => thread.id !== threadId) ?? [];
    const isShown = state.route.kind === 'task' && state.route.threadId === threadId;
    return {
      ...state,
      threads: { phase: 'ready', value: threads },
      found: withoutThread(state.found, threadId),
      queued: withEntry(state.queued, threadId, null),
      drafts: withEntry(state.drafts, threadId, null),
      browserTabs: withMember(state.browserTabs, threadId, false),
      typedShown: withMember(state.typedShown, threadId, false),
      route: isShown ? { kind: 'task', threadId: null } : state.route,
    };
  });
}

function withoutThread(found: AppState['found'], threadId: string): AppState['found'] {
  if (found.phase !== 'ready') return found;
  const results = found.value.results.filter(({ thread }) => thread.id !== threadId);
  return { phase: 'ready', value: { ...found.value, results } };
}

const UNKNOWN_THREAD: OpenThread = { phase: 'loading', problem: null, messages: [], runIds: [] };

export function setOpen(state: AppState, threadId: string, change: Partial<OpenThread>): AppState {
  const before = state.openThreads.get(threadId) ?? UNKNOWN_THREAD;
  const openThreads = withEntry(state.openThreads, threadId, { ...before, ...change });
  return { ...state, openThreads };
}

/** Inserts or replaces a task in the list. */
export function withThread(state: AppState, thread: Thread): AppState {
  const known = loadedValue(state.threads) ?? [];
  const others = known.filter((other) => other.id !== thread.id);
  return { ...state, threads: { phase: 'ready', value: [thread, ...others] } };
}

export function withRuns(state: AppState, changed: readonly Run[]): AppState {
  const runs = new Map(state.runs);
  for (const run of changed) runs.set(run.id, run);
  return { ...state, runs };
}
