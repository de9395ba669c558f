import { ListTodo, Pencil } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatMoment } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import {
  type PlanView,
  progressOf,
  type ShownPlan,
  shownPlan,
  shownRevision,
} from '../../store/plan-view.ts';
import type { RunView } from '../../store/run-view.ts';
import { isFinal } from '../../store/selectors.ts';
import { planStrings as words } from '../../strings/plan.ts';
import { RunSelect, useRunsWith } from '../computer/run-select.tsx';
import { FactList, factCount } from './facts.tsx';
import { PlanEditor } from './plan-editor.tsx';
import { PlanList } from './plan-list.tsx';

const hasPlan = ({ plan }: RunView): boolean => plan !== null;

/** The plan of a run: its progress, checks and earlier revisions, and its editor. */
export function PlanTab({
  threadId,
  requested,
}: {
  readonly threadId: string;
  /** The run whose plan to show; null for the newest. */
  readonly requested: string | null;
}): ReactNode {
  const runIds = useRunsWith(threadId, hasPlan);
  const [chosen, setChosen] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new request resets the choice
  useEffect(() => setChosen(null), [requested]);
  const runId =
    [chosen, requested].find((id) => id !== null && runIds.includes(id)) ?? runIds.at(-1);
  return (
    <div className="plan-tab">
      <RunSelect label={words.runLabel} runIds={runIds} runId={runId} onChoose={setChosen} />
      {runId === undefined ? (
        <EmptyState icon={ListTodo} text={words.none} />
      ) : (
        <PlanOfRun key={runId} runId={runId} />
      )}
    </div>
  );
}

function PlanOfRun({ runId }: { readonly runId: string }): ReactNode {
  const { plans } = useSession();
  const view = useApp((state) => state.views.get(runId)?.plan ?? null);
  const stored = useApp((state) => state.plans.get(runId) ?? null);
  const isEdited = useApp((state) => state.planEdits.has(runId));
  const live = useApp((state) => {
    const run = state.runs.get(runId);
    return run !== undefined && !isFinal(run.status) && state.views.get(runId)?.end === null;
  });
  // Shows an edit that is not in the log yet, also after a reload.
  useEffect(() => {
    if (live) void plans.load(runId);
  }, [plans, runId, live]);
  if (view === null) return null;
  const plan = shownPlan(view, stored);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="plan-scroll" tabIndex={0} aria-label={words.title}>
      <PlanHeader runId={runId} plan={plan} canEdit={live && !isEdited} />
      <Reason view={view} />
      {isEdited && live ? (
        <PlanEditor runId={runId} states={view.steps} />
      ) : (
        <PlanList
          runId={runId}
          steps={plan.steps}
          lanes={view.lanes}
          live={live}
          label={words.steps}
        />
      )}
      <AnswerCheck view={view} />
      <Todo runId={runId} todo={view.todo} />
      <Earlier runId={runId} view={view} />
    </section>
  );
}

function PlanHeader({
  runId,
  plan,
  canEdit,
}: {
  readonly runId: string;
  readonly plan: ShownPlan;
  readonly canEdit: boolean;
}): ReactNode {
  const { plans } = useSession();
  const { done, total, failed } = progressOf(plan.steps);
  return (
    <header className="plan-header">
      <div className="plan-heading">
        <h2>{words.progress(done, total)}</h2>
        {failed > 0 && (
          <span className="tag" data-tone="danger">
            {words.failed(failed)}
          </span>
        )}
        {plan.revision > 0 && <span className="tag">{words.revision(plan.revision)}</span>}
        <span className="spacer" />
        {canEdit && (
          <Button size="small" onClick={() => void plans.edit(runId)}>
            <Pencil aria-hidden="true" size={13} />
            {words.edit.open}
          </Button>
        )}
      </div>
      <div
        className="progress"
        role="progressbar"
        aria-label={words.progressLabel}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={words.progress(done, total)}
      >
        <div
          className="progress-done"
          style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }}
        />
      </div>
    </header>
  );
}

function Reason({ view: { revisions } }: { readonly view: PlanView }): ReactNode {
  const reason = revisions.at(-1)?.reason ?? null;
  if (reason === null) return null;
  return (
    <p className="plan-reason">
      <span className="section-label">{revisions.length > 1 ? words.whyNew : words.why}</span>{' '}
      <VisibleText text={reason} />
    </p>
  );
}

function AnswerCheck({ view: { verification } }: { readonly view: PlanView }): ReactNode {
  if (verification === null) return null;
  const { verdict, facts } = verification;
  return (
    <section className="plan-section" data-verdict={verdict}>
      <h3 className="section-label">
        {words.wholeAnswer}: {words.verdicts[verdict]}, {factCount(facts)}
      </h3>
      <FactList facts={facts} label={words.checked} />
    </section>
  );
}

function Todo({ runId, todo }: { readonly runId: string; readonly todo: string }): ReactNode {
  if (todo === '') return null;
  return (
    <Disclosure id={`${runId} todo`} className="plan-more" summary={<span>{words.todo}</span>}>
      {() => (
        <div className="todo-text">
          <CopyButton label={words.copyTodo} text={() => todo} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre className="output" tabIndex={0}>
            <VisibleText text={todo} />
          </pre>
        </div>
      )}
    </Disclosure>
  );
}

/** Replaced plans, newest first, with their progress. */
function Earlier({
  runId,
  view: { revisions, lanes },
}: {
  readonly runId: string;
  readonly view: PlanView;
}): ReactNode {
  const earlier = revisions.filter(({ ended }) => ended !== null).reverse();
  if (earlier.length === 0) return null;
  return (
    <Disclosure
      id={`${runId} revisions`}
      className="plan-more"
      summary={
        <span>
          {words.earlier} ({earlier.length})
        </span>
      }
    >
      {() =>
        earlier.map((revision) => (
          <section key={revision.revision} className="plan-section">
            <h3 className="section-label">
              {words.revision(revision.revision)}, {formatMoment(revision.at, Date.now())}
            </h3>
            {revision.reason !== null && (
              <p className="muted">
                <VisibleText text={revision.reason} />
              </p>
            )}
            <PlanList
              runId={`${runId} revision ${revision.revision}`}
              steps={shownRevision(revision)}
              lanes={lanes}
              live={false}
              label={words.revision(revision.revision)}
            />
          </section>
        ))
      }
    </Disclosure>
  );
}
