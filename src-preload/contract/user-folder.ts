import { z } from 'zod';
import { FileSide, LeftOut } from './workspace.ts';

/** What a task does with a folder of the user: it reads a copy, or changes a copy whose changes the user may apply. */
export const FolderAccess = z.enum(['read', 'copy']);
export type FolderAccess = z.infer<typeof FolderAccess>;

/** A folder of this computer that the user gives to a task; `path` is absolute or starts with `~/`. */
export const GivenFolder = z.strictObject({
  path: z.string().min(1).max(4096),
  access: FolderAccess,
});
export type GivenFolder = z.infer<typeof GivenFolder>;

/**
 * A path that is not copied, and why: a link, a folder that tools fill (`excluded`), or what a snapshot could
 * not contain either.
 */
export const FolderLeftOut = z.strictObject({
  path: z.string(),
  reason: z.enum([...LeftOut.shape.reason.options, 'link', 'excluded']),
});
export type FolderLeftOut = z.infer<typeof FolderLeftOut>;

/** What a folder holds, as it is or was copied. */
export const FolderContents = z.strictObject({
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** At most `FOLDER_LEFT_OUT_LIMIT` entries; `leftOutCount` counts all. */
  leftOut: z.array(FolderLeftOut),
  leftOutCount: z.int().nonnegative(),
});
export type FolderContents = z.infer<typeof FolderContents>;

/** The folder that the user gave to a task. */
export const UserFolder = z.strictObject({
  /** On this computer, with links resolved. */
  path: z.string(),
  /** Of the copy: a folder at the top of the workspace. */
  name: z.string(),
  access: FolderAccess,
  givenAt: z.int(),
  contents: FolderContents,
  /** Changes that were applied last and can be undone. */
  applied: z.strictObject({ at: z.int(), files: z.int().positive() }).nullable(),
});
export type UserFolder = z.infer<typeof UserFolder>;

/** What a file holds: the SHA-256 of its bytes, or null where there is no file. */
const Content = z.string().length(64).nullable();

/** A file that differs between the copy and the folder. */
export const FolderChange = z.strictObject({
  /** Relative to the folder, with `/`. */
  path: z.string(),
  kind: z.enum(['created', 'modified', 'deleted']),
  /** Of the new content; 0 for a deleted file. */
  bytes: z.int().nonnegative(),
  /** What the user's file holds now, and what it would hold. */
  now: Content,
  becomes: Content,
  /** The user's file is not what was copied: applying this loses what was edited meanwhile. */
  isEditedMeanwhile: z.boolean(),
  /** Other programs run such a file by themselves: an editor's task, a hook, a shell's start file. */
  runsByItself: z.boolean(),
  /** Why it cannot be applied; null if it can. */
  blocked: z.enum(['link', 'not_a_file', 'name']).nullable(),
});
export type FolderChange = z.infer<typeof FolderChange>;

/** A change as the user saw it. It is applied only if both files still hold exactly that. */
export const ChangeToApply = FolderChange.pick({ path: true, now: true, becomes: true });
export type ChangeToApply = z.infer<typeof ChangeToApply>;

/** A file that was not written, and why. `changed`: one of the two files is not what was shown any more. */
export const RefusedChange = z.strictObject({
  path: z.string(),
  reason: z.enum(['changed', 'blocked', 'denied', 'disk_full']),
});
export type RefusedChange = z.infer<typeof RefusedChange>;

/** Most changes that are listed or applied at once. */
export const FOLDER_CHANGES_LIMIT = 2_000;
/** Most paths that are listed as not copied or not compared. */
export const FOLDER_LEFT_OUT_LIMIT = 100;

const id = z.string().min(1).max(100);
const Outcome = z.strictObject({ written: z.array(z.string()), refused: z.array(RefusedChange) });

/** Requests about the user's own folder in a task; a part of `REQUESTS`. Only the user makes them, never a tool. */
export const FOLDER_REQUESTS = {
  /** What would be copied. Throws `BAD_REQUEST` for a folder that is too large or must not be given. */
  'folders.check': {
    effect: 'read',
    input: GivenFolder.pick({ path: true }),
    output: z.strictObject({ path: z.string(), contents: FolderContents }),
  },
  'folders.get': {
    effect: 'read',
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({ folder: UserFolder.nullable() }),
  },
  /** The files that differ, by path; at most `FOLDER_CHANGES_LIMIT`, `count` counts all. */
  'folders.changes': {
    effect: 'read',
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({
      changes: z.array(FolderChange),
      count: z.int().nonnegative(),
      /** Parts of the copy that could not be compared: nothing is applied there. */
      /** At most `FOLDER_LEFT_OUT_LIMIT` entries; `leftOutCount` counts all. */
      leftOut: z.array(FolderLeftOut),
      leftOutCount: z.int().nonnegative(),
    }),
  },
  /** The user's file as it is, and as it would be. Throws `CONFLICT` if either is not what was listed any more. */
  'folders.diff': {
    effect: 'read',
    input: ChangeToApply.extend({ threadId: id, path: z.string().min(1).max(4096) }),
    output: z.strictObject({ now: FileSide, becomes: FileSide }),
  },
  /** Writes changes to the user's folder, each only if both sides are still as shown. */
  'folders.apply': {
    effect: 'once',
    input: z.strictObject({
      threadId: id,
      changes: z.array(ChangeToApply).min(1).max(FOLDER_CHANGES_LIMIT),
    }),
    output: Outcome,
  },
  /** Takes back what was applied last; a file that was edited since is left alone. */
  'folders.undo': { effect: 'once', input: z.strictObject({ threadId: id }), output: Outcome },
} as const;
