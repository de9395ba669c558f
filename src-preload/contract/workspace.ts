import { z } from 'zod';

export const WorkspaceEntry = z.strictObject({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  kind: z.enum(['file', 'directory']),
  size: z.int().nonnegative(),
  modifiedAt: z.int(),
});
export type WorkspaceEntry = z.infer<typeof WorkspaceEntry>;

/** A path that a snapshot does not contain, and why. `path` may be a folder with everything below it. */
export const LeftOut = z.strictObject({
  path: z.string(),
  reason: z.enum(['over_limit', 'too_many', 'too_deep', 'special', 'unreadable', 'changing']),
  bytes: z.int().nonnegative(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** The files of a workspace at one moment, kept so that they can be restored. */
export const Snapshot = z.strictObject({
  id: z.string(),
  threadId: z.string(),
  /** The step it was taken after: a run and its last event then; null if no run took it. */
  runId: z.string().nullable(),
  seq: z.int().nonnegative().nullable(),
  at: z.int(),
  /** Taken after a step of a run, or before or after the user restored a snapshot. */
  cause: z.enum(['step', 'before_restore', 'restore']),
  files: z.int().nonnegative(),
  /** Total size of all files. */
  bytes: z.int().nonnegative(),
  /** Changes since the previous snapshot, in files. */
  created: z.int().nonnegative(),
  modified: z.int().nonnegative(),
  deleted: z.int().nonnegative(),
  /** At most 100 entries; `leftOutCount` counts all. */
  leftOut: z.array(LeftOut),
  leftOutCount: z.int().nonnegative(),
});
export type Snapshot = z.infer<typeof Snapshot>;
