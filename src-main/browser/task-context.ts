import { AppError } from '#contract/errors.ts';
import { BROWSER_ENDED } from './action-failed.ts';
import { DownloadKeeper } from './downloads.ts';
import type { OpenContext } from './open-context.ts';
import type { TabStrip } from './tab-strip.ts';

/** The context of a task: opened when it is first needed, and again after it ended. */
export class TaskContext {
  readonly #openContext: () => Promise<OpenContext>;
  readonly #tabs: TabStrip;
  #open: OpenContext | null = null;
  #opening: Promise<OpenContext> | null = null;
  #downloads: DownloadKeeper | null = null;
  /** Why there is none, where that is not what the user wanted. */
  problem: string | null = null;

  constructor(openContext: () => Promise<OpenContext>, tabs: TabStrip) {
    this.#openContext = openContext;
    this.#tabs = tabs;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  get downloads(): DownloadKeeper | null {
    return this.#downloads;
  }

  /** The browser is gone, though that may not have been reported yet. */
  get hasEnded(): boolean {
    return this.#open?.context.browser()?.isConnected() !== true;
  }

  /** Throws `BROWSER_UNAVAILABLE`. */
  async ensure(): Promise<void> {
    if (this.#open !== null) return;
    this.#opening ??= this.#openContext();
    try {
      const open = await this.#opening;
      if (this.#open !== null) return;
      this.#open = open;
      this.problem = null;
      this.#downloads = new DownloadKeeper(open.downloadsDir);
      this.#tabs.attach(open.context);
      open.context.on('close', () => {
        if (this.#open === open) this.#lost(BROWSER_ENDED);
      });
    } catch (error) {
      if (error instanceof AppError) this.problem = error.message;
      throw error;
    } finally {
      this.#opening = null;
    }
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => null);
    const open = this.#open;
    if (open === null) return;
    this.#lost(null);
    await open.close();
  }

  #lost(problem: string | null): void {
    this.#open = null;
    this.problem = problem;
    this.#downloads?.[Symbol.dispose]();
    this.#downloads = null;
    this.#tabs.detach();
  }
}
