/** State outside of React, replaced as a whole at every change and read through a selector. */
export interface Store<State> {
  get(): State;
  /** Calls back after every change until the returned function is called. */
  subscribe(listener: () => void): () => void;
  update(change: (state: State) => State): void;
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update: (change) => {
      const next = change(state);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
  };
}
