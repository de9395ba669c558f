import { TASK_RESULTS_LIMIT } from '#contract/task-search.ts';
import type { RunService } from '../run/run-service.ts';
import type { MessageReader, RunReader, ThreadReader } from '../storage/types.ts';
import { searchTasks, type TaskSearchParts } from '../task-search/task-search.ts';
import type { Requests } from './types.ts';

export interface ThreadRequestParts {
  readonly runs: Pick<
    RunService,
    'renameThread' | 'markThread' | 'setThreadLevel' | 'deleteThread'
  >;
  readonly stores: {
    readonly threads: ThreadReader;
    readonly runs: RunReader;
    readonly messages: MessageReader;
  };
  readonly search: Omit<TaskSearchParts, 'threads'>;
}

/** Requests about tasks. Unknown ids throw `NOT_FOUND`. */
export function threadRequests({ runs, stores, search }: ThreadRequestParts) {
  const { threads } = stores;
  return {
    'threads.list': ({ search: title }) => ({ threads: threads.list(title) }),
    'threads.search': ({ query, limit = TASK_RESULTS_LIMIT }) =>
      searchTasks({ ...search, threads }, { query, limit }),
    'threads.get': ({ threadId }) => ({
      thread: threads.get(threadId),
      messages: stores.messages.listOfThread(threadId),
      runs: stores.runs.listOfThread(threadId),
    }),
    'threads.rename': ({ threadId, title }) => ({ thread: runs.renameThread(threadId, title) }),
    'threads.mark': ({ threadId, mark, on }) => ({ thread: runs.markThread(threadId, mark, on) }),
    'threads.setLevel': ({ threadId, level }) => ({
      thread: runs.setThreadLevel(threadId, level),
    }),
    'threads.delete': async ({ threadId }) => {
      await runs.deleteThread(threadId);
      return {};
    },
  } satisfies Requests<'threads'>;
}
