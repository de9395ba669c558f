import type { BrowserControl } from '#contract/browser.ts';
import { AppError } from '#contract/errors.ts';
import { untilAborted } from './until-aborted.ts';

/** Who may act in a browser: a lease that the user takes at any moment, and gives back. */
export class Control {
  #holder: BrowserControl = 'nobody';
  /** Resolves when the user hands the browser back. */
  #back: PromiseWithResolvers<void> | null = null;
  #taking = new AbortController();

  get holder(): BrowserControl {
    return this.#holder;
  }

  /** Aborts what the agent is doing once the user takes over. */
  get taken(): AbortSignal {
    return this.#taking.signal;
  }

  /** False where the user has it already. */
  take(): boolean {
    if (this.#holder === 'user') return false;
    this.#holder = 'user';
    this.#back = Promise.withResolvers();
    this.#taking.abort(new Error('The user took over.'));
    return true;
  }

  /** The agent goes on where a run is active. */
  handBack(isRunActive: boolean): void {
    this.#holder = isRunActive ? 'agent' : 'nobody';
    this.#taking = new AbortController();
    this.#back?.resolve();
    this.#back = null;
  }

  /** Resolves once the agent may act, and has control then. Rejects with the signal's reason. */
  async untilAgent(signal: AbortSignal): Promise<void> {
    while (this.#back !== null) await untilAborted(this.#back.promise, signal);
    signal.throwIfAborted();
    this.#holder = 'agent';
  }

  /** The run of the agent has ended. */
  release(): void {
    if (this.#holder === 'agent') this.#holder = 'nobody';
  }

  /** Throws `CONFLICT` unless the user has control. */
  requireUser(): void {
    if (this.#holder === 'user') return;
    throw new AppError('CONFLICT', 'The agent has control of the browser. Take over first.');
  }
}
