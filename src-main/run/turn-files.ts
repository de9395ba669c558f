import type { Message } from '#contract/entities.ts';
import type { GivenFolder, UserFolder } from '#contract/user-folder.ts';
import type { CopiedFolder } from '../user-folder/user-folders.ts';
import type { ImportAttachments, StartRun } from './types.ts';

/** The files of a turn, in the workspace of its task. */
export interface TurnFiles {
  readonly attachments: Message['attachments'];
  /** Stores what belongs to the files, in the transaction that stores the turn. */
  readonly persist: () => void;
}

export interface TakeFilesParts {
  readonly importAttachments: ImportAttachments;
  /** Copies the user's folder into the workspace of a thread. Absent where tasks take none. */
  readonly copyFolderIn?: (threadId: string, folder: GivenFolder) => Promise<CopiedFolder>;
}

/** Copies the files of a turn, and the user's own folder, into the workspace. Throws what copying throws. */
export async function takeFiles(
  threadId: string,
  { attachments: given, kept = [], folder }: Pick<StartRun, 'attachments' | 'kept' | 'folder'>,
  { importAttachments, copyFolderIn }: TakeFilesParts,
): Promise<TurnFiles> {
  const imported = given.length === 0 ? [] : await importAttachments(threadId, given);
  const copied = folder === undefined ? undefined : await copyFolderIn?.(threadId, folder);
  const own = copied === undefined ? [] : [asAttachment(copied.folder)];
  return {
    attachments: [...kept, ...imported, ...own],
    persist: () => copied?.persist(),
  };
}

/** The folder as the turn shows it. */
function asAttachment({ name, access, contents }: UserFolder): Message['attachments'][number] {
  return { name, path: name, size: contents.bytes, folder: access };
}
