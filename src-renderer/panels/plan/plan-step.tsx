import {
  Ban,
  Circle,
  CircleAlert,
  CircleCheck,
  CircleMinus,
  ShieldQuestionMark,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Evidence } from '#contract/plans.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useNow } from '../../components/use-now.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatDuration, formatElapsed, listOf } from '../../format.ts';
import { useApp } from '../../session-context.ts';
import type { ShownStep, StepView } from '../../store/plan-view.ts';
import { findItem } from '../../store/transcript.ts';
import { planStrings as words } from '../../strings/plan.ts';
import { labelOf } from '../chat/tool-labels.ts';
import { FactList, factCount } from './facts.tsx';

export interface PlanStepProps {
  readonly runId: string;
  readonly step: ShownStep;
  /** Its number in the plan, from 1. */
  readonly place: number;
  /** Titles of the steps that it depends on. */
  readonly needs: readonly string[];
  /** False for a finished run or a replaced plan: none of its steps is running. */
  readonly live: boolean;
}

/** A step of a plan: its status on one line, which opens to its goal and result. */
export function PlanStep({ runId, step, place, needs, live }: PlanStepProps): ReactNode {
  const { state } = step;
  const stopped = state.status === 'running' && !live;
  const doubtful = state.verification?.facts.filter(({ holds }) => !holds) ?? [];
  return (
    <div
      className="plan-step"
      data-status={stopped ? 'stopped' : state.status}
      data-verdict={state.verification?.verdict}
    >
      <Disclosure
        id={`${runId} plan step ${step.id}`}
        className="plan-step-card"
        summary={
          <>
            <StepMark state={state} stopped={stopped} />
            <span className="plan-step-place">{place}</span>
            <span className="plan-step-title">
              <VisibleText text={step.title} />
            </span>
            <StepTime state={state} live={live} />
          </>
        }
      >
        {() => <StepDetails step={step} needs={needs} />}
      </Disclosure>
      {state.status === 'running' && live && <CurrentAction runId={runId} state={state} />}
      {doubtful.length > 0 && (
        <div className="plan-step-doubt">
          <p className="section-label">
            {words.verdicts[state.verification?.verdict ?? 'unverified']}
          </p>
          <FactList facts={doubtful} label={words.notShown} />
        </div>
      )}
    </div>
  );
}

function StepMark({
  state: { status, verification },
  stopped,
}: {
  readonly state: StepView;
  readonly stopped: boolean;
}): ReactNode {
  if (stopped) return <CircleMinus role="img" aria-label={words.stopped} size={16} />;
  const label = words.status[status];
  switch (status) {
    case 'pending':
      return <Circle role="img" aria-label={label} size={16} />;
    case 'running':
      return (
        <>
          <Spinner />
          <span className="visually-hidden">{label}</span>
        </>
      );
    case 'completed':
      if (verification !== null && verification.verdict !== 'verified') {
        return <ShieldQuestionMark role="img" aria-label={words.unverified} size={16} />;
      }
      return <CircleCheck role="img" aria-label={label} size={16} />;
    case 'failed':
      return <CircleAlert role="img" aria-label={label} size={16} />;
    case 'skipped':
      return <Ban role="img" aria-label={label} size={16} />;
  }
}

function StepTime({
  state: { status, startedAt, durationMs },
  live,
}: {
  readonly state: StepView;
  readonly live: boolean;
}): ReactNode {
  const counts = live && status === 'running' && startedAt !== null;
  const now = useNow(counts);
  if (durationMs !== null)
    return <span className="plan-step-time">{formatDuration(durationMs)}</span>;
  if (!counts) return null;
  return <span className="plan-step-time">{formatElapsed(now - (startedAt ?? now))}</span>;
}

/** The newest call of a running step. */
function CurrentAction({
  runId,
  state: { lastCallId },
}: {
  readonly runId: string;
  readonly state: StepView;
}): ReactNode {
  const item = useApp((state) => {
    const view = state.views.get(runId);
    if (view === undefined || lastCallId === null) return null;
    return findItem(view, 'tool', `call ${lastCallId}`)?.item ?? null;
  });
  if (item === null) return null;
  const { icon: Icon, title, subject } = labelOf(item);
  return (
    <p className="plan-step-action">
      <span className="visually-hidden">{words.now}: </span>
      <Icon aria-hidden="true" size={13} />
      <span>{title}</span>
      <span className="plan-step-subject">
        <VisibleText text={subject} />
      </span>
    </p>
  );
}

function StepDetails({
  step,
  needs,
}: {
  readonly step: ShownStep;
  readonly needs: readonly string[];
}): ReactNode {
  const { goal, title, state, expectedEvidence, toolsHint } = step;
  const facts = state.verification?.facts ?? [];
  return (
    <dl className="plan-details">
      {goal !== '' && goal !== title && (
        <Detail label={words.goal}>
          <p>
            <VisibleText text={goal} />
          </p>
        </Detail>
      )}
      {state.summary !== '' && (
        <Detail label={words.result}>
          <p className="plan-summary">
            <VisibleText text={state.summary} />
          </p>
        </Detail>
      )}
      {state.verification !== null && (
        <Detail label={`${words.checked}: ${factCount(facts)}`}>
          <FactList facts={facts} label={words.checked} />
        </Detail>
      )}
      {expectedEvidence.length > 0 && (
        <Detail label={words.expected}>
          <ul className="plan-evidence">
            {expectedEvidence.map((evidence, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: evidence has no name but its place
              <li key={index}>
                <EvidenceLine evidence={evidence} />
              </li>
            ))}
          </ul>
        </Detail>
      )}
      <Detail label={words.needs}>
        {needs.length === 0 ? (
          <p className="muted">{words.needsNothing}</p>
        ) : (
          <ul className="plan-evidence">
            {needs.map((one) => (
              <li key={one}>
                <VisibleText text={one} />
              </li>
            ))}
          </ul>
        )}
      </Detail>
      {toolsHint.length > 0 && (
        <Detail label={words.tools}>
          <p className="muted">
            <VisibleText text={listOf(toolsHint)} />
          </p>
        </Detail>
      )}
    </dl>
  );
}

function Detail({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div>
      <dt className="section-label">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function EvidenceLine({ evidence: { kind, target } }: { readonly evidence: Evidence }): ReactNode {
  return (
    <>
      <span className="muted">{words.evidence[kind]}:</span>{' '}
      <span className={kind === 'judgement' ? '' : 'plan-target'}>
        <VisibleText text={target} />
      </span>
    </>
  );
}
