import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SkillFinding } from '#contract/skills.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { skillStrings as words } from '../../strings/skills.ts';

const ICONS = { error: CircleAlert, warning: TriangleAlert, note: Info } as const;
const ORDER: readonly SkillFinding['severity'][] = ['error', 'warning', 'note'];

/** The findings of a skill, the most severe first. Without findings shows `none`, or nothing if it is null. */
export function SkillFindings({
  findings,
  none,
}: {
  readonly findings: readonly SkillFinding[];
  readonly none: string | null;
}): ReactNode {
  if (findings.length === 0 && none === null) return null;
  const sorted = ORDER.flatMap((severity) => findings.filter((one) => one.severity === severity));
  return (
    <section className="skill-section">
      <h2>{words.detail.findings}</h2>
      {sorted.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ul className="skill-findings">
          {sorted.map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be broken twice in one place
            <Finding key={index} finding={finding}>
              <span className="muted">
                {finding.file !== null && (
                  <>
                    <VisibleText text={words.place(finding.file, finding.line)} />
                    {' · '}
                  </>
                )}
                {finding.rule}
              </span>
            </Finding>
          ))}
        </ul>
      )}
    </section>
  );
}

/** One finding in a list, with `children` after its message. */
export function Finding({
  finding: { severity, message },
  children,
}: {
  readonly finding: SkillFinding;
  readonly children: ReactNode;
}): ReactNode {
  const Icon = ICONS[severity];
  return (
    <li data-severity={severity}>
      <Icon aria-hidden="true" size={14} />
      <span>
        <strong>{words.severities[severity]}</strong> <VisibleText text={message} /> {children}
      </span>
    </li>
  );
}
