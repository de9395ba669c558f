import type { LibraryFolder } from '#contract/library.ts';
import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

const files = (count: number): string => `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`;

/** The library section of the settings. */
export const libraryStrings = inLanguage('libraryStrings', {
  hint: 'Folders that research can search offline: text, Markdown, PDF, Word, Excel, CSV, HTML and code. Scanned PDFs are read by OCR, in English and simplified Chinese. They are indexed on this computer, and indexing sends nothing anywhere.',
  none: 'No folders added.',
  folder: 'Folder',
  placeholder: '/home/me/notes',
  add: 'Add folder',
  remove: (path: string) => `Remove ${path} from the library`,
  refresh: (path: string) => `Check ${path} for changes`,
  refreshAll: 'Check all for changes',
  states: {
    waiting: 'Waiting',
    looking: 'Checking for changes',
    indexing: 'Indexing',
    ready: 'Up to date',
    unreadable: 'Cannot be read',
  } satisfies Record<LibraryFolder['state'], string>,
  counts: ({ files: found, indexed }: LibraryFolder) =>
    `${formatCount(indexed)} of ${files(found)} indexed`,
  reading: ({ file, page, pages }: NonNullable<LibraryFolder['reading']>) =>
    `Reading page ${formatCount(page)} of ${formatCount(pages)} of ${file}.`,
  problems: (count: number) => `${files(count)} with problems`,
  more: (count: number) => `and ${formatCount(count)} more`,
  leftOut: (count: number) => `${files(count)} over the folder limit were skipped.`,
  embeddings: 'Model for semantic search',
  embeddingsHint:
    'An embedding model, such as nomic-embed-text from Ollama. Every passage and every search is sent to it. With a server on another computer, that data leaves this one.',
  words: 'None: keyword search only',
  embedded: (done: number, all: number) =>
    `${formatCount(done)} of ${formatCount(all)} passages embedded.`,
  tryTitle: 'Try a search',
  query: 'Search the library',
  search: 'Search',
  nothing: 'No results.',
});
