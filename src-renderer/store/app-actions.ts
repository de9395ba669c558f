import type { AppPart, TaskApp } from '#contract/apps.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { saveBase64 } from '../bridge/save-file.ts';
import { appTabStrings as words } from '../strings/app-tab.ts';
import { withEntry } from './app-state.ts';
import { type ActionContext, ask, showToast } from './context.ts';
import type { DraftActions } from './draft-actions.ts';
import { draftOf } from './selectors.ts';

export interface AppActions {
  /** Reads the state of a task's app. */
  load(threadId: string): Promise<void>;
  receive(app: TaskApp): void;
  /** False if that failed, after saying so. */
  start(threadId: string): Promise<boolean>;
  stop(threadId: string): Promise<void>;
  show(threadId: string, port: number): Promise<void>;
  /** What the server printed last; null where that cannot be read now. */
  log(threadId: string): Promise<string | null>;
  /** Builds it for production; its state says how that goes. */
  build(threadId: string): Promise<void>;
  cancelBuild(threadId: string): Promise<void>;
  /** Saves its project or what was built as a zip file, and says what is not in it. */
  save(threadId: string, part: AppPart): Promise<void>;
  /** Restores the files of a state. False if that failed, after saying so. */
  goBack(threadId: string, snapshotId: string): Promise<boolean>;
  /** The app is looked at: its server goes on. */
  use(threadId: string): Promise<void>;
  /** Adds a text to the message that the user writes in this task; nothing is sent. */
  mention(threadId: string, text: string): void;
}

export function createAppActions(context: ActionContext, drafts: DraftActions): AppActions {
  const { store, bridge } = context;

  /** Only tasks at hand have an app here: what comes for others is read when they are opened. */
  function receive(app: TaskApp): void {
    store.update((state) =>
      state.openThreads.has(app.threadId)
        ? { ...state, apps: withEntry(state.apps, app.threadId, app) }
        : state,
    );
  }

  async function adopt(answer: Promise<TaskApp | null>): Promise<boolean> {
    const app = await answer;
    if (app !== null) receive(app);
    return app !== null;
  }

  return {
    receive,
    load: async (threadId) => {
      const result = await bridge.request('apps.state', { threadId });
      // A task that cannot be read says so itself.
      if (result.ok) receive(result.data);
    },
    start: (threadId) => adopt(ask(context, 'apps.start', { threadId })),
    stop: async (threadId) => {
      await adopt(ask(context, 'apps.stop', { threadId }));
    },
    show: async (threadId, port) => {
      await adopt(ask(context, 'apps.show', { threadId, port }));
    },
    log: async (threadId) => {
      const result = await bridge.request('apps.log', { threadId });
      return result.ok ? result.data.text : null;
    },
    build: async (threadId) => {
      await adopt(ask(context, 'apps.build', { threadId }));
    },
    cancelBuild: async (threadId) => {
      await adopt(ask(context, 'apps.cancelBuild', { threadId }));
    },
    save: async (threadId, part) => {
      const zip = await ask(context, 'apps.zip', { threadId, part });
      if (zip === null) return;
      const { fileName, data, leftOut } = zip;
      saveBase64({ fileName, data, mimeType: 'application/zip' });
      const names = leftOut.map(makeVisible);
      showToast(store, 'info', words.saved(makeVisible(fileName), names));
    },
    goBack: async (threadId, snapshotId) => {
      const restored = await ask(context, 'snapshots.restore', { threadId, snapshotId });
      if (restored === null) return false;
      const kept = restored.kept.map(makeVisible);
      if (kept.length > 0) showToast(store, 'info', words.states.kept(kept));
      return true;
    },
    use: async (threadId) => {
      await bridge.request('apps.use', { threadId });
    },
    mention: (threadId, text) => {
      const { text: before } = draftOf(store.get(), threadId);
      const gap = before.trim() === '' ? '' : `${before.trimEnd()}\n\n`;
      drafts.change(threadId, { text: `${gap}${text}` });
    },
  };
}
