import type { ErrorEnvelope } from '#contract/errors.ts';
import type { LibraryHit, LibraryState } from '#contract/library.ts';
import type { RequestResult } from '#contract/requests.ts';
import { type ActionContext, ask } from './context.ts';

export interface LibraryActions {
  load(): Promise<void>;
  /** Adds a folder; resolves to an error message for the field, or to null. */
  add(path: string): Promise<ErrorEnvelope | null>;
  remove(path: string): Promise<void>;
  /** Checks one folder or all for changes. */
  refresh(path?: string): Promise<void>;
  /** Null if it failed, after showing a toast. */
  search(query: string): Promise<readonly LibraryHit[] | null>;
  /** Takes a status that main pushed. */
  receive(library: LibraryState): void;
}

export function createLibraryActions(context: ActionContext): LibraryActions {
  const { store, bridge } = context;
  const receive = (library: LibraryState): void => store.update((state) => ({ ...state, library }));
  const take = (library: LibraryState | null): void => {
    if (library !== null) receive(library);
  };
  return {
    receive,
    load: async () => take(await ask(context, 'library.list', {})),
    add: async (path) => {
      const result: RequestResult<'library.add'> = await bridge.request('library.add', { path });
      if (!result.ok) return result.error;
      receive(result.data);
      return null;
    },
    remove: async (path) => take(await ask(context, 'library.remove', { path })),
    refresh: async (path) =>
      take(await ask(context, 'library.refresh', path === undefined ? {} : { path })),
    search: async (query) => (await ask(context, 'library.search', { query }))?.hits ?? null,
  };
}
