import { Ban, Circle, CircleCheck, CircleDot, ListChecks } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { SkillProgress } from '#contract/skills.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import type { SkillProgressItem } from '../../store/skill-view.ts';
import { skillCardStrings } from '../../strings/skill-cards.ts';

const words = skillCardStrings.walk;
type Step = SkillProgress['steps'][number];

/** The progress of a task through the steps of a Markdown skill, and its refused calls. */
export const SkillProgressCard = memo(function SkillProgressCard({
  item: { walk },
  id,
}: {
  readonly item: SkillProgressItem;
  readonly id: string;
}): ReactNode {
  const { skill, steps, status, refusals } = walk;
  const done = steps.filter((step) => step.status === 'done').length;
  const current = status === 'active' ? steps.find((step) => step.status === 'pending') : undefined;
  return (
    <section className="skill-card" aria-label={`${words.title}: ${skill}`}>
      <header className="skill-card-header">
        <ListChecks className="tool-icon" aria-hidden="true" size={15} />
        <span className="tool-title">
          <VisibleText text={skill} />
        </span>
        <span className="skill-card-line">{words.progress(done, steps.length)}</span>
        <span className="skill-progress-state" data-status={status}>
          {words.states[status]}
        </span>
      </header>
      {steps.length > 0 && (
        <ol className="skill-progress-steps" aria-label={words.steps}>
          {steps.map((step) => (
            <ProgressStep key={step.number} step={step} isCurrent={step === current} />
          ))}
        </ol>
      )}
      {refusals.length > 0 && (
        <Disclosure
          id={`${id} refusals`}
          className="skill-calls skill-progress-refusals"
          initiallyOpen
          summary={
            <>
              <Ban aria-hidden="true" size={13} />
              <span>
                {words.refusals} ({refusals.length})
              </span>
            </>
          }
        >
          {() => (
            <ul>
              {refusals.map(({ what, why }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: refusals are only ever added
                <li key={index}>
                  <strong>
                    <VisibleText text={what} />
                  </strong>{' '}
                  <VisibleText text={why} />
                </li>
              ))}
            </ul>
          )}
        </Disclosure>
      )}
    </section>
  );
});

function ProgressStep({
  step,
  isCurrent,
}: {
  readonly step: Step;
  readonly isCurrent: boolean;
}): ReactNode {
  const { number, title, status, subskills, checkpoints, read, answered, marks, heard } = step;
  const state = status === 'done' ? 'done' : isCurrent ? 'current' : 'pending';
  const Icon = { done: CircleCheck, current: CircleDot, pending: Circle }[state];
  const parts = [
    ...subskills.map((file) => (read.includes(file) ? words.read(file) : words.notRead(file))),
    ...checkpoints.map((name) =>
      answered.includes(name) ? words.answered(name) : words.notAnswered(name),
    ),
    ...(marks?.includes('waits') === true ? [heard === true ? words.heard : words.notHeard] : []),
  ];
  return (
    <li data-state={state} aria-current={isCurrent ? 'step' : undefined}>
      <Icon aria-hidden="true" size={14} />
      <span className="skill-progress-step-text">
        <span>
          {number}. <VisibleText text={title} />
          <span className="visually-hidden">, {words[state]}</span>
        </span>
        {parts.length > 0 && (
          <span className="muted skill-progress-step-parts">
            <VisibleText text={parts.join(' · ')} />
          </span>
        )}
      </span>
    </li>
  );
}
