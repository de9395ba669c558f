import type { Locator } from 'playwright-core';
import type { BrowserControl, BrowserState } from '#contract/browser.ts';
import { isAbortError } from '../base/abort.ts';
import type { EgressClient } from '../egress/types.ts';
import { ActionFailed, browserLost, failureOf, isGone, isTimeout } from './action-failed.ts';
import { elementIn, targetOf } from './action-target.ts';
import { Control } from './control.ts';
import { type Done, doAction } from './do-action.ts';
import { LiveView } from './live-view.ts';
import { isLook } from './looks.ts';
import { type OpenContext, VIEWPORT } from './open-context.ts';
import { openPage } from './open-page.ts';
import { isOnPreview, type OwnPreview, withPreview } from './preview-egress.ts';
import { PrivateValues } from './private-values.ts';
import { RefSpace } from './ref-space.ts';
import { type ActionResult, reportAction } from './report-action.ts';
import { doTabs } from './tab-actions.ts';
import { TabStrip } from './tab-strip.ts';
import { TaskContext } from './task-context.ts';
import type {
  ActingRun,
  ActionOutcome,
  BrowserAction,
  HandBack,
  ShownElement,
  TaskBrowser,
} from './types.ts';
import { untilAborted } from './until-aborted.ts';
import { UserControl } from './user-control.ts';

/** One action, with everything that it waits for. */
const ACTION_MS = 30_000;
/** Waiting until the page is quiet, and looking at it. */
const REPORT_MS = 12_000;
const NO_PAGE = 'No page is open: use browser_navigate first.';
const STUCK =
  'The page does not answer: it is busy without end, or it crashed. Its tab was closed; open a page by browser_navigate.';
const REOPENED =
  'The browser had ended. Its page was opened again, without sign-ins and what was filled in.';
const NOT_DONE = 'Nothing was done: the refs of before are gone.';
const USER_ACTED = 'The user acted in the browser meanwhile. This is the page now.';

export interface ChromiumTaskParts {
  readonly threadId: string;
  /** Opens a context whose connections go through `client`. Throws `BROWSER_UNAVAILABLE`. */
  readonly open: (client: () => EgressClient) => Promise<OpenContext>;
  /** The network while the user drives and no run is active. */
  readonly userEgress: () => EgressClient;
  /** The preview of the app of this task; null where none is open. */
  readonly preview: () => OwnPreview | null;
  /** The network while nobody may act. */
  readonly noEgress: EgressClient;
  readonly onChange: (state: BrowserState) => void;
  /** The page that a run was at when it was cut off; null for none. */
  readonly lastPage: (runId: string) => string | null;
  /** Something was done: the idle time starts again. */
  readonly onUse: () => void;
}

/** The browser of one task: a context with its tabs, who has control of it, and what the model saw of it. */
export class ChromiumTask implements TaskBrowser {
  readonly live: LiveView;
  readonly user: UserControl;
  readonly #parts: ChromiumTaskParts;
  readonly #refs = new RefSpace();
  readonly #private = new PrivateValues();
  readonly #control = new Control();
  readonly #tabs: TabStrip;
  readonly #context: TaskContext;
  #run: ActingRun | null = null;
  #userActed = false;
  #mark: BrowserState['mark'] = null;
  /** Actions are done one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #acting = 0;
  /** Aborts what is being done in a browser that is closed. */
  #closing = new AbortController();

