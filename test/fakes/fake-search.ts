import { AppError } from '#contract/errors.ts';
import type { SearchService } from '#main/search/types.ts';

/** A search that has nobody to ask. */
export const noSearch: SearchService = {
  search: () => Promise.reject(new AppError('SEARCH_FAILED', 'There is no search in this test.')),
  providers: () => [],
  contacts: () => [],
};
