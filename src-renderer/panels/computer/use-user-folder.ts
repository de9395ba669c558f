import { useCallback, useEffect, useState } from 'react';
import type { RequestOutput } from '#contract/requests.ts';
import type { FolderChange, FolderLeftOut, UserFolder } from '#contract/user-folder.ts';
import { useSession } from '../../session-context.ts';

/** What differs between the user's folder and its copy. */
export interface FolderListing {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly problem: string | null;
  readonly changes: readonly FolderChange[];
  readonly count: number;
  readonly leftOut: readonly FolderLeftOut[];
}

const LOADING: FolderListing = {
  ...{ phase: 'loading', problem: null, changes: [], count: 0, leftOut: [] },
};

/** The user's own folder in a task, if it has one, compared again whenever `version` changes. */
export function useUserFolder(
  threadId: string,
  version: number,
): {
  readonly folder: UserFolder | null;
  readonly listing: FolderListing;
  readonly reread: () => Promise<void>;
} {
  const { bridge } = useSession();
  const [folder, setFolder] = useState<UserFolder | null>(null);
  const [listing, setListing] = useState(LOADING);
  const reread = useCallback(async () => {
    const given = await bridge.request('folders.get', { threadId });
    // Without an answer the files are shown without it; the next change asks again.
    if (!given.ok) return;
    setFolder(given.data.folder);
    if (given.data.folder === null) return;
    const compared = await bridge.request('folders.changes', { threadId });
    setListing(
      compared.ok
        ? { phase: 'ready', problem: null, ...compared.data }
        : { ...LOADING, phase: 'failed', problem: compared.error.message },
    );
  }, [bridge, threadId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version compares again
  useEffect(() => void reread(), [reread, version]);
  return { folder, listing, reread };
}

/** Both sides of a file; null while they load. */
export function useSides(
  threadId: string,
  { path, now, becomes }: FolderChange,
): RequestOutput<'folders.diff'> | null {
  const { bridge, showError } = useSession();
  const [sides, setSides] = useState<RequestOutput<'folders.diff'> | null>(null);
  useEffect(() => {
    let isGone = false;
    void bridge.request('folders.diff', { threadId, path, now, becomes }).then((result) => {
      if (isGone) return;
      if (result.ok) setSides(result.data);
      else showError(result.error.message);
    });
    return () => {
      isGone = true;
    };
  }, [bridge, showError, threadId, path, now, becomes]);
  return sides;
}
