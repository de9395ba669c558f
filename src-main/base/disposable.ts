/** Something that holds a handle: timer, listener, stream, process, container. Disposing twice is harmless. */
export interface AsyncResource {
  [Symbol.asyncDispose](): Promise<void>;
}

/** Releases a resource; calling it twice is harmless. */
export type Dispose = () => void;

/** Cleanup functions of a scope. They run in reverse order, every one of them even if another throws. */
export class DisposalStack {
  #entries: Array<() => unknown> = [];
  #disposed = false;

  /** Registers `dispose`; on a stack that is already disposed it runs at once. */
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
