import type { TaskApp } from '#contract/apps.ts';
import { withEntry } from './app-state.ts';
import { type ActionContext, ask } from './context.ts';
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
