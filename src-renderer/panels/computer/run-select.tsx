import type { ReactNode } from 'react';
import { useApp } from '../../session-context.ts';
import type { AppState } from '../../store/app-state.ts';
import { shallowEqual } from '../../store/equality.ts';
import type { RunView } from '../../store/run-view.ts';
import { computerStrings } from '../../strings/computer.ts';

/** Runs of a task that have something to show, oldest first. */
export function useRunsWith(
  threadId: string | null,
  has: (view: RunView) => boolean,
): readonly string[] {
  return useApp((state) => runsWith(state, threadId, has), shallowEqual);
}

export function runsWith(
  state: AppState,
  threadId: string | null,
  has: (view: RunView) => boolean,
): readonly string[] {
  const runIds = threadId === null ? [] : (state.openThreads.get(threadId)?.runIds ?? []);
  return runIds.filter((id) => {
    const view = state.views.get(id);
    return view !== undefined && has(view);
  });
}

/** Selects a run of the task; hidden if there is only one. */
export function RunSelect({
  label,
  runIds,
  runId,
  onChoose,
}: {
  readonly label: string;
  readonly runIds: readonly string[];
  readonly runId: string | undefined;
  readonly onChoose: (runId: string) => void;
}): ReactNode {
  if (runIds.length < 2) return null;
  return (
    <label className="run-select">
      <span>{label}</span>
      <select value={runId} onChange={(event) => onChoose(event.target.value)}>
        {runIds.map((id, index) => (
          <option key={id} value={id}>
            {computerStrings.run(index + 1, runIds.length)}
          </option>
        ))}
      </select>
    </label>
  );
}
