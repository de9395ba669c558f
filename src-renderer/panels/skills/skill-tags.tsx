import { CircleAlert, CircleCheck, CircleDashed, Eye } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SkillState } from '#contract/skills.ts';
import type { RiskLevel } from '#contract/vocabulary.ts';
import { skillStrings as words } from '../../strings/skills.ts';

const RISK_TONES = { low: 'plain', medium: 'warning', high: 'danger' } as const;

/** The risk of a skill in words; the colour only adds emphasis. */
export function RiskTag({ risk }: { readonly risk: RiskLevel }): ReactNode {
  return (
    <span className="tag" data-tone={RISK_TONES[risk]}>
      {words.risks[risk]}
    </span>
  );
}

const STATES = {
  ready: CircleCheck,
  disabled: CircleDashed,
  needs_review: Eye,
  broken: CircleAlert,
} as const;

/** The state of a skill, as an icon and in words. */
export function StateLabel({ state }: { readonly state: SkillState }): ReactNode {
  const Icon = STATES[state];
  return (
    <span className="skill-state" data-state={state}>
      <Icon aria-hidden="true" size={14} />
      {words.states[state]}
    </span>
  );
}
