import { z } from 'zod';

/** All that the app stored on this computer, and what can be done with it at once. Sizes are in bytes. */

/** What the user types to delete everything, in each language of the window. */
export const CONFIRMATION_WORDS = ['delete', '删除'] as const;

/** A kind of stored data. `tasks` is the database: tasks, settings, rules and sealed keys. */
export const StoredKind = z.enum([
  ...['tasks', 'files', 'history', 'attachments', 'library', 'skills'],
  ...['connectors', 'models', 'backups', 'logs', 'sandbox', 'window'],
] as const);
export type StoredKind = z.infer<typeof StoredKind>;

/** What is stored of one kind. */
export const StoredPart = z.strictObject({
  kind: StoredKind,
  /** Where it is, on this computer. */
  path: z.string(),
  /** Space on the disk. */
  bytes: z.int().nonnegative(),
  files: z.int().nonnegative(),
  /** An export contains it. */
  isExported: z.boolean(),
});
export type StoredPart = z.infer<typeof StoredPart>;

/** An export of all data: the one that runs, or the last one since the app was started. */
export const DataExport = z.strictObject({
  id: z.string().min(1).max(100),
  /** `waiting`: the browser does not download it yet. */
  status: z.enum(['waiting', 'running', 'completed', 'failed', 'cancelled']),
  doneTasks: z.int().nonnegative(),
  tasks: z.int().nonnegative(),
  /** Written so far. */
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Files that are not in it, such as links; the file `README.txt` inside lists them. */
  leftOut: z.int().nonnegative(),
  /** Where it was saved; null for a download of the browser. */
  file: z.string().nullable(),
  /** Why it failed, and what to do. */
  problem: z.string().nullable(),
});
export type DataExport = z.infer<typeof DataExport>;

/** Requests about all data; a part of `REQUESTS`. Only the user makes them, never a tool. */
export const USER_DATA_REQUESTS = {
  /** What is stored, where, and how large. */
  'data.get': {
    effect: 'read',
    input: z.strictObject({}),
    output: z.strictObject({
      dataDir: z.string(),
      parts: z.array(StoredPart),
      tasks: z.int().nonnegative(),
      /** Names of stored keys. */
      keys: z.array(z.string()),
      export: DataExport.nullable(),
    }),
  },
  /**
   * Starts an export. The desktop app asks where to save it; `export` is null if the user named no place. A browser
   * loads it from `download`, a path that works once. Throws `CONFLICT` while another one runs.
   */
  'data.export': {
    effect: 'once',
    input: z.strictObject({}),
    output: z.strictObject({
      export: DataExport.nullable(),
      download: z.string().nullable(),
    }),
  },
  /** Stops the export; its file is removed. */
  'data.cancelExport': {
    effect: 'once',
    input: z.strictObject({}),
    output: z.strictObject({}),
  },
  /**
   * Deletes everything that the app stored, downloaded models only on request, and ends the app, which then begins like
   * new: `next` says whether it starts again by itself. `confirmation` is what the user typed, one of
   * `CONFIRMATION_WORDS`. Throws `BAD_REQUEST` for anything else, and `CONFLICT` while a run is active.
   */
  'data.delete': {
    effect: 'once',
    input: z.strictObject({ confirmation: z.string().max(100), keepModels: z.boolean() }),
    output: z.strictObject({ next: z.enum(['restarts', 'ends']) }),
  },
} as const;
