import type { Connection } from './connection.ts';
import type { LibraryFile, LibraryPassage, LibraryStore } from './library-types.ts';

interface FileRow {
  readonly id: number;
  readonly key: string;
  readonly folder: string;
  readonly path: string;
  readonly size: number;
  readonly modified_at: number;
  readonly sha256: string;
  readonly title: string;
  readonly kind: string;
  readonly problem: string | null;
  readonly passages: number;
  readonly indexed_at: number;
}

interface PassageRow {
  readonly id: number;
  readonly file_id: number;
  readonly position: number;
  readonly text: string;
}

/** How much more words of the title count than words of a passage. */
const TITLE_WEIGHT = 3;

/** The index over a connection of `openLibraryDatabase`. */
export function openLibraryStore(connection: Connection): LibraryStore {
  return { ...readLibrary(connection), ...writeLibrary(connection) };
}

type Reading =
  | 'transaction'
  | 'filesAfter'
  | 'fileByKey'
  | 'filesById'
  | 'filesNamed'
  | 'textOf'
  | 'filesOfPassages'
  | 'passagesById'
  | 'match'
  | 'vectorsAfter'
  | 'unembeddedAfter';

function readLibrary(connection: Connection): Pick<LibraryStore, Reading> {
  const ofFolder = connection.sql<FileRow>(
    'SELECT * FROM library_files WHERE folder = ? AND id > ? ORDER BY id LIMIT ?',
  );
  const byKey = connection.sql<FileRow>('SELECT * FROM library_files WHERE key = ?');
  const byId = connection.sql<FileRow>(
    'SELECT * FROM library_files WHERE id IN (SELECT value FROM json_each(?))',
  );
  const named = connection.sql<FileRow>(
    `SELECT * FROM library_files
     WHERE passages > 0 AND folder IN (SELECT value FROM json_each(?))
       AND (title LIKE ? ESCAPE '\\' OR path LIKE ? ESCAPE '\\')
     ORDER BY modified_at DESC, id LIMIT ?`,
  );
  const text = connection.sql<{ text: string }>(
    'SELECT text FROM library_passages WHERE file_id = ? ORDER BY position',
  );
  const passages = connection.sql<PassageRow>(
    'SELECT * FROM library_passages WHERE id IN (SELECT value FROM json_each(?))',
  );
  const filesOf = connection.sql<{ id: number; file_id: number }>(
    'SELECT id, file_id FROM library_passages WHERE id IN (SELECT value FROM json_each(?))',
  );
  const match = connection.sql<{ id: number }>(
    `SELECT rowid id FROM library_words WHERE library_words MATCH ?
     ORDER BY bm25(library_words, ${TITLE_WEIGHT}, 1) LIMIT ?`,
  );
  const vectors = connection.sql<{ id: number; vector: Uint8Array }>(
    `SELECT passage_id id, vector FROM library_vectors
     WHERE model = ? AND passage_id > ? ORDER BY passage_id LIMIT ?`,
  );
  const unembedded = connection.sql<PassageRow>(
    `SELECT p.* FROM library_passages p
     WHERE p.id > ? AND NOT EXISTS (
       SELECT 1 FROM library_vectors v WHERE v.passage_id = p.id AND v.model = ?)
     ORDER BY p.id LIMIT ?`,
  );
  return {
    transaction: (work) => connection.transaction(work),
    filesAfter: (folder, afterId, limit) => ofFolder.all(folder, afterId, limit).map(toFile),
    fileByKey: (key) => orNull(byKey.get(key)),
    filesById: (ids) => byId.all(JSON.stringify(ids)).map(toFile),
    filesNamed: ({ part, folders, limit }) => {
      const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
      return named.all(JSON.stringify(folders), pattern, pattern, limit).map(toFile);
    },
    textOf: (fileId) =>
      text
        .all(fileId)
        .map((row) => row.text)
        .join(''),
    filesOfPassages: (ids) =>
      new Map(filesOf.all(JSON.stringify(ids)).map(({ id, file_id: fileId }) => [id, fileId])),
    passagesById: (ids) => passages.all(JSON.stringify(ids)).map(toPassage),
    match: (query, limit) => match.all(query, limit).map(({ id }) => id),
    vectorsAfter: (model, afterId, limit) => vectors.all(model, afterId, limit),
    unembeddedAfter: (model, afterId, limit) =>
      unembedded.all(afterId, model, limit).map(toPassage),
  };
}

