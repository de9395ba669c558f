import { useMemo, useRef, useState } from 'react';
import type { Folding } from '../../store/chat-rows.ts';
import { createFoldOf } from '../../store/fold-steps.ts';
import type { Turn } from '../../store/selectors.ts';

export interface Folds extends Folding {
  /** Opens or closes the steps of a run. */
  readonly toggle: (runId: string) => void;
}

/**
 * Which turns show their steps: none that was over when it was first seen. One that ends on the screen folds
 * unless the user reads its steps.
 */
export function useFolds(
  turns: readonly Turn[],
  {
    isRead,
    seeks,
  }: {
    readonly isRead: (runId: string) => boolean;
    /** The user looks for something, which may be in a step: from then on all of them are shown. */
    readonly seeks: boolean;
  },
): Folds {
  const [all, setAll] = useState(seeks);
  if (seeks && !all) setAll(true);
  const [foldOf] = useState(createFoldOf);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(() => new Map());
  const [ended] = useState(() => new Map<string, boolean>());
  const live = useRef(new Set<string>());
  for (const { run, view } of turns) {
    if (view === null) continue;
    if (view.end === null) live.current.add(run.id);
    else if (!ended.has(run.id)) ended.set(run.id, live.current.has(run.id) && isRead(run.id));
  }
  return useMemo(() => {
    const isOpen = (runId: string): boolean =>
      chosen.get(runId) ?? (all || ended.get(runId) === true);
    return {
      foldOf,
      isOpen,
      toggle: (runId) => setChosen((before) => new Map(before).set(runId, !isOpen(runId))),
    };
  }, [foldOf, chosen, ended, all]);
}
