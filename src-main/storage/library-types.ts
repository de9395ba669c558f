/** A file in the index of the library. */
export interface LibraryFile {
  readonly id: number;
  /** 16 hexadecimal digits, made of folder and path. */
  readonly key: string;
  readonly folder: string;
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: number;
  /** Empty until all of it is indexed. */
  readonly sha256: string;
  readonly title: string;
  readonly kind: string;
  readonly problem: string | null;
  readonly passages: number;
  readonly at: number;
}

export interface LibraryPassage {
  readonly id: number;
  readonly fileId: number;
  readonly position: number;
  readonly text: string;
}

/**
 * The index of the user's folders, as the thread that maintains it sees it. Large writes are split into
 * several transactions, so that searches run in between.
 */
export interface LibraryStore {
  transaction<T>(work: () => T): T;

  /** A page of the files of a folder, by id. */
  filesAfter(folder: string, afterId: number, limit: number): LibraryFile[];
  fileByKey(key: string): LibraryFile | null;
  filesById(ids: readonly number[]): LibraryFile[];
  /** Files with text in these folders whose title or path contains `part`, the newest first. */
  filesNamed(query: {
    readonly part: string;
    readonly folders: readonly string[];
    readonly limit: number;
  }): LibraryFile[];
  /** The whole text of a file. */
  textOf(fileId: number): string;
  /** The file of each of these passages. */
  filesOfPassages(ids: readonly number[]): ReadonlyMap<number, number>;
  /** In no particular order. */
  passagesById(ids: readonly number[]): LibraryPassage[];
  /** Passages that match an FTS5 query, best first. */
  match(query: string, limit: number): number[];
  /** A number that changes when embeddings are added or removed. */
  vectorsVersion(): number;
  /** A page of embeddings, by the id of their passage. */
  vectorsAfter(
    model: string,
    afterId: number,
    limit: number,
  ): { readonly id: number; readonly vector: Uint8Array }[];
  /** A page of passages without an embedding of this model, by id. */
  unembeddedAfter(model: string, afterId: number, limit: number): LibraryPassage[];

  /** Starts indexing a new or changed file; returns its id. The file counts as not indexed until `finishFile`. */
  beginFile(file: Pick<LibraryFile, 'key' | 'folder' | 'path' | 'title' | 'kind' | 'at'>): number;
  addPassage(
    fileId: number,
    passage: Pick<LibraryPassage, 'position' | 'text'> & {
      /** The words that a search finds it by. */
      readonly title: string;
      readonly words: string;
    },
  ): void;
  finishFile(
    fileId: number,
    state: Pick<LibraryFile, 'size' | 'modifiedAt' | 'sha256' | 'problem' | 'at'>,
  ): void;
  /** For a file with the same contents but a new size or date. */
  touchFile(fileId: number, state: Pick<LibraryFile, 'size' | 'modifiedAt' | 'at'>): void;
  /** Removes at most `limit` passages of a file; returns how many. */
  removePassages(fileId: number, limit: number): number;
  removeFile(fileId: number): void;
  putVector(passageId: number, model: string, vector: Uint8Array): void;
  /** Removes at most `limit` embeddings of other models; returns how many. */
  removeVectorsExcept(model: string, limit: number): number;
  /**
   * Removes deleted text from the word index, a limited number of pages at a time; returns whether there is
   * more. The first of several calls passes `first`, which makes the merge cover the whole index.
   */
  mergeWords(pages: number, step: 'first' | 'next'): boolean;
  /** Returns at most `pages` free pages to the disk; returns how many are left. */
  freePages(pages: number): number;
}
