import { useCallback, useState } from 'react';
import { useApp } from '../../session-context.ts';
import type { ComputerTab } from '../../store/layout.ts';
import { newestRun } from '../../store/selectors.ts';

interface Choice {
  readonly threadId: string | null;
  /** Null until the person chose: the tab of the run's last act is shown. */
  readonly tab: ComputerTab | null;
  readonly openPath: string | null;
}

/** Which side of the computer is shown: the one the agent works with, unless the person chose one. */
export function useComputer(threadId: string | null): {
  readonly tab: ComputerTab;
  readonly openPath: string | null;
  readonly choose: (tab: ComputerTab) => void;
  readonly open: (path: string | null) => void;
} {
  const [choice, setChoice] = useState<Choice>({ threadId, tab: null, openPath: null });
  const current = choice.threadId === threadId ? choice : { threadId, tab: null, openPath: null };
  const suggested = useApp((state) => {
    const run = newestRun(state, threadId);
    return run === null ? null : (state.views.get(run.id)?.workspace.suggested ?? null);
  });
  const choose = useCallback(
    (tab: ComputerTab) =>
      setChoice((before) => ({
        threadId,
        tab,
        openPath: before.threadId === threadId ? before.openPath : null,
      })),
    [threadId],
  );
  const open = useCallback(
    (path: string | null) => setChoice({ threadId, tab: 'files', openPath: path }),
    [threadId],
  );
  return { tab: current.tab ?? suggested ?? 'terminal', openPath: current.openPath, choose, open };
}
