import type { ErrorEnvelope } from '#contract/errors.ts';
import type { LibraryHit } from '#contract/library.ts';
import type { ScannedPages, ScanProgress } from '../documents/types.ts';
import type { FolderFindings, FolderProgress } from './folder-index.ts';
import type { CheckedFolder } from './folder-rules.ts';
import type { LibraryQuery } from './library-search.ts';

/** The start parameters of the index thread. */
export interface IndexPlace {
  /** The database file of the index. */
  readonly file: string;
  readonly dataDir: string;
  readonly readOnly: boolean;
  /** The app's folder. */
  readonly root: string;
}

export interface PassageToEmbed {
  readonly id: number;
  /** Begins with the title of its document. */
  readonly text: string;
}

/** The calls that the thread answers, by name. */
export interface IndexCalls {
  /** Brings the index of a folder up to date. */
  indexFolder(input: {
    readonly folder: CheckedFolder;
    /** Real paths that are skipped. */
    readonly except: ReadonlySet<string>;
    readonly maxFiles: number;
  }): FolderFindings;
  forgetFolder(input: { readonly folder: string }): void;
  search(input: Omit<LibraryQuery, 'signal'>): LibraryHit[];
  findByName(input: {
    readonly part: string;
    readonly folders: readonly string[];
    readonly limit: number;
  }): LibraryHit[];
  /** A document by its key; null if there is none, or it has no text. */
  read(input: { readonly key: string }): {
    readonly folder: string;
    readonly title: string;
    readonly text: string;
  } | null;
  /** A page of passages that lack an embedding of this model, in the order of their ids. */
  passagesToEmbed(input: {
    readonly model: string;
    readonly after: number;
    readonly limit: number;
  }): PassageToEmbed[];
  putVectors(input: {
    readonly model: string;
    readonly vectors: readonly { readonly id: number; readonly vector: Float32Array }[];
  }): void;
  /** Removes the embeddings of all other models. */
  removeOtherModels(input: { readonly model: string }): void;
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
  | ScanReply
  | { readonly kind: 'close' };

/** The answers to `scan`, by its id: pages as they are begun, then one of the others. */
export type ScanReply =
  | { readonly kind: 'scan_page'; readonly id: number; readonly progress: ScanProgress }
  | { readonly kind: 'scanned'; readonly id: number; readonly scanned: ScannedPages }
  | { readonly kind: 'scan_failed'; readonly id: number; readonly error: ErrorEnvelope };

export type FromIndex =
  | { readonly kind: 'done'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: FolderProgress }
  | {
      readonly kind: 'scan';
      readonly id: number;
      readonly bytes: Uint8Array;
      readonly pages: readonly string[];
    }
  | { readonly kind: 'scan_abort'; readonly id: number }
  | { readonly kind: 'unread'; readonly file: string; readonly why: string };

/** An error in a message between threads; `code` is null for anything but an `AppError`. */
export interface Failure {
  readonly code: string | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly stack: string | undefined;
}
