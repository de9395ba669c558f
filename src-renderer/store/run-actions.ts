import type { RunOptions } from '#contract/entities.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { strings } from '../strings.ts';
import {
  type AppState,
  type Draft,
  EMPTY_DRAFT,
  NEW_TASK,
  withEntry,
  withMember,
} from './app-state.ts';
import { type ActionContext, ask, showToast } from './context.ts';
import { chosenModel, draftOf, liveRun, newestRun } from './selectors.ts';
import { setOpen, withRuns, withThread } from './thread-actions.ts';

export interface RunActions {
  /** Sends the draft of a task, or of a new one; while a run goes on, when that has ended. */
  send(threadId: string | null): Promise<void>;
  /** Takes the queued message back into the composer. */
  unqueue(threadId: string): void;
  /** Sends what was queued, once the task's run has ended well; else gives it back. */
  runEnded(threadId: string, well: boolean): void;
  cancel(runId: string): Promise<void>;
  /** Asks the same again; its files are in the workspace already. */
  again(threadId: string, runId: string): Promise<void>;
  respond(runId: string, interruptId: string, response: InterruptResponse): Promise<boolean>;
}

export function createRunActions(
  context: ActionContext,
  opened: (threadId: string) => Promise<void>,
): RunActions {
  const { store, bridge, feed } = context;

  async function start(threadId: string | null, draft: Draft): Promise<boolean> {
    const key = threadId ?? NEW_TASK;
    if (store.get().sending.has(key)) return false;
    store.update((state) => ({ ...state, sending: withMember(state.sending, key, true) }));
    const model = chosenModel(store.get(), threadId, draft);
    const options: Partial<RunOptions> = { mode: draft.mode, ...(model === null ? {} : { model }) };
    const data = await ask(context, 'runs.start', {
      ...(threadId === null ? {} : { threadId }),
      prompt: draft.text.trim(),
      attachmentIds: draft.attachments.flatMap(({ attachmentId }) => attachmentId ?? []),
      options,
    });
    store.update((state) => ({ ...state, sending: withMember(state.sending, key, false) }));
    if (data === null) return false;
    const { run, thread } = data;
    store.update((state) => showRun(withThread(withRuns(state, [run]), thread), key, data));
    void feed.open(run.id, true).then(() => opened(thread.id));
    return true;
  }

  return {
    send: async (threadId) => {
      const key = threadId ?? NEW_TASK;
      const draft = draftOf(store.get(), key);
      if (!isSendable(draft)) return;
      if (threadId !== null && liveRun(store.get(), threadId) !== null) {
        store.update((state) => queue(state, threadId, draft));
        return;
      }
      // Cleared only once main has it: until then nothing is lost by a failure.
      if (!(await start(threadId, draft))) return;
      store.update((state) => ({
        ...state,
        drafts: withEntry(state.drafts, key, { ...EMPTY_DRAFT, mode: draft.mode }),
      }));
    },
    unqueue: (threadId) => store.update((state) => giveBack(state, threadId)),
    runEnded: (threadId, well) => {
      const draft = store.get().queued.get(threadId);
      if (draft === undefined) return;
      if (!well) {
        store.update((state) => giveBack(state, threadId));
        showToast(store, 'info', strings.composer.queueKept);
        return;
      }
      store.update((state) => ({ ...state, queued: withEntry(state.queued, threadId, null) }));
      void start(threadId, draft).then((started) => {
        if (!started) store.update((state) => restore(state, threadId, draft));
      });
    },
    cancel: async (runId) => {
      const result = await bridge.cancel(runId);
      if (!result.ok) showToast(store, 'error', result.error.message);
    },
    again: async (threadId, runId) => {
      const state = store.get();
      const run = state.runs.get(runId);
      if (run === undefined) return;
      const model = newestRun(state, threadId)?.options.model ?? run.options.model;
      await start(threadId, { ...EMPTY_DRAFT, text: run.prompt, mode: run.options.mode, model });
    },
    respond: async (runId, interruptId, response) => {
      const mark = (on: boolean): void =>
        store.update((state) => ({
          ...state,
          answering: withMember(state.answering, interruptId, on),
        }));
      mark(true);
      const data = await ask(context, 'runs.respond', { runId, interruptId, response });
      mark(false);
      return data !== null;
    },
  };
}

/** Text is there and no file is still on its way. */
export function isSendable(draft: Draft): boolean {
  return draft.text.trim() !== '' && draft.attachments.every(({ state }) => state !== 'sending');
}

function showRun(
  state: AppState,
  key: string,
  {
    run,
    thread,
  }: { readonly run: { readonly id: string }; readonly thread: { readonly id: string } },
): AppState {
  const known = state.openThreads.get(thread.id);
  const runIds = [...(known?.runIds ?? []).filter((id) => id !== run.id), run.id];
  const opened = setOpen(state, thread.id, { phase: 'ready', runIds });
  const isShown = state.route.kind === 'task' && (state.route.threadId ?? NEW_TASK) === key;
  return isShown ? { ...opened, route: { kind: 'task', threadId: thread.id } } : opened;
}

function queue(state: AppState, threadId: string, draft: Draft): AppState {
  const before = state.queued.get(threadId);
  const joined =
    before === undefined
      ? draft
      : {
          ...draft,
          text: `${before.text.trim()}\n\n${draft.text.trim()}`,
          attachments: [...before.attachments, ...draft.attachments],
        };
  return {
    ...state,
    queued: withEntry(state.queued, threadId, joined),
    drafts: withEntry(state.drafts, threadId, { ...EMPTY_DRAFT, mode: draft.mode }),
  };
}

function giveBack(state: AppState, threadId: string): AppState {
  const draft = state.queued.get(threadId);
  if (draft === undefined) return state;
  const queued = withEntry(state.queued, threadId, null);
  return restore({ ...state, queued }, threadId, draft);
}

/** Puts a message before whatever was written meanwhile. */
function restore(state: AppState, threadId: string, draft: Draft): AppState {
  const current = draftOf(state, threadId);
  const text = [draft.text, current.text].filter((part) => part.trim() !== '').join('\n\n');
  const attachments = [...draft.attachments, ...current.attachments];
  return {
    ...state,
    drafts: withEntry(state.drafts, threadId, { ...current, text, attachments }),
  };
}
