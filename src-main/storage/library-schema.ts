/** Increases when the tables change. An index of another version is rebuilt from the files. */
export const LIBRARY_VERSION = 1;

/** The text of files in attached folders, searchable by words and by meaning. */
export const LIBRARY_SCHEMA = `
  CREATE TABLE library_files (
    id INTEGER PRIMARY KEY,
    -- Part of the document's address: made of folder and path, so it survives a new index.
    key TEXT NOT NULL UNIQUE,
    folder TEXT NOT NULL,
    -- Relative to the folder, with "/".
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified_at REAL NOT NULL,
    -- Of the indexed contents; empty until all of them are indexed.
    sha256 TEXT NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- What is missing from the index, or why all of it is; null if nothing is missing.
    problem TEXT,
    passages INTEGER NOT NULL,
    indexed_at INTEGER NOT NULL,
    UNIQUE (folder, path)
  ) STRICT;
  CREATE INDEX library_files_in_order ON library_files (folder, id);
  CREATE INDEX library_problems ON library_files (folder, path) WHERE problem IS NOT NULL;

  -- Maintained by triggers: windows show progress several times a second.
  CREATE TABLE library_folders (
    folder TEXT PRIMARY KEY,
    files INTEGER NOT NULL,
    indexed INTEGER NOT NULL,
    problems INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    indexed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER library_file_came AFTER INSERT ON library_files BEGIN
    INSERT INTO library_folders VALUES (
      new.folder, 1, new.passages > 0, new.problem IS NOT NULL, new.passages, new.indexed_at)
    ON CONFLICT DO UPDATE SET
      files = files + 1,
      indexed = indexed + excluded.indexed,
      problems = problems + excluded.problems,
      passages = passages + excluded.passages,
      indexed_at = max(indexed_at, excluded.indexed_at);
  END;
  CREATE TRIGGER library_file_changed AFTER UPDATE ON library_files BEGIN
    UPDATE library_folders SET
      indexed = indexed + (new.passages > 0) - (old.passages > 0),
      problems = problems + (new.problem IS NOT NULL) - (old.problem IS NOT NULL),
      passages = passages + new.passages - old.passages,
      indexed_at = max(indexed_at, new.indexed_at)
    WHERE folder = new.folder;
  END;
  CREATE TRIGGER library_file_went AFTER DELETE ON library_files BEGIN
    UPDATE library_folders SET
      files = files - 1,
      indexed = indexed - (old.passages > 0),
      problems = problems - (old.problem IS NOT NULL),
      passages = passages - old.passages
    WHERE folder = old.folder;
    DELETE FROM library_folders WHERE folder = old.folder AND files = 0;
  END;

  -- The passages of a file, concatenated, are its text.
  CREATE TABLE library_passages (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL REFERENCES library_files (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (file_id, position)
  ) STRICT;

  -- Only the index: the text is in library_passages. Scripts without spaces are indexed as pairs of characters.
  CREATE VIRTUAL TABLE library_words USING fts5(
    title, words, content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER library_words_go_with_passages AFTER DELETE ON library_passages BEGIN
    DELETE FROM library_words WHERE rowid = old.id;
  END;

  CREATE TABLE library_vectors (
    passage_id INTEGER PRIMARY KEY REFERENCES library_passages (id) ON DELETE CASCADE,
    -- "provider:name" of the embedding model.
    model TEXT NOT NULL,
    -- 32-bit floats in this machine's byte order, normalised to length 1.
    vector BLOB NOT NULL
  ) STRICT;
  CREATE INDEX library_vectors_by_model ON library_vectors (model, passage_id);

  CREATE TABLE library_models (
    model TEXT PRIMARY KEY,
    vectors INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER library_vector_came AFTER INSERT ON library_vectors BEGIN
    INSERT INTO library_models VALUES (new.model, 1)
    ON CONFLICT DO UPDATE SET vectors = vectors + 1;
  END;
  CREATE TRIGGER library_vector_went AFTER DELETE ON library_vectors BEGIN
    UPDATE library_models SET vectors = vectors - 1 WHERE model = old.model;
  END;
  CREATE TRIGGER library_vector_changed AFTER UPDATE OF model ON library_vectors BEGIN
    UPDATE library_models SET vectors = vectors - 1 WHERE model = old.model;
    INSERT INTO library_models VALUES (new.model, 1)
    ON CONFLICT DO UPDATE SET vectors = vectors + 1;
  END;
`;
