import type { LibraryFolder } from '#contract/library.ts';
import { formatCount } from '../format.ts';

const files = (count: number): string => `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`;

/** Words of the library's part of the settings. */
export const libraryStrings = {
  hint: 'Folders that research looks things up in, without a network: text, Markdown, PDF, Word, Excel, CSV, HTML and code. They are indexed on this computer, and nothing of them is sent anywhere by that.',
  none: 'No folder was added.',
  folder: 'Folder',
  placeholder: '/home/me/notes',
  add: 'Add folder',
  remove: (path: string) => `Remove ${path} from the library`,
  refresh: (path: string) => `Look for changes in ${path}`,
  refreshAll: 'Look for changes in all',
  states: {
    waiting: 'Waits for its turn',
    looking: 'Looks for changes',
    indexing: 'Indexes',
    ready: 'Up to date',
    unreadable: 'Cannot be read',
  } satisfies Record<LibraryFolder['state'], string>,
  counts: ({ files: found, indexed }: LibraryFolder) =>
    `${formatCount(indexed)} of ${files(found)} can be found`,
  problems: (count: number) => `${files(count)} with a problem`,
  more: (count: number) => `and ${formatCount(count)} more`,
  leftOut: (count: number) => `${files(count)} beyond the limit of a folder were left out.`,
  embeddings: 'Model for search by meaning',
  embeddingsHint:
    'An embedding model, such as nomic-embed-text of Ollama. Every passage of the folders is sent to it once, and each search: on a server of another computer, that leaves this one.',
  words: 'None: search by words alone',
  embedded: (done: number, all: number) =>
    `${formatCount(done)} of ${formatCount(all)} passages have been read by it.`,
  tryTitle: 'Try a search',
  query: 'Search the library',
  search: 'Search',
  nothing: 'Nothing was found.',
} as const;
