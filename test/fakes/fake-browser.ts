import type { BrowserInput, BrowserSelection, BrowserState } from '#contract/browser.ts';
import type { PushMessage, RequestInput, RequestOutput } from '#contract/requests.ts';
import { FakeSignIns } from './fake-sign-ins.ts';
import { Refusal } from './refusal.ts';

/** A picture of one grey pixel. */
const GREY =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z';

const VIEWPORT = { width: 1280, height: 800 };

const CLOSED = {
  ...{ isOpen: false, control: 'nobody', tabs: [], tabId: null, isLoading: false },
  ...{ viewport: VIEWPORT, mark: null, dialog: null, chooser: null, problem: null },
} as const satisfies Omit<BrowserState, 'threadId'>;

/** Browsers as main has them: a page that is drawn here, control that can be taken, inputs that are written down. */
export class FakeBrowser {
  /** What the user did in pages, oldest first. */
  readonly inputs: BrowserInput[] = [];
  /** Pictures that were sent, and the numbers of those that were drawn. */
  readonly sent: number[] = [];
  readonly drawn: number[] = [];
  /** Draws a page as JPEG, in base64. A real window has something to draw on. */
  picture: (state: BrowserState, inputs: readonly BrowserInput[]) => Promise<string> = async () =>
    GREY;
  /** Tasks with a window that watches. */
  readonly watched = new Set<string>();
  /** What is selected in the page. */
  selection: BrowserSelection = { text: '', canCut: false };
  /** Files that pages got, by name, kind and content. */
  readonly given: string[][][] = [];
  readonly signIns = new FakeSignIns(this);
  readonly #states = new Map<string, BrowserState>();
  readonly #push: (message: PushMessage) => void;
  #nextTab = 1;
  #isStale = false;

  constructor(push: (message: PushMessage) => void) {
    this.#push = push;
  }

  state(threadId: string): BrowserState {
    return this.#states.get(threadId) ?? { threadId, ...CLOSED };
  }

  /** Changes a browser as a page or the agent does, and tells windows. */
  change(threadId: string, change: Partial<BrowserState>): BrowserState {
    const browser = { ...this.state(threadId), ...change };
    this.#states.set(threadId, browser);
    this.#push({ kind: 'browser_changed', browser });
    void this.paint(threadId);
    return browser;
  }

  /** Opens a page in a new tab. */
  openPage(threadId: string, page: { readonly title: string; readonly url: string }): BrowserState {
    const id = `tab-${this.#nextTab++}`;
    const { tabs } = this.state(threadId);
    return this.change(threadId, { isOpen: true, tabs: [...tabs, { id, ...page }], tabId: id });
  }

  /** Sends a picture of the page, once the one before is drawn. */
  async paint(threadId: string): Promise<void> {
    if (!this.watched.has(threadId) || !this.state(threadId).isOpen) return;
    this.#isStale = this.sent.length > this.drawn.length;
    if (this.#isStale) return;
    const number = this.sent.length + 1;
    this.sent.push(number);
    const data = await this.picture(this.state(threadId), this.inputs);
    this.#push({ kind: 'browser_frame', frame: { threadId, number, data } });
  }

  #withControl(threadId: string): BrowserState {
    const state = this.state(threadId);
    if (state.control === 'user') return state;
    throw new Refusal('CONFLICT', 'The agent has control. Take over first.');
  }

  go({ threadId, to }: RequestInput<'browser.go'>): BrowserState {
    const { tabs, tabId } = this.#withControl(threadId);
    if (typeof to === 'string') {
      if (to === 'new_tab') return this.openPage(threadId, { title: '', url: 'about:blank' });
      return this.change(threadId, { isLoading: to === 'reload' });
    }
    if ('accept' in to) return this.change(threadId, { dialog: null });
    if ('showTab' in to) return this.change(threadId, { tabId: to.showTab });
    if ('closeTab' in to) {
      const left = tabs.filter(({ id }) => id !== to.closeTab);
      const shown = tabId === to.closeTab ? (left.at(-1)?.id ?? null) : tabId;
      return this.change(threadId, { tabs: left, tabId: shown, isOpen: left.length > 0 });
    }
    const url = /^[a-z]+:/i.test(to.url) ? to.url : `https://${to.url}`;
    const page = { title: new URL(url).host, url };
    return this.change(threadId, {
      tabs: tabs.map((tab) => (tab.id === tabId ? { ...tab, ...page } : tab)),
    });
  }

  readonly handlers = {
    'browser.state': ({ threadId }: RequestInput<'browser.state'>) => this.state(threadId),
    'browser.watch': ({ threadId }: RequestInput<'browser.watch'>) => {
      this.watched.add(threadId);
      this.sent.length = 0;
      this.drawn.length = 0;
      void this.paint(threadId);
      return this.state(threadId);
    },
    'browser.unwatch': ({ threadId }: RequestInput<'browser.unwatch'>) => {
      this.watched.delete(threadId);
      return {};
    },
    'browser.drawn': ({ threadId, number }: RequestInput<'browser.drawn'>) => {
      this.drawn.push(number);
      if (this.#isStale) void this.paint(threadId);
      return {};
    },
    'browser.control': ({
      threadId,
      action,
    }: RequestInput<'browser.control'>): RequestOutput<'browser.control'> => {
      const { isOpen, problem } = this.state(threadId);
      if (action === 'hand_back')
        return this.change(threadId, { control: 'nobody', chooser: null });
      if (problem !== null) throw new Refusal('BROWSER_UNAVAILABLE', problem);
      if (!isOpen) this.openPage(threadId, { title: '', url: 'about:blank' });
      return this.change(threadId, { control: 'user', mark: null });
    },
    'browser.input': ({ threadId, inputs }: RequestInput<'browser.input'>) => {
      this.#withControl(threadId);
      this.inputs.push(...inputs);
      void this.paint(threadId);
      return {};
    },
    'browser.selection': ({ threadId }: RequestInput<'browser.selection'>) => {
      this.#withControl(threadId);
      return this.selection;
    },
    'browser.giveFiles': ({ threadId, files }: RequestInput<'browser.giveFiles'>) => {
      this.#withControl(threadId);
      this.given.push(files.map(({ name, mimeType, data }) => [name, mimeType, atob(data)]));
      return this.change(threadId, { chooser: null });
    },
    'browser.go': (input: RequestInput<'browser.go'>) => this.go(input),
    'browser.close': ({ threadId }: RequestInput<'browser.close'>) =>
      this.change(threadId, { ...CLOSED }),
    ...this.signIns.handlers,
  };
}
