import type { AppServices, RequestHandlers } from '../types.ts';

export function searchHandlers({ search }: AppServices): Pick<RequestHandlers, 'search.try'> {
  return {
    'search.try': async (trial, client) => {
      const { results, asked, problems } = await search.try(trial, client.closed);
      return { results: [...results], asked: [...asked], problems: [...problems] };
    },
  };
}
