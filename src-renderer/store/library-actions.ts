import type { ErrorEnvelope } from '#contract/errors.ts';
import type { LibraryHit, LibraryState } from '#contract/library.ts';
import type { RequestResult } from '#contract/requests.ts';
import { type ActionContext, ask } from './context.ts';

export interface LibraryActions {
  load(): Promise<void>;
  /** Attaches a folder; gives the refusal where there is one, for the field to show. */
  add(path: string): Promise<ErrorEnvelope | null>;
  remove(path: string): Promise<void>;
  /** Looks for what changed: in one folder, or in all. */
  refresh(path?: string): Promise<void>;
  /** Null where it failed, which the person was told. */
  search(query: string): Promise<readonly LibraryHit[] | null>;
  /** What main says of it unasked. */
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
