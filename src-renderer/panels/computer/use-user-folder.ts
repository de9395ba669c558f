import { useCallback, useEffect, useRef, useState } from 'react';
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
  readonly leftOutCount: number;
}

const LOADING: FolderListing = {
  ...{ phase: 'loading', problem: null, changes: [], count: 0, leftOut: [], leftOutCount: 0 },
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
  const newest = useRef(0);
  const reread = useCallback(async () => {
    // An answer that comes after a later question is about files of before.
    newest.current += 1;
    const own = newest.current;
    const given = await bridge.request('folders.get', { threadId });
    // Without an answer the files are shown without it; the next change asks again.
    if (!given.ok || own !== newest.current) return;
    setFolder(given.data.folder);
    if (given.data.folder === null) return;
    const compared = await bridge.request('folders.changes', { threadId });
    if (own !== newest.current) return;
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

/** Both sides of a file, or why they are not shown; null while they load. */
export function useSides(
  threadId: string,
  { path, now, becomes }: FolderChange,
): RequestOutput<'folders.diff'> | string | null {
  const { bridge } = useSession();
  const [sides, setSides] = useState<RequestOutput<'folders.diff'> | string | null>(null);
  useEffect(() => {
    let isGone = false;
    void bridge.request('folders.diff', { threadId, path, now, becomes }).then((result) => {
      if (!isGone) setSides(result.ok ? result.data : result.error.message);
    });
    return () => {
      isGone = true;
    };
  }, [bridge, threadId, path, now, becomes]);
  return sides;
}
