import { SquareTerminal } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { useApp } from '../../session-context.ts';
import type { TerminalLog } from '../../store/run-view.ts';
import { computerStrings } from '../../strings/computer.ts';
import { BackgroundPrograms } from './background-programs.tsx';
import { RunSelect } from './run-select.tsx';
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
      <RunSelect
        label={computerStrings.runLabel}
        runIds={runIds}
        runId={runId}
        onChoose={(id) => setChosen(id === runIds.at(-1) ? null : id)}
      />
      <BackgroundPrograms threadId={threadId} />
      <Screen runId={runId} log={log} shown={hasOutput} />
      {!hasOutput && <EmptyState icon={SquareTerminal} text={computerStrings.noCommands} />}
    </div>
  );
}

interface ScreenProps {
  readonly runId: string | undefined;
  readonly log: TerminalLog | null;
  /** Without output the terminal is only prepared. */
  readonly shown: boolean;
}

/** One terminal for all runs of the task. */
function Screen({ runId, log, shown }: ScreenProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState<TerminalScreen | null>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let made: TerminalScreen | null = null;
    // Opening a terminal takes more than a frame, so it is done before there is output.
    const cancel = whenIdle(() => {
      made = new TerminalScreen(element, computerStrings.terminalLabel);
      setScreen(made);
    });
    return () => {
      cancel();
      made?.dispose();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run begins on an empty screen
  useEffect(() => screen?.reset(), [screen, runId]);
  useEffect(() => {
    if (log !== null) screen?.show(log);
  }, [screen, log]);
  return <div className="terminal-host" ref={host} data-shown={shown} data-testid="terminal" />;
}

/** Output never waits longer than this, in ms. */
const IDLE_LIMIT_MS = 250;

/** Calls back once when the page is idle, unless cancelled before. */
function whenIdle(callback: () => void): () => void {
  const request = requestIdleCallback(callback, { timeout: IDLE_LIMIT_MS });
  return () => cancelIdleCallback(request);
}
