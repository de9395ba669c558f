import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CheckItem } from '#contract/entities.ts';
import { setupCheckStrings } from '../../strings/setup-check.ts';
import { Remedy } from './remedy.tsx';

const MARKS = {
  ok: { icon: CircleCheck, label: setupCheckStrings.ok },
  missing: { icon: CircleDashed, label: setupCheckStrings.missing },
  failed: { icon: CircleAlert, label: setupCheckStrings.broken },
} as const;

/** One check: its result, and what to do about a failure. */
export function CheckLine({
  status,
  label,
  detail,
  remedy,
  children,
}: Pick<CheckItem, 'status' | 'label' | 'detail' | 'remedy'> & {
  readonly children?: ReactNode;
}): ReactNode {
  const { icon: Icon, label: mark } = MARKS[status];
  return (
    <div className="check-line" data-status={status}>
      <Icon aria-label={mark} role="img" size={17} />
      <div>
        <p>
          <strong>{label}</strong> {detail !== '' && <span className="muted">{detail}</span>}
        </p>
        {remedy !== null && <Remedy text={remedy} />}
        {children}
      </div>
    </div>
  );
}
