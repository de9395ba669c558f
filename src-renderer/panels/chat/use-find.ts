import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useApp, useSession } from '../../session-context.ts';
import type { ChatRow, ChatRows } from '../../store/chat-rows.ts';
import { rowOfPlace } from '../../store/find-place.ts';
import { findInRows } from '../../store/row-text.ts';
import { clearMatches, paintMatches } from './highlights.ts';

export interface Find {
  /** What the user looks for; null while they do not. */
  readonly text: string | null;
  readonly count: number;
  /** Of the current match, from 0. */
  readonly at: number;
  /** The row of a place that was found by the search over all tasks. */
  readonly placeRow: number | null;
  /** Grows when the row was opened: it is rendered again. */
  readonly roundOf: (key: string) => number;
  readonly open: () => void;
  readonly close: () => void;
  readonly change: (text: string) => void;
  readonly step: (by: 1 | -1) => void;
}

interface FindParts {
  readonly threadId: string;
  readonly rows: ChatRows;
  /** All rows are loaded. */
  readonly isComplete: boolean;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Open rows, by id. */
  readonly opened: Map<string, boolean>;
  /** Stops following the end. */
  readonly hold: () => void;
}

/** Finding text in the conversation, and showing a place that was found: rows that are not rendered count too. */
export function useFind(parts: FindParts): Find {
  const { threadId, rows, isComplete, virtualizer, scroller, opened, hold } = parts;
  const { threads } = useSession();
  const [text, setText] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const [rounds] = useState(() => new Map<string, number>());
  const place = useApp((state) => (state.place?.threadId === threadId ? state.place : null));
  const [shownPlace, setShownPlace] = useState(place);
  const matches = useMemo(() => (text === null ? [] : findInRows(rows, text)), [rows, text]);
  const index = Math.min(at, Math.max(0, matches.length - 1));
  const current = matches[index] ?? null;
  const target = shownPlace ?? place;
  const placeRow = useMemo(
    () => (target === null ? null : rowOfPlace(rows, target)),
    [rows, target],
  );
  const row = text === null ? placeRow : (current?.row ?? null);
  const words = useMemo(() => (text === null ? (target?.words ?? []) : [text]), [text, target]);
  const nth = text === null ? 0 : (current?.nth ?? 0);
  /** What was scrolled to: the user may scroll away from it. */
  const reached = useRef('');

  useEffect(() => {
    if (place === null) return;
    setShownPlace(place);
    reached.current = '';
  }, [place]);

  // Again while older runs are loaded above it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of rows moves the place
  useLayoutEffect(() => {
    if (text === null && isComplete) threads.leavePlace();
    if (row === null) return;
    const goal = `${text ?? 'place'} ${index} ${row} ${nth}`;
    if (reached.current === goal) return;
    reached.current = goal;
    hold();
    reveal(rows.at(row), opened, rounds);
    virtualizer.scrollToIndex(row, { align: 'center' });
  }, [row, nth, text, index, rows.count, isComplete]);

  useEffect(() => {
    const root = scroller.current;
    if (root === null || words.length === 0) return;
    let frame = 0;
    let isNew = true;
    const paint = (): void => {
      const range = paintMatches(root, { words, current: row === null ? null : { row, nth } });
      if (range === null || !isNew) return;
      isNew = false;
      bringIntoView(root, range);
    };
    const later = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(paint);
    };
    later();
    // Rows come and go, and Markdown is formatted later.
    const observer = new MutationObserver(later);
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      clearMatches();
    };
  }, [scroller, words, row, nth]);

  return {
    ...{ text, count: matches.length, at: index, placeRow: text === null ? placeRow : null },
    roundOf: (key) => rounds.get(key) ?? 0,
    open: () => setText(text ?? ''),
    close: () => {
      setText(null);
      setShownPlace(null);
      reached.current = '';
    },
    change: (next) => {
      setText(next);
      setShownPlace(null);
      setAt(0);
    },
    step: (by) => {
      if (matches.length > 0) setAt((index + by + matches.length) % matches.length);
    },
  };
}

/** Opens a row whose text may be folded away. */
function reveal(
  row: ChatRow | null,
  opened: Map<string, boolean>,
  rounds: Map<string, number>,
): void {
  if (row?.kind !== 'item' || (row.item.kind !== 'tool' && row.item.kind !== 'reasoning')) return;
  const id = `${row.run.id} ${row.item.key}`;
  if (opened.get(id) === true) return;
  opened.set(id, true);
  rounds.set(id, (rounds.get(id) ?? 0) + 1);
}

/** Scrolls within a row that is higher than the screen. */
function bringIntoView(root: HTMLElement, range: Range): void {
  const frame = root.getBoundingClientRect();
  const match = range.getBoundingClientRect();
  if (match.height === 0 || (match.top >= frame.top + 56 && match.bottom <= frame.bottom)) return;
  root.scrollTop += match.top - frame.top - frame.height / 3;
}
