import { Check, Circle, CircleSlash, X } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { makeVisible } from '#contract/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp } from '../../session-context.ts';
import { shallowEqual } from '../../store/equality.ts';
import type { BrowserStep } from '../../store/run-view.ts';
import { browserStrings } from '../../strings/browser.ts';

const words = browserStrings.actions;

/** Actions that are shown at first; a long task has thousands. */
const SHOWN = 60;
/** So near to its end, a list follows what is added. In pixels. */
const AT_END = 24;

type ShownState = keyof typeof words.states;

/** What the agent did in the browser, in all runs of the task, newest last. */
export function ActionList({ threadId }: { readonly threadId: string }): ReactNode {
  const logs = useApp((state) => {
    const runIds = state.openThreads.get(threadId)?.runIds ?? [];
    return runIds.flatMap((id) => state.views.get(id) ?? []);
  }, shallowEqual);
  const steps = logs.flatMap(({ runId, browser, end }) =>
    browser.actions.map((step) => ({
      ...{ key: `${runId} ${step.actionId}`, step },
      state: step.status === 'running' && end !== null ? ('stopped' as const) : step.status,
    })),
  );
  const [most, setMost] = useState(SHOWN);
  const shown = steps.slice(-most);
  const hidden = steps.length - shown.length;
  const list = useRef<HTMLElement>(null);
  const followsEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is added moves the end
  useLayoutEffect(() => {
    const element = list.current;
    if (element !== null && followsEnd.current) element.scrollTop = element.scrollHeight;
  }, [steps.length]);
  return (
    <section
      className="browser-actions"
      aria-label={words.title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      ref={list}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        followsEnd.current = scrollHeight - scrollTop - clientHeight < AT_END;
      }}
    >
      <h2 className="section-label">{words.title}</h2>
      {steps.length === 0 && <p className="muted">{words.none}</p>}
      {hidden > 0 && (
        <Button size="small" variant="ghost" onClick={() => setMost(most + SHOWN * 5)}>
          {words.earlier(hidden)}
        </Button>
      )}
      <ol>
        {shown.map(({ key, step, state }) => (
          <ActionLine key={key} step={step} state={state} />
        ))}
      </ol>
    </section>
  );
}

function ActionLine({
  step,
  state,
}: {
  readonly step: BrowserStep;
  readonly state: ShownState;
}): ReactNode {
  const { action, target, url } = step;
  const names: Readonly<Record<string, string>> = words.names;
  const about = target ?? (action === 'navigate' ? url : undefined);
  return (
    <li className="browser-action" data-state={state} title={url && makeVisible(url)}>
      <Mark state={state} />
      <span className="visually-hidden">{words.states[state]}</span>
      <span className="browser-action-text">
        {Object.hasOwn(names, action) ? names[action] : <VisibleText text={action} />}
        {about !== undefined && (
          <span className="muted">
            {' '}
            <VisibleText text={about} />
          </span>
        )}
      </span>
    </li>
  );
}

function Mark({ state }: { readonly state: ShownState }): ReactNode {
  if (state === 'running') return <Spinner />;
  const Icon = { completed: Check, failed: X, stopped: CircleSlash }[state] ?? Circle;
  return <Icon aria-hidden="true" size={14} />;
}
