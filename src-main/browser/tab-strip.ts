import type { BrowserContext, Dialog, Download, Page } from 'playwright-core';
import type { BrowserState } from '#contract/browser.ts';
import { AppError } from '#contract/errors.ts';
import { ActionFailed } from './action-failed.ts';
import { closePage } from './leave-page.ts';
import { ask } from './page-script.ts';
import type { RefSpace } from './ref-space.ts';
import { Tab } from './tab.ts';
import { untilAborted } from './until-aborted.ts';

const MOST_TABS = 10;
/** Dialogs that one action may open; a page that opens more is closed. */
const MOST_DIALOGS = 20;

export interface TabStripParts {
  readonly refs: RefSpace;
  /** Dialogs are left to the user while they have control. */
  readonly isUser: () => boolean;
  readonly onShow: (page: Page | null) => void;
  readonly onChange: () => void;
  readonly onOpen: (tab: Tab) => void;
  readonly onDownload: (download: Download) => void;
}

/** The tabs of a browser, and what pages do by themselves: open others, ask by dialogs, crash. */
export class TabStrip {
  readonly #parts: TabStripParts;
  #context: BrowserContext | null = null;
  #tabs: Tab[] = [];
  #current: Tab | null = null;
  #count = 0;
  /** What happened during the current action besides it. */
  #notes: string[] = [];
  #dialogs = 0;
  /** Called when a dialog waits for the agent's answer; null where nobody would answer. */
  #onDialog: (() => void) | null = null;

  constructor(parts: TabStripParts) {
    this.#parts = parts;
  }

  get current(): Tab | null {
    return this.#current;
  }

  get all(): readonly Tab[] {
    return this.#tabs;
  }

