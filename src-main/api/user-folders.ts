import type { ThreadReader } from '../storage/types.ts';
import type { UserFolders } from '../user-folder/user-folders.ts';
import type { Requests } from './types.ts';

export interface FolderRequestParts {
  readonly threads: Pick<ThreadReader, 'get'>;
  readonly folders: UserFolders;
}

/** Requests about the user's own folder in a task. Unknown ids throw `NOT_FOUND`. */
export function folderRequests({ threads, folders }: FolderRequestParts) {
  // Throws for a task that does not exist, before its id becomes part of a path.
  const known = (threadId: string): string => threads.get(threadId).id;
  return {
    'folders.check': ({ path }) => folders.check(path),
    'folders.get': ({ threadId }) => ({ folder: folders.get(known(threadId)) }),
    'folders.changes': ({ threadId }) => folders.changes(known(threadId)),
    'folders.diff': ({ threadId, ...shown }) => folders.diff(known(threadId), shown),
    'folders.apply': ({ threadId, changes }) => folders.apply(known(threadId), changes),
    'folders.undo': ({ threadId }) => folders.undo(known(threadId)),
  } satisfies Requests<'folders'>;
}
