/** Orders for one server wait for each other: servers that tell orders apart badly would cancel the wrong one. */
export class ImageQueue {
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * Does `work` when it is its turn. `onPlace` gets the number of orders before it, whenever that changes. Rejects with the
   * signal's reason while it waits, and as `work` does.
   */
  async run<Result>(
    server: string,
    {
      signal,
      onPlace,
    }: { readonly signal: AbortSignal; readonly onPlace: (before: number) => void },
    work: () => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const line = this.#waiting.get(server) ?? [];
    this.#waiting.set(server, line);
    const turn = Promise.withResolvers<void>();
    const moved = (): void => {
      const before = line.indexOf(moved);
      if (before === 0) turn.resolve();
      else onPlace(before);
    };
    const onAbort = (): void => turn.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    line.push(moved);
    moved();
    try {
      await turn.promise;
      return await work();
    } finally {
      signal.removeEventListener('abort', onAbort);
      line.splice(line.indexOf(moved), 1);
      if (line.length === 0) this.#waiting.delete(server);
      for (const next of line) next();
    }
  }
}
