import { z } from 'zod';
import { ModelRef } from './entities.ts';

/** Files of a folder whose problem is listed; further ones are only counted. */
export const LIBRARY_ISSUES_SHOWN = 20;
/** Maximum results of one search. */
export const LIBRARY_RESULTS = 50;

/** A folder that the user attached, with its index status. */
export const LibraryFolder = z.strictObject({
  /** Absolute, as it was attached. */
  path: z.string(),
  /** `waiting` for its turn, `looking` for changes, `indexing` them, `ready`, or `unreadable` as a whole. */
  state: z.enum(['waiting', 'looking', 'indexing', 'ready', 'unreadable']),
  /** Files of a supported kind found so far. */
  files: z.int().nonnegative(),
  /** How many of them search can find. */
  indexed: z.int().nonnegative(),
  /** How many of them could not be read, or only in part. */
  problems: z.int().nonnegative(),
  /** The first of those, with paths relative to the folder. */
  issues: z.array(z.strictObject({ file: z.string(), problem: z.string() })),
  /** Files over the limit of a folder, which are skipped. */
  leftOut: z.int().nonnegative(),
  /** The page of a scanned document that is being read now, with its path relative to the folder. */
  reading: z
    .strictObject({ file: z.string(), page: z.int().positive(), pages: z.int().positive() })
    .nullable(),
  /** Why the whole folder cannot be read; null if it can. */
  problem: z.string().nullable(),
  /** Time of the last scan; null for never. */
  at: z.int().nullable(),
});
export type LibraryFolder = z.infer<typeof LibraryFolder>;

/** Search by meaning: how many of the passages have an embedding of the chosen model. */
export const LibraryEmbeddings = z.strictObject({
  model: ModelRef.nullable(),
  state: z.enum(['off', 'working', 'ready', 'failed']),
  passages: z.int().nonnegative(),
  embedded: z.int().nonnegative(),
  /** Why it failed. Search by words still works. */
  problem: z.string().nullable(),
});
export type LibraryEmbeddings = z.infer<typeof LibraryEmbeddings>;

export const LibraryState = z.strictObject({
  folders: z.array(LibraryFolder),
  embeddings: LibraryEmbeddings,
});
export type LibraryState = z.infer<typeof LibraryState>;

/** A document that matches a query. */
export const LibraryHit = z.strictObject({
  /** `library:…`; stable as long as the file is not moved. */
  url: z.string(),
  title: z.string(),
  /** Absolute. */
  path: z.string(),
  /** The best matching passage, as plain text; empty for a search by name. */
  snippet: z.string(),
  modifiedAt: z.int(),
});
export type LibraryHit = z.infer<typeof LibraryHit>;
