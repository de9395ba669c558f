import { SquareTerminal } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { useApp } from '../../session-context.ts';
import type { TerminalLog } from '../../store/run-view.ts';
import { strings } from '../../strings.ts';
import { TerminalScreen } from './terminal-screen.ts';

const NO_RUNS: readonly string[] = [];

/** All commands of a run with their output, in order; of the newest run, unless another is chosen. */
export function TerminalTab({ threadId }: { readonly threadId: string }): ReactNode {
  const runIds = useApp((state) => state.openThreads.get(threadId)?.runIds ?? NO_RUNS);
  const [chosen, setChosen] = useState<string | null>(null);
  const runId = chosen !== null && runIds.includes(chosen) ? chosen : runIds.at(-1);
  const log = useApp((state) =>
    runId === undefined ? null : (state.views.get(runId)?.terminal ?? null),
  );
  const hasOutput = log !== null && (log.entries.length > 0 || log.dropped > 0);
  return (
    <div className="terminal-tab">
      {runIds.length > 1 && (
        <label className="run-select">
          <span>{strings.computer.runLabel}</span>
          <select
            value={runId}
            onChange={(event) => {
              const value = event.target.value;
              setChosen(value === runIds.at(-1) ? null : value);
            }}
          >
            {runIds.map((id, index) => (
              <option key={id} value={id}>
                {strings.computer.run(index + 1, runIds.length)}
              </option>
            ))}
          </select>
        </label>
      )}
      {log !== null && hasOutput ? (
        <Screen key={runId} log={log} />
      ) : (
        <EmptyState icon={SquareTerminal} text={strings.computer.noCommands} />
      )}
    </div>
  );
}

function Screen({ log }: { readonly log: TerminalLog }): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const screen = useRef<TerminalScreen | null>(null);
  useEffect(() => {
    if (host.current === null) return;
    const made = new TerminalScreen(host.current, strings.computer.terminalLabel);
    screen.current = made;
    return () => {
      screen.current = null;
      made.dispose();
    };
  }, []);
  useEffect(() => screen.current?.show(log), [log]);
  return <div className="terminal-host" ref={host} data-testid="terminal" />;
}
