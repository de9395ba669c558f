import type { AppServices, RequestHandlers } from '../types.ts';

export function libraryHandlers({
  library,
}: AppServices): Pick<
  RequestHandlers,
  'library.list' | 'library.add' | 'library.remove' | 'library.refresh' | 'library.search'
> {
  return {
    'library.list': () => library.list(),
    'library.add': ({ path }) => library.add(path),
    'library.remove': ({ path }) => library.remove(path),
    'library.refresh': ({ path }) => library.refresh(path),
    'library.search': async ({ query, limit }, client) => ({
      hits: await library.find(query, { limit, signal: client.closed }),
    }),
  };
}
