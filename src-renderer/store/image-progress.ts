import type { ImageProgressNotice } from '#contract/images.ts';
import type { AppState } from './app-state.ts';
import { isFinal } from './selectors.ts';
import { createStore, type Store } from './store.ts';

type Progress = ReadonlyMap<string, ImageProgressNotice>;

/** How far the pictures are that are being made. Nothing of it is in the log: a window that opens sees the next step. */
export interface ImageProgress {
  /** By `progressKey`. */
  readonly store: Store<Progress>;
  receive(notice: ImageProgressNotice): void;
  /** A call ended. */
  ended(threadId: string, toolCallId: string): void;
  /** No run of the task goes on. */
  rested(threadId: string): void;
}

export function progressKey(threadId: string, toolCallId: string): string {
  return JSON.stringify([threadId, toolCallId]);
}

export function createImageProgress(app: Store<AppState>): ImageProgress {
  const store = createStore<Progress>(new Map());
  const keep = (isKept: (notice: ImageProgressNotice) => boolean): void =>
    store.update((before) => {
      const kept = [...before].filter(([, notice]) => isKept(notice));
      return kept.length === before.size ? before : new Map(kept);
    });
  return {
    store,
    receive: (notice) => {
      const { threadId, toolCallId } = notice;
      // A notice may arrive after the end of its run.
      if (!isLive(app.get(), threadId)) return;
      store.update((before) => new Map(before).set(progressKey(threadId, toolCallId), notice));
    },
    ended: (threadId, toolCallId) =>
      keep((notice) => notice.threadId !== threadId || notice.toolCallId !== toolCallId),
    rested: (threadId) => keep((notice) => notice.threadId !== threadId),
  };
}

/** Whether a run of the task goes on, as far as this window knows its runs. */
function isLive({ openThreads, runs }: AppState, threadId: string): boolean {
  const runIds = openThreads.get(threadId)?.runIds ?? [];
  return runIds.some((runId) => {
    const run = runs.get(runId);
    return run !== undefined && !isFinal(run.status);
  });
}
