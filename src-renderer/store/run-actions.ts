import { defined } from '#contract/defined.ts';
import type { RunOptions, Thread } from '#contract/entities.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { GivenFolder } from '#contract/user-folder.ts';
import { saveText } from '../bridge/save-file.ts';
import { chatStrings } from '../strings/chat.ts';
import { composerStrings } from '../strings/composer.ts';
import type { WordsTarget } from './answer-in-words.ts';
import {
  type AppState,
  type Draft,
  EMPTY_DRAFT,
  modelKey,
  NEW_TASK,
  withEntry,
  withMember,
} from './app-state.ts';
import { type ActionContext, ask, showToast } from './context.ts';
import type { ModelActions } from './model-actions.ts';
import {
  chosenModel,
  chosenNetwork,
  draftOf,
  hasPictures,
  levelOfTask,
  liveRun,
} from './selectors.ts';
import { setOpen, type ThreadActions, withRuns, withThread } from './thread-actions.ts';

export interface RunActions {
  /**
   * Sends the draft of a task, or of a new one, once its files are uploaded; during a run, when that has
   * ended. Keeps the draft if an upload fails.
   */
  send(threadId: string | null): Promise<void>;
  /** Answers open questions with the text of the draft, whose files stay; keeps the text if an answer is refused. */
  answer(threadId: string, target: WordsTarget): Promise<void>;
  /** Puts the message of a run into the message box of its task, before what is written there. */
  takeBack(runId: string): void;
  /** Takes the queued message back into the composer. */
  unqueue(threadId: string): void;
  /** Sends what was queued, once the task's run has ended well; else gives it back. */
  runEnded(threadId: string, well: boolean): void;
  cancel(runId: string): Promise<void>;
  /** Sends the same message again, to the model that is chosen now; its files are in the workspace already. */
  again(threadId: string, runId: string): Promise<void>;
  /** Pauses after the current step. */
  pause(runId: string): Promise<void>;
  /** A run stopped: it is not running any more. */
  rested(runId: string): void;
  resume(runId: string): Promise<void>;
  /** Retries the last step of a failed run. */
  retry(runId: string): Promise<void>;
  /** Creates a new task with the history of the run up to an event, and shows it. */
  fork(runId: string, seq: number): Promise<void>;
  /** Creates a new task with another message in place of this one, and shows it. */
  edit(runId: string, prompt: string): Promise<boolean>;
  /** Exports the run as a file. */
  save(runId: string): Promise<void>;
  /** Imports an exported run, and shows it. */
  importFile(text: string): Promise<boolean>;
  respond(runId: string, interruptId: string, response: InterruptResponse): Promise<boolean>;
}

