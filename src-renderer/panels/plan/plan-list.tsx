import type { ReactNode } from 'react';
import { VisibleText } from '../../components/visible-text.tsx';
import { type PlanView, planRows, type ShownStep } from '../../store/plan-view.ts';
import { planStrings as words } from '../../strings/plan.ts';
import { PlanStep } from './plan-step.tsx';

const NO_LANES: PlanView['lanes'] = new Map();

/** The steps of a plan in order; parallel ones are side by side. */
export function PlanList({
  runId,
  steps,
  lanes = NO_LANES,
  live,
  label,
}: {
  readonly runId: string;
  readonly steps: readonly ShownStep[];
  readonly lanes?: PlanView['lanes'];
  readonly live: boolean;
  readonly label: string;
}): ReactNode {
  const titles = new Map(steps.map(({ id, title }) => [id, title]));
  const show = (step: ShownStep): ReactNode => (
    <PlanStep
      runId={runId}
      step={step}
      place={steps.indexOf(step) + 1}
      needs={step.dependsOn.map((id) => titles.get(id) ?? id)}
      live={live}
    />
  );
  return (
    <ol className="plan-list" aria-label={label}>
      {planRows(steps, lanes).map((row) =>
        row.kind === 'step' ? (
          <li key={row.step.id}>{show(row.step)}</li>
        ) : (
          <li key={row.groupId} className="plan-lanes">
            <p className="section-label">
              <VisibleText text={row.title === '' ? words.together : row.title} />
            </p>
            <ol className="plan-lane-list" aria-label={words.together}>
              {row.steps.map((step) => (
                <li key={step.id}>{show(step)}</li>
              ))}
            </ol>
          </li>
        ),
      )}
    </ol>
  );
}
