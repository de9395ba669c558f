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

/** What has its turn between inputs. Those that it returns come next. */
type Between = () => Promise<readonly BrowserInput[]>;

/**
 * What the user does in a page, on its way to main: in order, at most one request for each frame of the screen, and
 * none while one is under way. Moves of the mouse and turns of the wheel that wait become one.
 */
export class PageInputs {
  readonly #options: PageInputsOptions;
  #waiting: (BrowserInput | Between)[] = [];
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

  /** Does something once main has passed on all inputs so far; later ones wait for it. */
  between(work: Between): void {
    this.#waiting.push(work);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isBusy || this.#waiting.length === 0) return;
    this.#isBusy = true;
    this.#options.schedule(() => {
      void this.#next().finally(() => {
        this.#isBusy = false;
        this.#schedule();
      });
    });
  }

  async #next(): Promise<void> {
    const [first] = this.#waiting;
    if (typeof first === 'function') {
      this.#waiting.shift();
      this.#waiting.unshift(...(await first()));
      return;
    }
    const inputs: BrowserInput[] = [];
    for (const one of this.#waiting.slice(0, INPUTS_AT_ONCE)) {
      if (typeof one === 'function') break;
      inputs.push(one);
    }
    this.#waiting.splice(0, inputs.length);
    await this.#options.send(inputs);
  }
}

/** One input in place of two; null where both count. */
function merge(
  before: BrowserInput | Between | undefined,
  next: BrowserInput,
): BrowserInput | null {
  if (typeof before === 'function') return null;
  if (before?.type === 'mouse_move' && next.type === 'mouse_move') return next;
  if (before?.type !== 'wheel' || next.type !== 'wheel') return null;
  return { ...next, dx: bounded(before.dx + next.dx), dy: bounded(before.dy + next.dy) };
}

export function bounded(pixels: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, pixels));
}
