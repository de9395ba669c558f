import { memo, type ReactNode } from 'react';
import type { SkillSummary } from '#contract/skills.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatTime } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { whereFrom } from '../../store/skill-list.ts';
import { skillStrings as words } from '../../strings/skills.ts';
import { RiskTag, StateLabel } from './skill-tags.tsx';

/** A skill in the list: its name opens it, its switch enables it. */
export const SkillRow = memo(function SkillRow({
  skill,
  now,
}: {
  readonly skill: SkillSummary;
  readonly now: number;
}): ReactNode {
  const { skills } = useSession();
  const { id, name, description, category, folder, risk, state, problem } = skill;
  return (
    <div className="skill-row" data-state={state}>
      <div className="skill-row-main">
        <h2 className="skill-row-name">
          <button
            type="button"
            className="skill-link"
            onClick={() => skills.show({ view: 'detail', skillId: id })}
          >
            <VisibleText text={name} />
          </button>
        </h2>
        <p className="skill-row-text">
          <VisibleText text={description} />
        </p>
        <p className="skill-row-facts">
          <StateLabel state={state} />
          <RiskTag risk={risk} />
          {category !== null && <span>{words.categories[category]}</span>}
          <span title={folder ?? undefined}>{words.sources[whereFrom(skill)]}</span>
          <span>{usageOf(skill, now)}</span>
        </p>
        {problem !== null && state !== 'needs_review' && (
          <p className="skill-row-problem">
            <VisibleText text={problem} />
          </p>
        )}
      </div>
      <SkillSwitch skill={skill} />
    </div>
  );
});

export function usageOf(
  { invocationCount, lastInvokedAt }: Pick<SkillSummary, 'invocationCount' | 'lastInvokedAt'>,
  now: number,
): string {
  if (invocationCount === 0) return words.neverRun;
  const last = lastInvokedAt === null ? '' : `, ${words.lastRun(formatTime(lastInvokedAt, now))}`;
  return words.runs(invocationCount) + last;
}

/** Enables a skill. One that needs a review or is broken cannot be enabled here. */
export function SkillSwitch({ skill }: { readonly skill: SkillSummary }): ReactNode {
  const { skills } = useSession();
  const { id, name, state } = skill;
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch"
      aria-label={words.enable(name)}
      checked={state === 'ready'}
      aria-checked={state === 'ready'}
      disabled={state === 'needs_review' || state === 'broken'}
      onChange={(event) => void skills.setEnabled(id, event.target.checked)}
    />
  );
}
