/** Aborts after so many milliseconds without news; time in which somebody else is awaited does not count. */
export class IdleLimit implements Disposable {
  readonly #ms: number;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #pauses = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.reset();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** There is news. */
  reset(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pauses > 0 || this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => this.#stop.abort(new IdleTooLong()), this.#ms);
  }

  /** Settles like `work`, whose time does not count. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#pauses += 1;
    this.reset();
    try {
      return await work;
    } finally {
      this.#pauses -= 1;
      this.reset();
    }
  }

  [Symbol.dispose](): void {
    this.#pauses += 1;
    this.reset();
  }
}

/** Nothing was heard for too long. */
export class IdleTooLong extends Error {
  constructor() {
    super('it did not answer in time');
    this.name = 'IdleTooLong';
  }
}
