import { useCallback, useState } from 'react';
import type { ShownPart } from '../../components/markdown/task-context.ts';
import { useApp } from '../../session-context.ts';
import { newestRun } from '../../store/selectors.ts';
import type { ComputerTab } from './computer-panel.tsx';

interface Choice {
  readonly threadId: string | null;
  /** Null until the user chose one: the tab of the run's last action is shown. */
  readonly tab: ComputerTab | null;
  readonly openPath: string | null;
  /** The requested plan, source or report; null for the newest. */
  readonly part: ShownPart | null;
}

/** The visible computer tab: the one the agent works with, unless the user chose one. */
export function useComputer(threadId: string | null): {
  readonly tab: ComputerTab;
  readonly openPath: string | null;
  readonly part: ShownPart | null;
  readonly choose: (tab: ComputerTab) => void;
  readonly open: (path: string | null) => void;
  readonly show: (part: ShownPart) => void;
} {
  const nothing: Choice = { threadId, tab: null, openPath: null, part: null };
  const [choice, setChoice] = useState<Choice>(nothing);
  const current = choice.threadId === threadId ? choice : nothing;
  const suggested = useApp((state) => {
    const run = newestRun(state, threadId);
    return run === null ? null : (state.views.get(run.id)?.workspace.suggested ?? null);
  });
  const change = useCallback(
    (made: Partial<Choice>) =>
      setChoice((before) => ({
        ...(before.threadId === threadId
          ? before
          : { threadId, tab: null, openPath: null, part: null }),
        ...made,
      })),
    [threadId],
  );
  const choose = useCallback((tab: ComputerTab) => change({ tab, part: null }), [change]);
  const open = useCallback(
    (path: string | null) => change({ tab: 'files', openPath: path }),
    [change],
  );
  const show = useCallback((part: ShownPart) => change({ tab: part.side, part }), [change]);
  const { openPath, part } = current;
  return { tab: current.tab ?? suggested ?? 'files', openPath, part, choose, open, show };
}
