/** A file of the library as it is indexed. */
export interface LibraryFile {
  readonly id: number;
  /** 16 hexadecimal digits, made of folder and path. */
  readonly key: string;
  readonly folder: string;
  /** From the folder on, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: number;
  /** Empty while not all of it is indexed. */
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
 * The index of the person's folders, as the thread that works on it sees it. Whoever has much to write
 * cuts it into pieces, and puts each into a transaction: searches want their turn.
 */
export interface LibraryStore {
  transaction<T>(work: () => T): T;

  /** A page of the files of a folder, by id. */
  filesAfter(folder: string, afterId: number, limit: number): LibraryFile[];
  fileByKey(key: string): LibraryFile | null;
  filesById(ids: readonly number[]): LibraryFile[];
  /** The whole text of a file. */
  textOf(fileId: number): string;
  /** Which file each of these passages is of. */
  filesOfPassages(ids: readonly number[]): ReadonlyMap<number, number>;
  /** In no order. */
  passagesById(ids: readonly number[]): LibraryPassage[];
  /** Passages that fit an FTS5 query, best first. */
  match(query: string, limit: number): number[];
  /** A number that changes when embeddings came or went. */
  vectorsVersion(): number;
  /** A page of embeddings, by the id of their passage. */
  vectorsAfter(
    model: string,
    afterId: number,
    limit: number,
  ): { readonly id: number; readonly vector: Uint8Array }[];
  /** A page of passages without an embedding of this model, by id. */
  unembeddedAfter(model: string, afterId: number, limit: number): LibraryPassage[];

  /** A new file, or one whose contents come anew; its id. It counts as not indexed until `finishFile`. */
  beginFile(file: Pick<LibraryFile, 'key' | 'folder' | 'path' | 'title' | 'kind' | 'at'>): number;
  addPassage(
    fileId: number,
    passage: Pick<LibraryPassage, 'position' | 'text'> & {
      /** What the index finds it by. */
      readonly title: string;
      readonly words: string;
    },
  ): void;
  finishFile(
    fileId: number,
    state: Pick<LibraryFile, 'size' | 'modifiedAt' | 'sha256' | 'problem' | 'at'>,
  ): void;
  /** The contents are the same; only the facts about the file changed. */
  touchFile(fileId: number, state: Pick<LibraryFile, 'size' | 'modifiedAt' | 'at'>): void;
  /** At most `limit` passages of a file; how many it were. */
  removePassages(fileId: number, limit: number): number;
  removeFile(fileId: number): void;
  putVector(passageId: number, model: string, vector: Uint8Array): void;
  /** At most `limit` embeddings of other models; how many it were. */
  removeVectorsExcept(model: string, limit: number): number;
  /**
   * Takes what was forgotten out of the word index, at most some pages of it; whether there is more. The
   * first step of several says so: with it, all of the index is gone through.
   */
  mergeWords(pages: number, step: 'first' | 'next'): boolean;
  /** Gives at most `pages` back to the disk; how many are left to give. */
  freePages(pages: number): number;
}
