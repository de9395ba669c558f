import { z } from 'zod';
import { ModelRef } from './entities.ts';

/** Files of a folder that are named with what is wrong with them; the others are only counted. */
export const LIBRARY_ISSUES_SHOWN = 20;
/** Most results of one search. */
export const LIBRARY_RESULTS = 50;

/** A folder that the person attached, and how far its index is. */
export const LibraryFolder = z.strictObject({
  /** Absolute, as it was attached. */
  path: z.string(),
  /** `waiting` for its turn, `looking` for what changed, `indexing` that, `ready`, or not to be read at all. */
  state: z.enum(['waiting', 'looking', 'indexing', 'ready', 'unreadable']),
  /** Of a kind that is read, as far as they were found. */
  files: z.int().nonnegative(),
  /** Of those, how many can be found by search. */
  indexed: z.int().nonnegative(),
  /** Of those, how many could not be read, or not whole. */
  problems: z.int().nonnegative(),
  /** The first of them: paths from the folder on. */
  issues: z.array(z.strictObject({ file: z.string(), problem: z.string() })),
  /** Files beyond the limit of a folder, which are not looked at. */
  leftOut: z.int().nonnegative(),
  /** What keeps the whole folder from being read; null for nothing. */
  problem: z.string().nullable(),
  /** When it was last looked through; null for never. */
  at: z.int().nullable(),
});
export type LibraryFolder = z.infer<typeof LibraryFolder>;

/** Search by meaning: how many of the passages have an embedding of the chosen model. */
export const LibraryEmbeddings = z.strictObject({
  model: ModelRef.nullable(),
  state: z.enum(['off', 'working', 'ready', 'failed']),
  passages: z.int().nonnegative(),
  embedded: z.int().nonnegative(),
  /** Why it failed; words still find. */
  problem: z.string().nullable(),
});
export type LibraryEmbeddings = z.infer<typeof LibraryEmbeddings>;

export const LibraryState = z.strictObject({
  folders: z.array(LibraryFolder),
  embeddings: LibraryEmbeddings,
});
export type LibraryState = z.infer<typeof LibraryState>;

/** A document that fits a query. */
export const LibraryHit = z.strictObject({
  /** `library:…`; stays the same as long as the file keeps its place. */
  url: z.string(),
  title: z.string(),
  /** Absolute. */
  path: z.string(),
  /** The passage that fits best, as plain text. */
  snippet: z.string(),
  modifiedAt: z.int(),
});
export type LibraryHit = z.infer<typeof LibraryHit>;
