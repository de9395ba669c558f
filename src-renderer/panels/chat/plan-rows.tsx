import { CircleAlert, ListTodo, ShieldCheck, ShieldQuestionMark } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Disclosure } from '../../components/disclosure.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import type { PlanItem, VerificationItem } from '../../store/run-view.ts';
import { planStrings as words } from '../../strings/plan.ts';
import { FactList, factCount } from '../plan/facts.tsx';

/** A summary of the plan. Pressing it opens the plan beside the conversation. */
export const PlanCard = memo(function PlanCard({
  item: { done, total, failed, revision, running },
  runId,
}: {
  readonly item: PlanItem;
  readonly runId: string;
}): ReactNode {
  const task = useTask();
  return (
    <button type="button" className="plan-card" onClick={() => task.show({ side: 'plan', runId })}>
      <ListTodo aria-hidden="true" size={16} />
      <span className="plan-card-text">
        <span className="plan-card-title">
          {words.title}: {words.progress(done, total)}
          {failed > 0 && (
            <span className="tag" data-tone="danger">
              {words.failed(failed)}
            </span>
          )}
          {revision > 0 && <span className="tag">{words.revision(revision)}</span>}
        </span>
        {running.length > 0 && (
          <span className="muted plan-card-now">
            {words.now}: <VisibleText text={running.join(' · ')} />
          </span>
        )}
        <span className="progress" aria-hidden="true">
          <span
            className="progress-done"
            style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }}
          />
        </span>
      </span>
      <span className="visually-hidden">{words.openPlan}</span>
    </button>
  );
});

const ICONS = { verified: ShieldCheck, unverified: ShieldQuestionMark, failed: CircleAlert };

/** The outcome of a check on one line, with missing evidence below it. */
export const VerificationRow = memo(function VerificationRow({
  item: { verdict, facts, stepTitle },
  id,
}: {
  readonly item: VerificationItem;
  readonly id: string;
}): ReactNode {
  const Icon = ICONS[verdict];
  const passed = facts.filter(({ holds }) => holds);
  const doubtful = facts.filter(({ holds }) => !holds);
  const title = stepTitle === null ? words.checkOfAnswer : words.checkOf(stepTitle);
  return (
    <div className="check-row" data-verdict={verdict}>
      <Disclosure
        id={id}
        className="check-card"
        summary={
          <>
            <Icon aria-hidden="true" size={15} />
            <span className="check-title">
              <strong>{words.verdicts[verdict]}</strong>{' '}
              <span className="muted">
                <VisibleText text={title} />
                {`, ${factCount(facts)}`}
              </span>
            </span>
          </>
        }
      >
        {() => <FactList facts={verdict === 'verified' ? facts : passed} label={words.checked} />}
      </Disclosure>
      {verdict !== 'verified' && doubtful.length > 0 && (
        <FactList facts={doubtful} label={words.notShown} />
      )}
    </div>
  );
});