  /** For windows. */
  shown(): BrowserState['tabs'] {
    return this.#tabs.map(({ id, title, url }) => {
      return { id, title: title.slice(0, 200), url: url.slice(0, 2_000) };
    });
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  /** The open dialog of the shown page. */
  get dialog(): BrowserState['dialog'] {
    const dialog = this.#current?.dialog ?? null;
    if (dialog === null) return null;
    const kind = dialog.type() as NonNullable<BrowserState['dialog']>['kind'];
    return { kind, message: dialog.message().slice(0, 2_000) };
  }

  /** An action begins. */
  begin(notes: readonly string[]): void {
    this.#notes = [...notes];
    this.#dialogs = 0;
  }

  note(text: string): void {
    if (!this.#notes.includes(text)) this.#notes.push(text);
  }

  /** Follows the pages of a context. */
  attach(context: BrowserContext): void {
    this.#context = context;
    context.on('page', (page) => this.#add(page));
  }

  /** The context is gone, with all of its pages. */
  detach(): void {
    this.#context = null;
    this.#tabs = [];
    this.show(null);
  }

  async open(): Promise<void> {
    const page = await this.#context?.newPage();
    const tab = this.#tabs.find((one) => one.page === page);
    if (tab !== undefined) this.show(tab);
  }

  show(tab: Tab | null): void {
    this.#current = tab;
    this.#parts.onShow(tab?.page ?? null);
    this.#parts.onChange();
  }

  /** Leaves a page behind, whatever it does. */
  drop(tab: Tab): void {
    this.#forget(tab);
    void closePage(tab.page);
  }

  /** Throws `NOT_FOUND`. */
  byId(id: string): Tab {
    const tab = this.#tabs.find((one) => one.id === id);
    if (tab !== undefined) return tab;
    throw new AppError('NOT_FOUND', 'This tab is closed.');
  }

  /** Throws `ActionFailed` where no dialog is open. */
  async answerDialog(accept: boolean, text?: string): Promise<void> {
    const tab = this.#current;
    const dialog = tab?.dialog ?? null;
    if (tab === null || dialog === null) throw new ActionFailed('No dialog is open.');
    tab.dialog = null;
    await (accept ? dialog.accept(text) : dialog.dismiss());
    this.#parts.onChange();
  }

  /** The result of `work`, or null once a dialog opens: the page answers nothing until that is answered. */
  async untilDialog<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | null> {
    const opened = Promise.withResolvers<null>();
    this.#onDialog = () => opened.resolve(null);
    try {
      return await untilAborted(Promise.race([work, opened.promise]), signal);
    } finally {
      this.#onDialog = null;
    }
  }

  /** A line for each tab. */
  lines(): string[] {
    return this.#tabs.map((tab, i) => {
      const shown = tab === this.#current ? ' (shown)' : '';
      return `${i + 1}. ${tab.title.slice(0, 80)} - ${tab.url.slice(0, 200)}${shown}`;
    });
  }

  #add(page: Page): void {
    if (this.#tabs.length >= MOST_TABS) {
      this.note(`The page opened more than ${MOST_TABS} tabs: further ones were closed.`);
      void closePage(page);
      return;
    }
    this.#count += 1;
    const tab = new Tab(`tab_${this.#count}`, page);
    this.#tabs.push(tab);
    this.#parts.onOpen(tab);
    page.on('dialog', (dialog) => void this.#opened(tab, dialog));
    page.on('close', () => this.#forget(tab));
    page.on('crash', () => {
      this.note('The page crashed, and its tab was closed.');
      this.drop(tab);
    });
    page.on('download', this.#parts.onDownload);
    page.on('framedetached', (frame) => this.#parts.refs.forget(frame));
    page.on('domcontentloaded', () => void this.#readTitle(tab));
    page.on('load', () => void this.#readTitle(tab));
    if (this.#current === null) this.show(tab);
    else void this.#showOpened(tab);
  }

  /** Only the shown page may put another in its place; what pages behind it open stays there. */
  async #showOpened(tab: Tab): Promise<void> {
    const opener = await tab.page.opener();
    if (!this.#tabs.includes(tab)) return;
    if (opener !== null && opener === this.#current?.page) {
      this.note('A new tab was opened, and is shown now.');
      this.show(tab);
      return;
    }
    if (opener !== null) this.note('A page in another tab opened a new one, which is not shown.');
    this.#parts.onChange();
  }

  #forget(tab: Tab): void {
    const at = this.#tabs.indexOf(tab);
    if (at < 0) return;
    this.#tabs.splice(at, 1);
    if (this.#current === tab) this.show(this.#tabs[Math.max(0, at - 1)] ?? null);
    else this.#parts.onChange();
  }

  async #opened(tab: Tab, dialog: Dialog): Promise<void> {
    // It is being left.
    if (!this.#tabs.includes(tab)) return;
    this.#dialogs += 1;
    const kind = dialog.type();
    const isUser = this.#parts.isUser();
    if (this.#dialogs > MOST_DIALOGS && !isUser) {
      this.note('The page opened dialogs without end, and its tab was closed.');
      this.drop(tab);
      return;
    }
    // Leaving a page is what the agent asked for; an alert asks nothing.
    if (!isUser && (kind === 'alert' || kind === 'beforeunload')) {
      const when = kind === 'alert' ? '' : ', before it was left';
      this.note(`The page said${when}: "${dialog.message().slice(0, 300)}"`);
      await dialog.accept().catch(() => undefined);
      return;
    }
    if (!isUser && this.#onDialog === null) {
      await dialog.dismiss().catch(() => undefined);
      return;
    }
    tab.dialog = dialog;
    if (tab !== this.#current) this.show(tab);
    this.#parts.onChange();
    this.#onDialog?.();
  }

  async #readTitle(tab: Tab): Promise<void> {
    const look = ask(tab.page.mainFrame(), 'quiet', { timeoutMs: 1_000 });
    const quiet = await look.catch(() => null);
    if (quiet === null || quiet.title === tab.title) return;
    tab.title = quiet.title;
    this.#parts.onChange();
  }
}
