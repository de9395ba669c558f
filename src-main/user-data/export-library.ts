import type { DataPaths } from '../storage/data-paths.ts';
import { openForReading } from '../storage/library-database.ts';
import { openLibraryStore } from '../storage/library-store.ts';
import type { LibraryFile, LibraryStore } from '../storage/library-types.ts';

const PAGE = 500;

/** A text for an archive; its name is safe. */
export interface TextEntry {
  readonly name: string;
  readonly text: string;
}

/**
 * What the app stored about the documents in the user's own folders: a list, and the text of each. The documents
 * themselves are where the user has them. An index that is missing or damaged has no documents.
 */
export async function* libraryEntries(
  { library, dataDir }: Pick<DataPaths, 'library' | 'dataDir'>,
  folders: readonly string[],
): AsyncGenerator<TextEntry> {
  const connection = openForReading({ file: library, dataDir });
  if (connection === null) return;
  try {
    const store = openLibraryStore(connection);
    for (const [index, folder] of folders.entries()) {
      const name = `library/${String(index + 1).padStart(2, '0')}`;
      const list: object[] = [];
      for (const file of filesOf(store, folder)) {
        const { key, path, title, kind, size, modifiedAt, problem } = file;
        list.push({ key, path, title, kind, size, modifiedAt, problem });
        const text = store.textOf(file.id);
        if (text !== '') yield { name: `${name}/text/${key.replace(/[^0-9a-f]/g, '_')}.txt`, text };
      }
      const documents = { folder, documents: list };
      yield { name: `${name}/documents.json`, text: `${JSON.stringify(documents, null, 2)}\n` };
    }
  } finally {
    connection.close();
  }
}

function* filesOf(store: LibraryStore, folder: string): Generator<LibraryFile> {
  for (let last = 0; ; ) {
    const page = store.filesAfter(folder, last, PAGE);
    yield* page;
    const end = page.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}
