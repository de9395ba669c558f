import type { Run, Thread } from '#contract/entities.ts';
import { type AppState, type OpenThread, type Route, withEntry } from './app-state.ts';
import { type ActionContext, ask } from './context.ts';
import { isFinal, loadedValue } from './selectors.ts';

/** Tasks whose views stay in memory, so that switching between them is instant. */
const THREADS_AT_HAND = 3;

export interface ThreadActions {
  refresh(): Promise<void>;
  search(query: string): void;
  /** Shows a task, or the empty page of a new one. */
  open(threadId: string | null): Promise<void>;
  /** Reloads the task on the screen: after a reconnect, or after a run started. */
  reload(threadId: string): Promise<void>;
  rename(threadId: string, title: string): Promise<boolean>;
  remove(threadId: string): Promise<boolean>;
  forget(threadId: string): void;
}

export function createThreadActions(context: ActionContext): ThreadActions {
  const { store, bridge, feed } = context;
  /** Most recently shown last. */
  let recent: string[] = [];
  let searchRound = 0;

  async function refresh(): Promise<void> {
    const round = ++searchRound;
    const query = store.get().search.trim();
    const result = await bridge.request('threads.list', query === '' ? {} : { search: query });
    if (round !== searchRound) return;
    store.update((state) => {
      const known = loadedValue(state.threads);
      if (result.ok) return { ...state, threads: { phase: 'ready', value: result.data.threads } };
      const problem = result.error.message;
      const failed = { phase: 'failed' as const, problem };
      return { ...state, threads: known === null ? failed : { ...failed, value: known } };
    });
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
      return { ...state, views, runs, openThreads: withEntry(state.openThreads, threadId, null) };
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

  return {
    refresh,
    reload,
    open,
    forget,
    search: (query) => {
      store.update((state) => ({ ...state, search: query }));
      void refresh();
    },
    rename: async (threadId, title) => {
      const data = await ask(context, 'threads.rename', { threadId, title });
      if (data !== null) store.update((state) => withThread(state, data.thread));
      return data !== null;
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
      queued: withEntry(state.queued, threadId, null),
      drafts: withEntry(state.drafts, threadId, null),
      route: isShown ? { kind: 'task', threadId: null } : state.route,
    };
  });
}

const UNKNOWN_THREAD: OpenThread = { phase: 'loading', problem: null, messages: [], runIds: [] };

export function setOpen(state: AppState, threadId: string, change: Partial<OpenThread>): AppState {
  const before = state.openThreads.get(threadId) ?? UNKNOWN_THREAD;
  const openThreads = withEntry(state.openThreads, threadId, { ...before, ...change });
  return { ...state, openThreads };
}

/** Inserts or replaces a task in the list; a new one only if it matches the search. */
export function withThread(state: AppState, thread: Thread): AppState {
  const known = loadedValue(state.threads) ?? [];
  const fits = thread.title.toLowerCase().includes(state.search.trim().toLowerCase());
  const others = known.filter((other) => other.id !== thread.id);
  const value = fits ? [thread, ...others] : others;
  return { ...state, threads: { phase: 'ready', value } };
}

export function withRuns(state: AppState, changed: readonly Run[]): AppState {
  const runs = new Map(state.runs);
  for (const run of changed) runs.set(run.id, run);
  return { ...state, runs };
}