  constructor(parts: ChromiumTaskParts) {
    this.#parts = parts;
    this.live = new LiveView(parts.threadId);
    this.user = new UserControl({
      ...{ control: this.#control, values: this.#private, tabs: () => this.#tabs },
      ...{ onUse: parts.onUse, onChange: () => this.#changed() },
    });
    this.#tabs = new TabStrip({
      refs: this.#refs,
      isUser: () => this.#control.holder === 'user',
      onShow: (page) => this.live.show(page),
      onChange: () => this.#changed(),
      onOpen: (tab) => this.user.opened(tab),
      onDownload: (download) => {
        const { downloads } = this.#context;
        if (this.#run === null || downloads === null) download.cancel().catch(() => undefined);
        else downloads.add(download, this.#run.workspace);
      },
    });
    this.#context = new TaskContext(() => parts.open(() => this.#egress()), this.#tabs);
  }

  get url(): string | null {
    const tab = this.#tabs.current;
    return tab === null ? null : this.#private.hideInUrl(tab.url);
  }

  get dialog(): BrowserState['dialog'] {
    const { dialog } = this.#tabs;
    return dialog === null ? null : { ...dialog, message: this.#private.hide(dialog.message) };
  }

  get control(): BrowserControl {
    return this.#control.holder;
  }

  get isActing(): boolean {
    return this.#acting > 0;
  }

  isPreview(url: string | null): boolean {
    return isOnPreview(url, this.#parts.preview());
  }

  shown(ref: string): ShownElement | null {
    const element = elementIn(this.#tabs.current, ref);
    return element === undefined ? null : this.#private.hideIn(element);
  }

  state(): BrowserState {
    const tab = this.#tabs.current;
    return {
      threadId: this.#parts.threadId,
      isOpen: this.#context.isOpen,
      control: this.#control.holder,
      tabs: this.#tabs.shown(),
      tabId: tab?.id ?? null,
      isLoading: tab?.activity.isLoading ?? false,
      viewport: VIEWPORT,
      mark: this.#mark,
      dialog: this.#tabs.dialog,
      chooser: this.user.chooser(tab),
      problem: this.#context.problem,
    };
  }

  async act(action: BrowserAction, run: ActingRun): Promise<ActionOutcome> {
    const turn = this.#queue.then(() => this.#turn(action, run));
    this.#queue = turn.catch(() => undefined);
    this.#acting += 1;
    try {
      return await turn;
    } finally {
      this.#acting -= 1;
    }
  }

  /** Nothing reaches the network for this run any more. */
  leave(runId: string): void {
    if (this.#run?.runId !== runId) return;
    this.#run = null;
    this.#control.release();
    this.#changed();
  }

  async take(): Promise<void> {
    if (!this.#control.take()) return;
    this.#mark = null;
    this.#changed();
    try {
      await this.#context.ensure();
      if (this.#tabs.current === null) await this.#tabs.open();
    } catch (error) {
      this.#context.problem = error instanceof Error ? error.message : String(error);
      this.#control.handBack(this.#run !== null);
      this.#changed();
      throw error;
    }
    await this.user.begin();
    this.#changed();
  }

  async handBack(how: HandBack = { showTyped: false }): Promise<void> {
    if (this.#control.holder !== 'user') return;
    await this.user.end(how);
    this.#userActed = true;
    this.#control.handBack(this.#run !== null);
    this.#changed();
  }

  async close(): Promise<void> {
    this.#closing.abort(browserLost());
    this.#closing = new AbortController();
    await this.#context.close();
    await this.handBack();
  }

  async #turn(action: BrowserAction, run: ActingRun): Promise<ActionOutcome> {
    run.signal.throwIfAborted();
    this.#parts.onUse();
    const target = this.#private.hide(targetOf(action, this.#tabs.current));
    const shown = {
      ...{ type: 'browser_action' as const, actionId: run.toolCallId, action: action.kind },
      ...(target === '' ? {} : { target }),
    };
    run.emit({ ...shown, status: 'running' });
    try {
      await this.#control.untilAgent(run.signal);
      this.#run = run;
      const outcome = await this.#perform(action, run);
      const at = outcome.url === null ? {} : { url: outcome.url.slice(0, 2_000) };
      run.emit({ ...shown, ...at, status: outcome.ok ? 'completed' : 'failed' });
      return { ...outcome, text: this.#private.hide(outcome.text) };
    } catch (error) {
      run.emit({ ...shown, status: 'failed' });
      throw error;
    } finally {
      this.#mark = null;
      this.#parts.onUse();
      this.#changed();
    }
  }

  async #perform(action: BrowserAction, run: ActingRun): Promise<ActionOutcome> {
    const opensPage =
      action.kind === 'navigate' || (action.kind === 'tabs' && action.open === true);
    const wasOpen = this.#context.isOpen;
    const lost = opensPage || wasOpen ? null : this.#parts.lastPage(run.runId);
    const hasPage = opensPage || lost !== null || this.#tabs.current !== null;
    if (!hasPage) return { ok: false, text: NO_PAGE, url: null };
    const closing = this.#closing.signal;
    await untilAborted(this.#context.ensure(), AbortSignal.any([run.signal, closing]));
    const streamUrl = `browser:${this.#parts.threadId}`;
    if (!wasOpen) run.emit({ type: 'browser_stream', streamUrl, label: 'Browser' });
    const isFresh = this.#userActed;
    this.#userActed = false;
    this.#tabs.begin(isFresh ? [USER_ACTED] : []);
    const limit = AbortSignal.timeout(ACTION_MS);
    const signal = this.#whileGoing(run, limit);
    try {
      if (action.kind === 'navigate') await untilAborted(this.#readyTab(), signal);
      if (lost !== null && !(await this.#reopen(lost, { action, signal }))) {
        return await this.#describe(run, { ok: false, said: NOT_DONE, done: null, isFresh: true });
      }
      const done = await this.#tabs.untilDialog(this.#start(action, { run, signal }), signal);
      return await this.#describe(run, { ok: true, said: done?.said ?? '', done, isFresh });
    } catch (error) {
      if (closing.aborted) throw browserLost();
      const failure = limit.aborted || isAbortError(error) ? null : failureOf(error);
      if (failure === null) return await this.#afterFailure(error, run, limit.aborted);
      try {
        return await this.#describe(run, { ok: false, said: failure, done: null, isFresh: true });
      } catch (again) {
        return await this.#afterFailure(again, run, true);
      }
    }
  }

  /** Opens the page again that was lost with the browser. False where the action cannot be meant for it as it is now. */
  async #reopen(
    url: string,
    { action, signal }: { readonly action: BrowserAction; readonly signal: AbortSignal },
  ): Promise<boolean> {
    await untilAborted(this.#readyTab(), signal);
    const page = this.#tabs.current?.page;
    if (page !== undefined) await openPage(page, url, signal);
    this.#tabs.note(REOPENED);
    return isLook(action);
  }

  #whileGoing(run: ActingRun, limit: AbortSignal): AbortSignal {
    return AbortSignal.any([run.signal, this.#control.taken, this.#closing.signal, limit]);
  }

  /** What is left to say where neither the action nor a look at the page worked. */
  async #afterFailure(error: unknown, run: ActingRun, isLate: boolean): Promise<ActionOutcome> {
    if (this.#context.hasEnded) throw browserLost();
    run.signal.throwIfAborted();
    if (this.#control.holder === 'user') return await this.#takenOver(run);
    if (!isLate && !isTimeout(error) && !isGone(error)) throw error;
    // A page that does not answer is left behind in its tab.
    const tab = this.#tabs.current;
    if (tab !== null) this.#tabs.drop(tab);
    return { ok: false, text: [...this.#tabs.notes, STUCK].join('\n'), url: this.url };
  }

  async #start(
    action: BrowserAction,
    { run, signal }: { readonly run: ActingRun; readonly signal: AbortSignal },
  ): Promise<Done> {
    if (action.kind === 'tabs') return await doTabs(this.#tabs, action);
    if (action.kind === 'dialog') {
      await this.#tabs.answerDialog(action.accept, action.text);
      return { said: action.accept ? 'Accepted the dialog.' : 'Dismissed the dialog.' };
    }
    const tab = this.#tabs.current;
    if (tab === null) throw new ActionFailed(NO_PAGE);
    if (tab.dialog !== null) {
      throw new ActionFailed('Nothing can be done before the dialog of the page is answered.');
    }
    tab.activity.begin();
    return await doAction(action, {
      ...{ tab, refs: this.#refs, run, signal },
      mark: (element) => this.#markAt(element),
      values: this.#private,
    });
  }

  /** Puts into words what was done, and what the page shows once it is quiet. */
  async #describe(run: ActingRun, result: ActionResult): Promise<ActionOutcome> {
    const limit = AbortSignal.timeout(REPORT_MS);
    const signal = this.#whileGoing(run, limit);
    const report = reportAction(result, {
      ...{ run, tabs: this.#tabs, refs: this.#refs, downloads: this.#context.downloads, signal },
      url: () => this.url,
    });
    return await untilAborted(report, signal);
  }

  /** The user took over in the middle of an action: what came of it is only known by looking afterwards. */
  async #takenOver(run: ActingRun): Promise<ActionOutcome> {
    await this.#control.untilAgent(run.signal);
    this.#userActed = false;
    this.#tabs.begin([USER_ACTED]);
    const said = 'The user took over while this was being done: it may or may not have been done.';
    try {
      return await this.#describe(run, { ok: false, said, done: null, isFresh: true });
    } catch {
      if (this.#context.hasEnded) throw browserLost();
      run.signal.throwIfAborted();
      // Taken again: the next action looks.
      return { ok: false, text: said, url: this.url };
    }
  }

  #egress(): EgressClient {
    return withPreview(this.#network(), this.#parts.preview);
  }

  #network(): EgressClient {
    if (this.#run !== null) return this.#run.egress.client('browser');
    return this.#control.holder === 'user' ? this.#parts.userEgress() : this.#parts.noEgress;
  }

  async #readyTab(): Promise<void> {
    const tab = this.#tabs.current;
    if (tab?.dialog != null) await this.#tabs.answerDialog(false);
    if (tab === null || tab.page.isClosed()) await this.#tabs.open();
  }

  async #markAt(element: Locator): Promise<void> {
    this.#mark = (await element.boundingBox({ timeout: 500 }).catch(() => null)) ?? null;
    this.#changed();
  }

  #changed(): void {
    this.#parts.onChange(this.state());
  }
}
