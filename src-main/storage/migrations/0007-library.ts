import type { Migration } from '../migrate.ts';

/** What the files of attached folders say, to be searched by words and by meaning. */
export const library: Migration = {
  version: 7,
  name: 'library',
  sql: `
    CREATE TABLE library_files (
      id INTEGER PRIMARY KEY,
      -- What addresses of the document hold: made of folder and path, so it survives a new index.
      key TEXT NOT NULL UNIQUE,
      folder TEXT NOT NULL,
      -- From the folder on, with "/".
      path TEXT NOT NULL,
      size INTEGER NOT NULL,
      modified_at REAL NOT NULL,
      -- Of the contents that are indexed; empty until all of them are.
      sha256 TEXT NOT NULL,
      title TEXT NOT NULL,
      kind TEXT NOT NULL,
      -- What is missing of it, or why all of it is; null for nothing.
      problem TEXT,
      passages INTEGER NOT NULL,
      indexed_at INTEGER NOT NULL,
      UNIQUE (folder, path)
    ) STRICT;

    -- The passages of a file, one after the other, are its text.
    CREATE TABLE library_passages (
      id INTEGER PRIMARY KEY,
      file_id INTEGER NOT NULL REFERENCES library_files (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      text TEXT NOT NULL,
      UNIQUE (file_id, position)
    ) STRICT;

    -- Only the index: the text is in library_passages. Scripts without spaces come in as pairs of characters.
    CREATE VIRTUAL TABLE library_words USING fts5(
      title, words, content = '', contentless_delete = 1,
      tokenize = 'porter unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER library_words_go_with_passages AFTER DELETE ON library_passages BEGIN
      DELETE FROM library_words WHERE rowid = old.id;
    END;

    CREATE TABLE library_vectors (
      passage_id INTEGER PRIMARY KEY REFERENCES library_passages (id) ON DELETE CASCADE,
      -- "provider:name" of the model that made it.
      model TEXT NOT NULL,
      -- Floats of 32 bits in this machine's order, of length 1.
      vector BLOB NOT NULL
    ) STRICT;
    CREATE INDEX library_vectors_by_model ON library_vectors (model, passage_id);
  `,
};
