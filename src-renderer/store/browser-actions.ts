import type {
  BrowserFrame,
  BrowserInput,
  BrowserSelection,
  BrowserState,
} from '#contract/browser.ts';
import { ATTACHMENT_LIMIT_BYTES, ATTACHMENT_LIMIT_COUNT } from '#contract/limits.ts';
import type { RequestInput } from '#contract/requests.ts';
import { readAsBase64 } from '../bridge/read-file.ts';
import { browserStrings } from '../strings/browser.ts';
import { withEntry, withMember } from './app-state.ts';
import { type ActionContext, ask, showToast } from './context.ts';

/** Draws a picture of a page. Resolves once it is on the screen, or could not be drawn. */
type DrawFrame = (frame: BrowserFrame) => Promise<void>;

export interface BrowserActions {
  /** Reads the state of a task's browser. */
  load(threadId: string): Promise<void>;
  receive(browser: BrowserState): void;
  /** Adds the Browser tab to a task that has not used a browser. */
  open(threadId: string): void;
  /**
   * Draws the pictures of a task's page until the returned function is called. They are kept nowhere: what is on the
   * page while the user has control is nobody else's.
   */
  watch(threadId: string, draw: DrawFrame): () => void;
  draw(frame: BrowserFrame): void;
  /** Whether handing back lets the agent see what the user typed. It counts once. */
  showTyped(threadId: string, isShown: boolean): void;
  /** False if that failed, after saying so. */
  control(threadId: string, action: 'take' | 'hand_back'): Promise<boolean>;
  go(threadId: string, to: RequestInput<'browser.go'>['to']): Promise<void>;
  input(threadId: string, inputs: readonly BrowserInput[]): Promise<void>;
  /** What is selected in the page: kept nowhere. Null if that failed, after saying so. */
  selection(threadId: string): Promise<BrowserSelection | null>;
  /** Gives files of this computer to the page that asks for them; none cancels. False if that failed, after saying so. */
  giveFiles(threadId: string, chooserId: string, files: readonly File[]): Promise<boolean>;
  /** Signs the task in with what the user saved. */
  signIn(threadId: string, signInId: string): Promise<void>;
  /** Ends the browser of the task. */
  close(threadId: string): Promise<void>;
}

export function createBrowserActions(context: ActionContext): BrowserActions {
  const { store, bridge } = context;
  const viewers = new Map<string, DrawFrame>();

  /** Only tasks at hand have a browser here: what comes for others is read when they are opened. */
  function receive(browser: BrowserState): void {
    store.update((state) =>
      state.openThreads.has(browser.threadId)
        ? { ...state, browsers: withEntry(state.browsers, browser.threadId, browser) }
        : state,
    );
  }

  function showTyped(threadId: string, isShown: boolean): void {
    store.update((state) => ({
      ...state,
      typedShown: withMember(state.typedShown, threadId, isShown),
    }));
  }

  async function adopt(answer: Promise<BrowserState | null>): Promise<boolean> {
    const browser = await answer;
    if (browser !== null) receive(browser);
    return browser !== null;
  }

  return {
    receive,
    load: async (threadId) => {
      const result = await bridge.request('browser.state', { threadId });
      // A task that cannot be read says so itself.
      if (result.ok) receive(result.data);
    },
    open: (threadId) =>
      store.update((state) => ({
        ...state,
        browserTabs: withMember(state.browserTabs, threadId, true),
      })),
    watch: (threadId, draw) => {
      viewers.set(threadId, draw);
      void adopt(ask(context, 'browser.watch', { threadId }));
      return () => {
        if (viewers.get(threadId) !== draw) return;
        viewers.delete(threadId);
        void bridge.request('browser.unwatch', { threadId });
      };
    },
    draw: (frame) => {
      const { threadId, number } = frame;
      const viewer = viewers.get(threadId);
      void viewer?.(frame).then(() => {
        if (viewers.get(threadId) === viewer)
          void bridge.request('browser.drawn', { threadId, number });
      });
    },
    showTyped,
    control: async (threadId, action) => {
      const shows = action === 'hand_back' && store.get().typedShown.has(threadId);
      const given = { threadId, action, ...(shows && { showTyped: true }) };
      const isDone = await adopt(ask(context, 'browser.control', given));
      if (isDone) showTyped(threadId, false);
      return isDone;
    },
    go: async (threadId, to) => {
      await adopt(ask(context, 'browser.go', { threadId, to }));
    },
    input: async (threadId, inputs) => {
      await ask(context, 'browser.input', { threadId, inputs: [...inputs] });
    },
    selection: (threadId) => ask(context, 'browser.selection', { threadId }),
    giveFiles: async (threadId, chooserId, files) => {
      if (files.reduce((sum, { size }) => sum + size, 0) > ATTACHMENT_LIMIT_BYTES) {
        showToast(store, 'error', browserStrings.chooser.tooLarge(ATTACHMENT_LIMIT_BYTES));
        return false;
      }
      if (files.length > ATTACHMENT_LIMIT_COUNT) {
        showToast(store, 'error', browserStrings.chooser.tooMany(ATTACHMENT_LIMIT_COUNT));
        return false;
      }
      const read = files.map(async (file) => ({
        ...{ name: file.name, mimeType: file.type.slice(0, 255), data: await readAsBase64(file) },
      }));
      try {
        const all = await Promise.all(read);
        return await adopt(ask(context, 'browser.giveFiles', { threadId, chooserId, files: all }));
      } catch {
        // One is gone, or may not be read.
        showToast(store, 'error', browserStrings.chooser.unreadable);
        return false;
      }
    },
    signIn: async (threadId, signInId) => {
      await adopt(ask(context, 'signIns.use', { threadId, signInId }));
    },
    close: async (threadId) => {
      await adopt(ask(context, 'browser.close', { threadId }));
    },
  };
}
