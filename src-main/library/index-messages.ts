import type { LibraryHit } from '#contract/library.ts';
import type { FolderFindings, FolderProgress } from './folder-index.ts';
import type { CheckedFolder } from './folder-rules.ts';
import type { LibraryQuery } from './library-search.ts';

/** What the thread of the index is started with. */
export interface IndexPlace {
  /** Of the index. */
  readonly file: string;
  readonly dataDir: string;
  readonly readOnly: boolean;
  /** The app's folder. */
  readonly root: string;
}

export interface PassageToEmbed {
  readonly id: number;
  /** With the title of its document before it. */
  readonly text: string;
}

/** What the thread does, by name. */
export interface IndexCalls {
  /** Brings the index of a folder up to date. */
  look(input: {
    readonly folder: CheckedFolder;
    /** Real paths that are not gone into. */
    readonly except: ReadonlySet<string>;
    readonly maxFiles: number;
  }): FolderFindings;
  forget(input: { readonly folder: string }): void;
  search(input: Omit<LibraryQuery, 'signal'>): LibraryHit[];
  /** A document by its key; null where there is none that can be read. */
  read(input: { readonly key: string }): {
    readonly folder: string;
    readonly title: string;
    readonly text: string;
  } | null;
  /** A page of passages without an embedding of this model, by id. */
  unembedded(input: {
    readonly model: string;
    readonly after: number;
    readonly limit: number;
  }): PassageToEmbed[];
  putVectors(input: {
    readonly model: string;
    readonly vectors: readonly { readonly id: number; readonly vector: Float32Array }[];
  }): void;
  /** Removes the embeddings of all other models. */
  removeOthers(input: { readonly model: string }): void;
}

export type IndexCall = keyof IndexCalls;
export type IndexInput<Name extends IndexCall> = Parameters<IndexCalls[Name]>[0];
export type IndexOutput<Name extends IndexCall> = ReturnType<IndexCalls[Name]>;

export type ToIndex =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly name: IndexCall;
      readonly input: unknown;
    }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'close' };

export type FromIndex =
  | { readonly kind: 'done'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: FolderProgress }
  | { readonly kind: 'unread'; readonly file: string; readonly why: string };

/** An error as it goes from thread to thread; without a code for one that is none of ours. */
export interface Failure {
  readonly code: string | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly stack: string | undefined;
}