export function createRunActions(
  context: ActionContext,
  {
    reload: opened,
    open: reveal,
    loadSight,
  }: Pick<ThreadActions, 'reload' | 'open'> & Pick<ModelActions, 'loadSight'>,
): RunActions {
  const { store, bridge, feed } = context;

  const markSending = (key: string, on: boolean): void =>
    store.update((state) => ({ ...state, sending: withMember(state.sending, key, on) }));

  async function start(threadId: string | null, draft: Draft): Promise<boolean> {
    const key = threadId ?? NEW_TASK;
    if (store.get().sending.has(key)) return false;
    markSending(key, true);
    const model = chosenModel(store.get(), threadId, draft);
    const options: Partial<RunOptions> = defined({
      mode: draft.mode,
      network: chosenNetwork(store.get(), threadId, draft),
      model: model ?? undefined,
      ...researchOptions(draft),
    });
    const request = defined({
      threadId: threadId ?? undefined,
      prompt: draft.text.trim(),
      attachmentIds: draft.attachments.flatMap(({ attachmentId }) => attachmentId ?? []),
      folder: given(draft),
      options,
      level: levelOfTask(store.get(), null, draft) ?? undefined,
    });
    const data = await ask(context, 'runs.start', request);
    markSending(key, false);
    if (data === null) return false;
    const { run, thread } = data;
    store.update((state) => showRun(withThread(withRuns(state, [run]), thread), key, data));
    void feed.open(run.id, true).then(() => opened(thread.id));
    return true;
  }

  /** Waits for the uploads of a draft. False if one of them failed. */
  async function filesTaken(key: string): Promise<boolean> {
    if (store.get().sending.has(key)) return false;
    const files = () => draftOf(store.get(), key).attachments;
    const awaited = new Set(files().flatMap((file) => (file.state === 'sending' ? file.key : [])));
    if (awaited.size === 0) return true;
    markSending(key, true);
    await new Promise<void>((resolve) => {
      const stop = store.subscribe(() => {
        if (files().some(({ state }) => state === 'sending')) return;
        stop();
        resolve();
      });
    });
    markSending(key, false);
    return !files().some((file) => awaited.has(file.key) && file.state === 'failed');
  }

  /**
   * Whether the draft may go: its model sees its pictures, or the user has read that it does not. Where that was not
   * known yet, it is asked for, and the composer says it before anything is sent.
   */
  async function mayShowPictures(threadId: string | null, draft: Draft): Promise<boolean> {
    const state = store.get();
    const model = hasPictures(draft) ? chosenModel(state, threadId, draft) : null;
    if (model === null || state.sights.has(modelKey(model))) return true;
    const key = threadId ?? NEW_TASK;
    markSending(key, true);
    const sight = await loadSight(model);
    markSending(key, false);
    return sight === null || sight.vision === true;
  }

  const markPausing = (runId: string, on: boolean): void =>
    store.update((state) => ({ ...state, pausing: withMember(state.pausing, runId, on) }));

  async function show(thread: Thread): Promise<void> {
    store.update((state) => withThread(state, thread));
    await reveal(thread.id);
  }

  async function respond(
    runId: string,
    interruptId: string,
    response: InterruptResponse,
  ): Promise<boolean> {
    const mark = (on: boolean): void =>
      store.update((state) => ({
        ...state,
        answering: withMember(state.answering, interruptId, on),
      }));
    mark(true);
    const data = await ask(context, 'runs.respond', { runId, interruptId, response });
    mark(false);
    return data !== null;
  }

  return {
    send: async (threadId) => {
      const key = threadId ?? NEW_TASK;
      if (!isSendable(draftOf(store.get(), key)) || !(await filesTaken(key))) return;
      const draft = draftOf(store.get(), key);
      if (!(await mayShowPictures(threadId, draft))) return;
      if (threadId !== null && liveRun(store.get(), threadId) !== null) {
        store.update((state) => queue(state, threadId, draft));
        return;
      }
      // Cleared only once main has it, so that a failure loses nothing.
      if (!(await start(threadId, draft))) return;
      store.update((state) => ({
        ...state,
        // The mode, too, was meant for this message alone.
        drafts: withEntry(state.drafts, key, null),
      }));
    },
    takeBack: (runId) =>
      store.update((state) => {
        const run = state.runs.get(runId);
        if (run === undefined || draftOf(state, run.threadId).text.includes(run.prompt))
          return state;
        const { mode } = run.options;
        return restore(state, run.threadId, { ...EMPTY_DRAFT, mode, text: run.prompt });
      }),
    unqueue: (threadId) => store.update((state) => giveBack(state, threadId)),
    runEnded: (threadId, well) => {
      const draft = store.get().queued.get(threadId);
      if (draft === undefined) return;
      if (!well) {
        store.update((state) => giveBack(state, threadId));
        showToast(store, 'info', composerStrings.queueKept);
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
      const model = chosenModel(state, threadId, draftOf(state, threadId)) ?? run.options.model;
      const { mode, researchDepth = null, scenario = null } = run.options;
      const draft = { ...EMPTY_DRAFT, text: run.prompt, mode, model, researchDepth, scenario };
      await start(threadId, draft);
    },
    pause: async (runId) => {
      markPausing(runId, true);
      if ((await ask(context, 'runs.pause', { runId })) === null) markPausing(runId, false);
    },
    rested: (runId) => markPausing(runId, false),
    resume: async (runId) => {
      const data = await ask(context, 'runs.resume', { runId });
      if (data === null) return;
      store.update((state) => withRuns(state, [data.run]));
      await opened(data.run.threadId);
    },
    retry: async (runId) => {
      const data = await ask(context, 'runs.retry', { runId });
      if (data !== null) await opened(data.run.threadId);
    },
    fork: async (runId, seq) => {
      const data = await ask(context, 'runs.fork', { runId, seq });
      if (data !== null) await show(data.thread);
      if (data?.run.origin?.files === 'today') {
        showToast(store, 'info', chatStrings.filesOfToday);
      }
    },
    edit: async (runId, prompt) => {
      const data = await ask(context, 'runs.edit', { runId, prompt });
      if (data !== null) await show(data.thread);
      return data !== null;
    },
    save: async (runId) => {
      const data = await ask(context, 'runs.export', { runId });
      if (data !== null) saveText(data.fileName, data.text);
    },
    importFile: async (text) => {
      const data = await ask(context, 'runs.import', { text });
      if (data === null) return false;
      await show(data.thread);
      showToast(store, 'info', chatStrings.imported);
      return true;
    },
    respond,
    answer: async (threadId, target) => {
      const draft = draftOf(store.get(), threadId);
      const text = draft.text.trim();
      if (text === '') return;
      const asked = target.kind === 'answer' ? [target.question] : target.questions;
      const response: InterruptResponse =
        target.kind === 'answer' ? { action: 'input', text } : { action: 'deny', reason: text };
      const taken = await Promise.all(
        asked.map(({ runId, interruptId }) => respond(runId, interruptId, response)),
      );
      if (taken.includes(false)) return;
      store.update((state) => {
        const now = draftOf(state, threadId);
        // What was typed meanwhile stays.
        const rest = now.text === draft.text ? '' : now.text;
        return { ...state, drafts: withEntry(state.drafts, threadId, { ...now, text: rest }) };
      });
    },
  };
}

/** Options for research only; empty where the settings and the question decide. */
function researchOptions({ mode, researchDepth, scenario }: Draft): Partial<RunOptions> {
  if (mode !== 'research') return {};
  return defined({
    researchDepth: researchDepth ?? undefined,
    scenario: scenario ?? undefined,
  });
}

/** A draft can be sent once it has text; pending uploads are waited for. */
function given({ folder }: Draft): GivenFolder | undefined {
  return folder === null ? undefined : { path: folder.path, access: folder.access };
}

export function isSendable(draft: Draft): boolean {
  return draft.text.trim() !== '';
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
          folder: draft.folder ?? before.folder,
        };
  return {
    ...state,
    queued: withEntry(state.queued, threadId, joined),
    drafts: withEntry(state.drafts, threadId, null),
  };
}

function giveBack(state: AppState, threadId: string): AppState {
  const draft = state.queued.get(threadId);
  if (draft === undefined) return state;
  const queued = withEntry(state.queued, threadId, null);
  return restore({ ...state, queued }, threadId, draft);
}

/** Puts a message before the text that was written in the meantime. */
function restore(state: AppState, threadId: string, draft: Draft): AppState {
  const current = draftOf(state, threadId);
  const text = [draft.text, current.text].filter((part) => part.trim() !== '').join('\n\n');
  const attachments = [...draft.attachments, ...current.attachments];
  // The choices of the text that is there stay; an empty box takes those of the message.
  const choices = current.text.trim() === '' ? draft : current;
  const folder = current.folder ?? draft.folder;
  return {
    ...state,
    drafts: withEntry(state.drafts, threadId, { ...choices, text, attachments, folder }),
  };
}
