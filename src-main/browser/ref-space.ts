import type { Frame } from 'playwright-core';

/** An element by its frame and its number in it. */
export interface FrameRef {
  readonly frame: Frame;
  readonly ref: number;
}

const REF = /^\[?(?:f(\d{1,6}))?e(\d{1,9})\]?$/i;

/**
 * The refs of a task: `e12` in a page, `f2e5` in a frame of one. No ref is ever used for a second element, whichever
 * tab or document comes: an old ref leads to its element or to nothing.
 */
export class RefSpace {
  readonly #numbers = new Map<Frame, number>();
  readonly #frames = new Map<number, Frame>();
  /** Of pages, under 0, and of each frame: the highest number that was given away. */
  readonly #highest = new Map<number, number>();
  #frameCount = 0;

  nameOf(frame: Frame, ref: number): string {
    const number = this.#numberOf(frame);
    return number === 0 ? `e${ref}` : `f${number}e${ref}`;
  }

  /** What a ref may lead to, given the page that is shown; null for what is no ref, and for a frame that is gone. */
  resolve(name: string, page: Frame): FrameRef | null {
    const parts = REF.exec(name.trim());
    if (parts === null) return null;
    const [, inFrame, ref] = parts;
    const frame = inFrame === undefined ? page : this.#frames.get(Number(inFrame));
    if (frame === undefined || frame.isDetached() || frame.page().mainFrame() !== page) return null;
    return { frame, ref: Number(ref) };
  }

  highest(frame: Frame): number {
    return this.#highest.get(this.#numberOf(frame)) ?? 0;
  }

  sawUpTo(frame: Frame, ref: number): void {
    const number = this.#numberOf(frame);
    this.#highest.set(number, Math.max(ref, this.#highest.get(number) ?? 0));
  }

  forget(frame: Frame): void {
    const number = this.#numbers.get(frame);
    this.#numbers.delete(frame);
    if (number !== undefined && number !== 0) {
      this.#frames.delete(number);
      this.#highest.delete(number);
    }
  }

  #numberOf(frame: Frame): number {
    if (frame.parentFrame() === null && !frame.isDetached()) return 0;
    const known = this.#numbers.get(frame);
    if (known !== undefined) return known;
    this.#frameCount += 1;
    this.#numbers.set(frame, this.#frameCount);
    this.#frames.set(this.#frameCount, frame);
    return this.#frameCount;
  }
}
