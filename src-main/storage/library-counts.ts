import type { Connection } from './connection.ts';
import { discardLibraryDatabase, isDamage, openForReading } from './library-database.ts';

/** How far indexing has got. Each answer reads a few rows, however much is indexed. */
export interface LibraryCounts {
  /** The file of the index. */
  readonly file: string;
  countsOf(folder: string): FolderCounts;
  /** Files with a problem, by path. */
  issuesOf(folder: string, limit: number): { readonly file: string; readonly problem: string }[];
  /** Every folder with indexed files. */
  folders(): string[];
  passageCount(): number;
  vectorCount(model: string): number;
  /** Deletes the whole index. Nothing else may have it open. */
  discard(): void;
  close(): void;
}

export interface FolderCounts {
  readonly files: number;
  readonly indexed: number;
  readonly problems: number;
  /** When a file of it was last indexed; null if never. */
  readonly at: number | null;
}

const NO_FILES: FolderCounts = { files: 0, indexed: 0, problems: 0, at: null };

/** The counts of the index in `file`, which is opened for reading as soon as it exists. */
export function openLibraryCounts(file: string, dataDir: string): LibraryCounts {
  let opened: { readonly connection: Connection; readonly read: Reading } | null = null;
  const query = <T>(work: (reading: Reading) => T, otherwise: T): T => {
    try {
      if (opened === null) {
        const connection = openForReading({ file, dataDir });
        if (connection !== null) opened = { connection, read: readCounts(connection) };
      }
      return opened === null ? otherwise : work(opened.read);
    } catch (error) {
      // The indexing thread rebuilds a damaged index; until then nothing is known.
      if (isDamage(error)) return otherwise;
      throw error;
    }
  };
  const close = (): void => {
    opened?.connection.close();
    opened = null;
  };
  return {
    file,
    countsOf: (folder) => query((read) => read.countsOf(folder), NO_FILES),
    issuesOf: (folder, limit) => query((read) => read.issuesOf(folder, limit), []),
    folders: () => query((read) => read.folders(), []),
    passageCount: () => query((read) => read.passageCount(), 0),
    vectorCount: (model) => query((read) => read.vectorCount(model), 0),
    discard: () => {
      close();
      discardLibraryDatabase(file);
    },
    close,
  };
}

type Reading = Omit<LibraryCounts, 'file' | 'discard' | 'close'>;

function readCounts(connection: Connection): Reading {
  const counts = connection.sql<FolderCounts>(
    'SELECT files, indexed, problems, indexed_at at FROM library_folders WHERE folder = ?',
  );
  const issues = connection.sql<{ file: string; problem: string }>(
    'SELECT path file, problem FROM library_files WHERE folder = ? AND problem IS NOT NULL ORDER BY path LIMIT ?',
  );
  const folders = connection.sql<{ folder: string }>('SELECT folder FROM library_folders');
  const passages = connection.sql<{ n: number }>(
    'SELECT CAST(total(passages) AS INTEGER) n FROM library_folders',
  );
  const vectors = connection.sql<{ n: number }>(
    'SELECT vectors n FROM library_models WHERE model = ?',
  );
  return {
    countsOf: (folder) => counts.get(folder) ?? NO_FILES,
    issuesOf: (folder, limit) => issues.all(folder, limit),
    folders: () => folders.all().map(({ folder }) => folder),
    passageCount: () => passages.get()?.n ?? 0,
    vectorCount: (model) => vectors.get(model)?.n ?? 0,
  };
}