function writeLibrary(connection: Connection): Omit<LibraryStore, Reading> {
  const begin = connection.sql<{ id: number }>(
    `INSERT INTO library_files
       (key, folder, path, size, modified_at, sha256, title, kind, problem, passages, indexed_at)
     VALUES (?, ?, ?, 0, 0, '', ?, ?, NULL, 0, ?)
     ON CONFLICT (key) DO UPDATE SET sha256 = '', title = excluded.title, kind = excluded.kind
     RETURNING id`,
  );
  const finish = connection.sql(
    `UPDATE library_files SET size = ?, modified_at = ?, sha256 = ?, problem = ?, indexed_at = ?,
       passages = (SELECT count(*) FROM library_passages WHERE file_id = library_files.id)
     WHERE id = ?`,
  );
  const touch = connection.sql(
    'UPDATE library_files SET size = ?, modified_at = ?, indexed_at = ? WHERE id = ?',
  );
  const addPassage = connection.sql<{ id: number }>(
    'INSERT INTO library_passages (file_id, position, text) VALUES (?, ?, ?) RETURNING id',
  );
  const addWords = connection.sql(
    'INSERT INTO library_words (rowid, title, words) VALUES (?, ?, ?)',
  );
  const removePassages = connection.sql(
    `DELETE FROM library_passages WHERE id IN (
       SELECT id FROM library_passages WHERE file_id = ? LIMIT ?)`,
  );
  const removeFile = connection.sql('DELETE FROM library_files WHERE id = ?');
  // The passage may be deleted while its embedding is computed.
  const putVector = connection.sql(
    `INSERT INTO library_vectors (passage_id, model, vector)
     SELECT id, ?, ? FROM library_passages WHERE id = ?
     ON CONFLICT DO UPDATE SET model = excluded.model, vector = excluded.vector`,
  );
  const removeVectors = connection.sql(
    `DELETE FROM library_vectors WHERE passage_id IN (
       SELECT passage_id FROM library_vectors WHERE model <> ? LIMIT ?)`,
  );
  const merge = connection.sql(
    "INSERT INTO library_words (library_words, rank) VALUES ('merge', ?)",
  );
  const changes = connection.sql<{ n: number }>('SELECT total_changes() n');
  let version = 0;
  const changed = (rows: number): number => {
    if (rows > 0) version += 1;
    return rows;
  };
  return {
    beginFile: ({ key, folder, path, title, kind, at }) =>
      begin.get(key, folder, path, title, kind, at)?.id ?? 0,
    addPassage: (fileId, { position, text, title, words }) => {
      const row = addPassage.get(fileId, position, text);
      if (row !== undefined) addWords.run(row.id, title, words);
    },
    finishFile: (fileId, { size, modifiedAt, sha256, problem, at }) => {
      finish.run(size, modifiedAt, sha256, problem, at, fileId);
    },
    touchFile: (fileId, { size, modifiedAt, at }) => void touch.run(size, modifiedAt, at, fileId),
    removePassages: (fileId, limit) => changed(removePassages.run(fileId, limit)),
    removeFile: (fileId) => void changed(removeFile.run(fileId)),
    putVector: (passageId, model, vector) => void changed(putVector.run(model, vector, passageId)),
    removeVectorsExcept: (model, limit) => changed(removeVectors.run(model, limit)),
    vectorsVersion: () => version,
    mergeWords: (pages, step) => {
      const before = changes.get()?.n ?? 0;
      merge.run(step === 'first' ? -pages : pages);
      // From the FTS5 documentation: a merge that had nothing to do changes fewer than two rows.
      return (changes.get()?.n ?? 0) - before >= 2;
    },
    freePages: (pages) => {
      connection.exec(`PRAGMA incremental_vacuum(${Math.trunc(pages)})`);
      return Number(connection.pragma('freelist_count'));
    },
  };
}

function orNull(row: FileRow | undefined): LibraryFile | null {
  return row === undefined ? null : toFile(row);
}

function toFile({ modified_at: modifiedAt, indexed_at: at, ...row }: FileRow): LibraryFile {
  return { ...row, modifiedAt, at };
}

function toPassage({ file_id: fileId, ...row }: PassageRow): LibraryPassage {
  return { ...row, fileId };
}
