import type { Thread } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { PushMessage, RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import type { FakeState } from './fake-bridge.ts';
import { fakeTaskSearch } from './fake-task-search.ts';
import { Refusal } from './refusal.ts';

type ThreadRequests = {
  readonly [Name in Extract<RequestName, `threads.${string}` | 'usage.get'>]: (
    input: RequestInput<Name>,
  ) => RequestOutput<Name>;
};

/** The task of this id. Throws `NOT_FOUND`. */
export function threadIn({ threads }: FakeState, threadId: string): Thread {
  const thread = threads.find(({ id }) => id === threadId);
  if (thread === undefined) throw new Refusal('NOT_FOUND', 'There is no such task.');
  return thread;
}

/** Requests about the tasks of the fake app. */
export function fakeThreadRequests({
  state,
  push,
  eventsOf,
}: {
  readonly state: () => FakeState;
  readonly push: (message: PushMessage) => void;
  readonly eventsOf: (runId: string) => readonly RunEvent[];
}): ThreadRequests {
  return {
    'threads.list': ({ search = '' }) => ({
      threads: state().threads.filter(({ title }) =>
        title.toLowerCase().includes(search.toLowerCase()),
      ),
    }),
    'threads.get': ({ threadId }) => ({
      thread: threadIn(state(), threadId),
      messages: state().messages.filter((message) => message.threadId === threadId),
      runs: state().runs.filter((run) => run.threadId === threadId),
    }),
    'threads.rename': ({ threadId, title }) => {
      const thread = threadIn(state(), threadId);
      thread.title = title;
      return { thread };
    },
    'threads.mark': ({ threadId, mark, on }) => {
      const thread = threadIn(state(), threadId);
      const at = on ? Date.now() : null;
      if (mark === 'pinned') thread.pinnedAt = at;
      else thread.archivedAt = at;
      push({ kind: 'thread_changed', thread });
      return { thread };
    },
    'threads.export': ({ threadId, format }) => ({
      ...{ fileName: `task.${format}`, mimeType: 'text/plain' },
      data: btoa(`${threadId} ${format}`),
    }),
    'usage.get': ({ threadId }) => fakeUse(threadId),
    'threads.search': ({ query }) => fakeTaskSearch(state(), query, eventsOf),
    'threads.setLevel': ({ threadId, level }) => {
      const { level: _before, ...thread } = threadIn(state(), threadId);
      const changed = level === null ? thread : { ...thread, level };
      state().threads = state().threads.map((one) => (one.id === threadId ? changed : one));
      return { thread: changed };
    },
    'threads.delete': ({ threadId }) => {
      if (threadIn(state(), threadId).status === 'running') {
        throw new Refusal('CONFLICT', 'A run of this task is going on: stop it first.');
      }
      state().threads = state().threads.filter(({ id }) => id !== threadId);
      return {};
    },
  };
}

/** A task used one model, and all tasks two; one server gives no counts. */
function fakeUse(threadId: string | undefined): RequestOutput<'usage.get'> {
  const local = {
    ...{ model: 'ollama:qwen3:8b', requests: 12, promptTokens: 48_210, completionTokens: 3_120 },
    ...{ durationMs: 92_400, estimated: 0 },
  };
  if (threadId !== undefined) return { all: [local], recent: [local] };
  const other = {
    ...{ model: 'llama-cpp:a-model-with-a-long-name-q4_k_m.gguf', requests: 3 },
    ...{ promptTokens: 2_000, completionTokens: 500, durationMs: 8_000, estimated: 3 },
  };
  return { all: [local, other], recent: [local] };
}
