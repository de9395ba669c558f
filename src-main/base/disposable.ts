/** Something that holds a handle: timer, listener, stream, process, container. Disposing twice is harmless. */
export interface AsyncResource {
  [Symbol.asyncDispose](): Promise<void>;
}

/** Runs the returned function when the resource is let go. */
export type Dispose = () => void;

/** Ends of the calling scope, in reverse order; every one runs even if another throws. */
export class DisposalStack {
  #entries: Array<() => unknown> = [];
  #disposed = false;

  /** Registers `dispose`; on a stack that is disposed already it runs at once. */
  add(dispose: () => unknown): void {
    if (this.#disposed) {
      void dispose();
      return;
    }
    this.#entries.push(dispose);
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    const errors: unknown[] = [];
    for (const entry of this.#entries.reverse()) {
      try {
        await entry();
      } catch (error) {
        errors.push(error);
      }
    }
    this.#entries = [];
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'Several resources failed to close');
  }
}
