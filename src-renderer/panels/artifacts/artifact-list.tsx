import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Artifact } from '#contract/artifacts.ts';
import { useNow } from '../../components/use-now.ts';
import { useApp } from '../../session-context.ts';
import { loadedValue } from '../../store/selectors.ts';
import { artifactStrings as words } from '../../strings/artifacts.ts';
import { ArtifactRow } from './artifact-row.tsx';
import type { ArtifactListing } from './use-artifacts.ts';
import '../../styles/artifacts.css';

/** Height of a row before it was measured. */
const ROW_GUESS = 65;
/** The next page is loaded when this few rows are left below. */
const ROWS_AHEAD = 40;
/** Times are shown by the day. */
const DAY_CHECK_MS = 60_000;

interface ArtifactListProps {
  readonly listing: ArtifactListing;
  /** Of all tasks: each row names its own. */
  readonly ofAll: boolean;
  readonly onOpen: (artifact: Artifact) => void;
}

/**
 * Artifacts, newest first. Only the rows in sight and a few beyond are rendered. The arrow keys go from row to
 * row, Home and End to the first and the last one that is loaded.
 */
export function ArtifactList({ listing, ofAll, onOpen }: ArtifactListProps): ReactNode {
  const { artifacts, hasMore, more } = listing;
  const scroller = useRef<HTMLDivElement>(null);
  const titles = useTitles();
  const now = useNow(true, DAY_CHECK_MS);
  const virtualizer = useVirtualizer({
    count: artifacts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_GUESS,
    getItemKey: (index) => artifacts[index]?.id ?? index,
    overscan: 8,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= artifacts.length - ROWS_AHEAD) more();
  }, [hasMore, last, artifacts.length, more]);

  /** The row that is to have the focus once it is rendered, and which of its controls. */
  const wanted = useRef<{ readonly index: number; readonly control: string } | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const { index, control } = wanted.current;
    const row = scroller.current?.querySelector(`[data-index="${index}"]`);
    const target =
      row?.querySelector<HTMLElement>(`[data-control="${control}"]`) ??
      row?.querySelector<HTMLElement>('[data-control]');
    if (target == null) return;
    wanted.current = null;
    target.focus();
  });
  const move = (event: KeyboardEvent): void => {
    const focused = event.target as HTMLElement;
    const at = focused.closest<HTMLElement>('[data-index]')?.dataset.index;
    const to = at === undefined ? null : targetOf(event, Number(at), artifacts.length - 1);
    if (to === null) return;
    event.preventDefault();
    wanted.current = { index: to, control: focused.dataset.control ?? '' };
    virtualizer.scrollToIndex(to);
    scroller.current
      ?.querySelector<HTMLElement>(
        `[data-index="${to}"] [data-control="${wanted.current.control}"]`,
      )
      ?.focus();
  };
  return (
    <div className="artifact-scroller" ref={scroller}>
      <ul
        className="artifact-rows"
        aria-label={words.title}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={move}
      >
        {items.map(({ key, index, start }) => {
          const artifact = artifacts[index];
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : artifacts.length}
              style={{ transform: `translateY(${start}px)` }}
            >
              {artifact !== undefined && (
                <ArtifactRow
                  artifact={artifact}
                  title={ofAll ? (titles.get(artifact.threadId) ?? artifact.threadTitle) : null}
                  now={now}
                  onOpen={onOpen}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The row that a key goes to; null for any other key, and at the ends. */
function targetOf(
  { key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
  at: number,
  last: number,
): number | null {
  if (altKey || ctrlKey || metaKey || shiftKey) return null;
  const targets: Readonly<Record<string, number>> = {
    ...{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last },
  };
  const to = targets[key];
  return to === undefined || to === at || to < 0 || to > last ? null : to;
}

/** The titles of tasks as they are now: what was listed may be older. */
function useTitles(): ReadonlyMap<string, string> {
  const threads = useApp((state) => state.threads);
  return useMemo(
    () => new Map((loadedValue(threads) ?? []).map(({ id, title }) => [id, title])),
    [threads],
  );
}
