import { AppError } from '#contract/errors.ts';
import type { App } from '../compose/app.ts';

/** Opens the app: as the owner of the data folder, or (`secondary`) beside a process that owns it. */
type Open = (secondary: boolean) => Promise<App>;

/**
 * The app for a process that lives long and works rarely. The data folder belongs to it only while it is
 * held, so that the user can open the app in between.
 */
export class SharedApp implements AsyncDisposable {
  readonly #open: Open;
  #owner: Promise<App> | null = null;
  #holds = 0;
  #closing: Promise<void> = Promise.resolve();

  constructor(open: Open) {
    this.#open = open;
  }

  /**
   * Works with the app that may start runs; afterwards the folder is free unless a run keeps it. Throws `DATA_DIR_IN_USE`
   * while another process owns the folder.
   */
  async owning<T>(work: (app: App) => Promise<T>): Promise<T> {
    const app = await this.#hold();
    try {
      return await work(app);
    } finally {
      this.#release();
      if (this.#owner === null) await this.#closing;
    }
  }

  /** Keeps the folder until the run has ended or is parked. Call it within `owning`. */
  keepFor(app: App, runId: string): void {
    this.#holds += 1;
    void app.runs
      .settled(runId)
      .catch(() => undefined)
      .finally(() => this.#release());
  }

  /** As `owning`, but beside the owner if that is another process: there it answers questions and starts nothing. */
  async attached<T>(work: (app: App) => Promise<T>): Promise<T> {
    try {
      return await this.owning(work);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'DATA_DIR_IN_USE')) throw error;
    }
    return await this.#beside(work);
  }

  /** Reads stored data. Takes no folder that is free. */
  async reading<T>(work: (app: App) => Promise<T>): Promise<T> {
    return this.#owner === null ? await this.#beside(work) : await this.attached(work);
  }

  /** Stops the runs at a point where they can resume. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    await this.#closing;
  }

  async #beside<T>(work: (app: App) => Promise<T>): Promise<T> {
    await using app = await this.#open(true);
    return await work(app);
  }

  async #hold(): Promise<App> {
    this.#holds += 1;
    this.#owner ??= this.#closing.then(() => this.#open(false));
    const owner = this.#owner;
    try {
      return await owner;
    } catch (error) {
      this.#holds -= 1;
      if (this.#owner === owner) this.#owner = null;
      throw error;
    }
  }

  #release(): void {
    this.#holds -= 1;
    if (this.#holds === 0) this.#close();
  }

  #close(): void {
    const owner = this.#owner;
    this.#owner = null;
    if (owner === null) return;
    this.#closing = owner.then((app) => app[Symbol.asyncDispose]()).catch(() => undefined);
  }
}
