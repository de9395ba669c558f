import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { AppState, TaskApp } from '#contract/apps.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { liveRun } from '../../store/selectors.ts';
import { appTabStrings } from '../../strings/app-tab.ts';
import { StateDialog } from './state-dialog.tsx';
import { StatePicture, titleOfState } from './state-picture.tsx';

const words = appTabStrings.states;

/** What the app was after each turn, the newest first; nothing while there is one state only. */
export function AppStates({ app }: { readonly app: TaskApp }): ReactNode {
  const { threadId } = app;
  const isBusy = useApp((state) => liveRun(state, threadId) !== null);
  const { states, reread } = useStates(app, isBusy);
  // As it was when it was opened: a state may leave the list while it is read.
  const [shown, setShown] = useState<AppState | null>(null);
  if (states.length < 2 && shown === null) return null;
  return (
    <div className="app-states">
      <Disclosure
        id={`app states ${threadId}`}
        className="app-states-line"
        summary={words.title(states.length)}
        initiallyOpen
      >
        {() => (
          <ol className="app-states-strip">
            {states.map((state) => (
              <li key={state.snapshotId}>
                <StateCard {...{ threadId, state }} onOpen={() => setShown(state)} />
              </li>
            ))}
          </ol>
        )}
      </Disclosure>
      {shown !== null && (
        <StateDialog
          {...{ threadId, isBusy }}
          state={shown}
          onClose={() => setShown(null)}
          onWentBack={() => {
            setShown(null);
            reread();
          }}
        />
      )}
    </div>
  );
}

function StateCard({
  threadId,
  state,
  onOpen,
}: {
  readonly threadId: string;
  readonly state: AppState;
  readonly onOpen: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="app-state-card"
      aria-current={state.isCurrent ? 'true' : undefined}
      onClick={onOpen}
    >
      <StatePicture {...{ threadId, state }} alt="" />
      <span className="app-state-title">{titleOfState(state)}</span>
      {state.isCurrent && <span className="tag">{words.now}</span>}
    </button>
  );
}

/** Newest first; read again whenever the app or its task has changed. */
function useStates(
  app: TaskApp,
  isBusy: boolean,
): { readonly states: readonly AppState[]; readonly reread: () => void } {
  const { bridge } = useSession();
  const { threadId } = app;
  const [states, setStates] = useState<readonly AppState[]>([]);
  const [version, setVersion] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them may have added a state
  useEffect(() => {
    let isGone = false;
    void bridge.request('apps.states', { threadId }).then((result) => {
      // Without them the app is as usable: what failed is tried again with the next change.
      if (!isGone && result.ok) setStates(result.data.states.toReversed());
    });
    return () => {
      isGone = true;
    };
  }, [bridge, threadId, app, isBusy, version]);
  const reread = useCallback(() => setVersion((before) => before + 1), []);
  return { states, reread };
}
