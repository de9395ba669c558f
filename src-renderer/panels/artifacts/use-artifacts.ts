import { useCallback, useEffect, useRef, useState } from 'react';
import { ARTIFACT_PAGE_SIZE, type Artifact } from '#contract/artifacts.ts';
import { defined } from '#contract/defined.ts';
import type { RequestInput } from '#contract/requests.ts';
import { useApp, useSession } from '../../session-context.ts';
import type { ArtifactFilter } from '../../store/app-state.ts';

export interface ArtifactListing {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly problem: string | null;
  readonly artifacts: readonly Artifact[];
  readonly hasMore: boolean;
  /** Loads the next page, unless that is under way. */
  readonly more: () => void;
  readonly retry: () => void;
}

interface Loaded extends Pick<ArtifactListing, 'phase' | 'problem' | 'artifacts'> {
  readonly next: number | null;
}

/** Files are made in bursts; the list is read again once a burst is over. */
const SETTLE_MS = 300;

/** What the agent made, in all tasks or in one: newest first, and always as it is now. */
export function useArtifacts(threadId: string | null, filter: ArtifactFilter): ArtifactListing {
  const { bridge } = useSession();
  const { words, kind } = filter;
  const round = useApp((state) => state.artifactRound);
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>({
    ...{ phase: 'loading', problem: null, artifacts: [], next: null },
  });
  /** The newest reading; an older one has nothing to say. */
  const reading = useRef(0);
  const isLoadingMore = useRef(false);
  const count = useRef(0);
  count.current = loaded.artifacts.length;

  const request = useCallback(
    (page: Pick<RequestInput<'artifacts.list'>, 'beforeId'>) =>
      bridge.request('artifacts.list', {
        ...defined({ threadId: threadId ?? undefined, kind: kind ?? undefined }),
        ...(words.trim() === '' ? {} : { words }),
        ...page,
        limit: ARTIFACT_PAGE_SIZE,
      }),
    [bridge, threadId, kind, words],
  );

  const readAll = useCallback(
    async (wanted: number): Promise<void> => {
      reading.current += 1;
      const mine = reading.current;
      isLoadingMore.current = false;
      const artifacts: Artifact[] = [];
      let next: number | null = null;
      do {
        const result = await request(next === null ? {} : { beforeId: next });
        if (mine !== reading.current) return;
        if (!result.ok) {
          const problem = result.error.message;
          setLoaded((before) => ({ ...before, phase: 'failed', problem }));
          return;
        }
        artifacts.push(...result.data.artifacts);
        next = result.data.next;
      } while (next !== null && artifacts.length < wanted);
      setLoaded({ phase: 'ready', problem: null, artifacts, next });
    },
    [request],
  );

  const shown = useRef<typeof request | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round or attempt reads again
  useEffect(() => {
    // Another question has another answer: it begins at its first page, and at once.
    const isSame = shown.current === request;
    shown.current = request;
    const read = (): void => void readAll(isSame ? count.current : 0);
    const timer = setTimeout(read, isSame ? SETTLE_MS : 0);
    return () => clearTimeout(timer);
  }, [request, readAll, round, attempt]);
  useEffect(
    () => () => {
      reading.current += 1;
    },
    [],
  );

  const { next } = loaded;
  const more = useCallback(() => {
    if (next === null || isLoadingMore.current) return;
    isLoadingMore.current = true;
    const mine = reading.current;
    void request({ beforeId: next }).then((result) => {
      if (mine !== reading.current) return;
      isLoadingMore.current = false;
      if (!result.ok) return;
      const { artifacts, next: following } = result.data;
      setLoaded((before) => ({
        ...before,
        artifacts: [...before.artifacts, ...artifacts],
        next: following,
      }));
    });
  }, [request, next]);
  const { phase, problem, artifacts } = loaded;
  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  return { phase, problem, artifacts, hasMore: next !== null, more, retry };
}
