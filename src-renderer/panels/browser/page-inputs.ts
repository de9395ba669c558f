import type { BrowserInput } from '#contract/browser.ts';

/** Inputs in one request: fewer than main takes. */
const INPUTS_AT_ONCE = 50;
/** What main takes as one distance, in CSS pixels. */
const FARTHEST = 10_000;

export interface PageInputsOptions {
  /** Sends inputs; resolves when main has passed them on. */
  readonly send: (inputs: readonly BrowserInput[]) => Promise<void>;
  /** Calls back before the next frame of the screen. */
  readonly schedule: (callback: () => void) => void;
}

/**
 * What the user does in a page, on its way to main: in order, at most one request for each frame of the screen, and
 * none while one is under way. Moves of the mouse and turns of the wheel that wait become one.
 */
export class PageInputs {
  readonly #options: PageInputsOptions;
  #waiting: BrowserInput[] = [];
  #isBusy = false;

  constructor(options: PageInputsOptions) {
    this.#options = options;
  }

  add(input: BrowserInput): void {
    const merged = merge(this.#waiting.at(-1), input);
    if (merged === null) this.#waiting.push(input);
    else this.#waiting[this.#waiting.length - 1] = merged;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isBusy || this.#waiting.length === 0) return;
    this.#isBusy = true;
    this.#options.schedule(() => {
      const inputs = this.#waiting.splice(0, INPUTS_AT_ONCE);
      void this.#options.send(inputs).finally(() => {
        this.#isBusy = false;
        this.#schedule();
      });
    });
  }
}

/** One input in place of two; null where both count. */
function merge(before: BrowserInput | undefined, next: BrowserInput): BrowserInput | null {
  if (before?.type === 'mouse_move' && next.type === 'mouse_move') return next;
  if (before?.type !== 'wheel' || next.type !== 'wheel') return null;
  return { ...next, dx: bounded(before.dx + next.dx), dy: bounded(before.dy + next.dy) };
}

export function bounded(pixels: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, pixels));
}
