import { z } from 'zod';
import { EDITED_FILE_BYTES } from './limits.ts';
import { Sha256 } from './local-models.ts';

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

/** One side of a comparison. */
export const FileSide = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('absent') }),
  z.strictObject({ kind: z.literal('binary'), bytes: z.int().nonnegative() }),
  /** At most 1 MiB and 5,000 lines of it. */
  z.strictObject({ kind: z.literal('text'), text: z.string(), truncated: z.boolean() }),
]);
export type FileSide = z.infer<typeof FileSide>;

/** Most changes of one snapshot that are listed. */
export const SNAPSHOT_CHANGES_LIMIT = 500;

/** A file or a link that differs between two snapshots. */
export const SnapshotChange = z.strictObject({
  path: z.string(),
  kind: z.enum(['created', 'modified', 'deleted']),
  /** Bytes that it has afterwards; 0 for a link, or if it is deleted. */
  size: z.int().nonnegative(),
});
export type SnapshotChange = z.infer<typeof SnapshotChange>;

const id = z.string().min(1).max(100);
/** `since`: the snapshot to compare with; null for the one before. */
const compared = z.strictObject({ threadId: id, snapshotId: id, since: id.nullable() });

/** Requests about the files of a task; a part of `REQUESTS`. */
export const FILE_REQUESTS = {
  'files.list': {
    effect: 'read',
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({
      /** Where they are on this computer, for other editors. */
      folder: z.string(),
      entries: z.array(WorkspaceEntry),
      truncated: z.boolean(),
    }),
  },
  /** Reads a file of the workspace. Text is decoded as UTF-8; `truncated` if it is over the limit. */
  'files.read': {
    effect: 'read',
    input: z.strictObject({ threadId: id, path: z.string().min(1).max(4096) }),
    output: z.strictObject({
      path: z.string(),
      mimeType: z.string(),
      size: z.int().nonnegative(),
      encoding: z.enum(['utf8', 'base64']),
      data: z.string(),
      truncated: z.boolean(),
      /** SHA-256 of its bytes, by which `files.write` knows what was edited; null where it cannot be edited. */
      sha256: Sha256.nullable(),
    }),
  },
  /**
   * Writes a text file for the user. `was` is the hash of what they edited, null for a new file. Throws `CONFLICT`
   * where the file is another one by now; its hash, or null where it is gone, is `now` of the details.
   */
  'files.write': {
    effect: 'once',
    input: z.strictObject({
      threadId: id,
      path: z.string().min(1).max(4096),
      text: z.string().max(EDITED_FILE_BYTES),
      was: Sha256.nullable(),
    }),
    output: z.strictObject({ sha256: Sha256 }),
  },
  /** Gives a file another name, or another folder. Throws `NOT_FOUND`, and `CONFLICT` where the new name is taken. */
  'files.move': {
    effect: 'once',
    input: z.strictObject({
      threadId: id,
      path: z.string().min(1).max(4096),
      to: z.string().min(1).max(4096),
    }),
    output: z.strictObject({}),
  },
  /** Deletes a file. Throws `NOT_FOUND`. */
  'files.remove': {
    effect: 'once',
    input: z.strictObject({ threadId: id, path: z.string().min(1).max(4096) }),
    output: z.strictObject({}),
  },
} as const;

/** Requests about earlier states of a task's files; a part of `REQUESTS`. Unknown ids are `NOT_FOUND`. */
export const SNAPSHOT_REQUESTS = {
  /** Newest first. */
  'snapshots.list': {
    effect: 'read',
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({ snapshots: z.array(Snapshot) }),
  },
  /** What differs, by path: at most `SNAPSHOT_CHANGES_LIMIT`; `count` is all. The first snapshot has only new files. */
  'snapshots.changes': {
    effect: 'read',
    input: compared.extend({
      /** Leaves out folders of tools, such as `node_modules`. */
      ownOnly: z.boolean().optional(),
    }),
    output: z.strictObject({ changes: z.array(SnapshotChange), count: z.int().nonnegative() }),
  },
  /** Both sides of one file. */
  'snapshots.diff': {
    effect: 'read',
    input: compared.extend({ path: z.string().min(1).max(4096) }),
    output: z.strictObject({ before: FileSide, after: FileSide }),
  },
  /**
   * Restores the files of a task; refused while one of its runs is active. The current files become a
   * snapshot first, and files that it could not contain stay in place.
   */
  'snapshots.restore': {
    effect: 'once',
    input: z.strictObject({ threadId: id, snapshotId: id }),
    output: z.strictObject({
      /** The files before the restore, to undo it. */
      before: Snapshot,
      /** The files now. */
      now: Snapshot,
      /** Files that are in no snapshot and were therefore not removed; at most 100. */
      kept: z.array(z.string()),
    }),
  },
} as const;
