import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CheckItem } from '#contract/entities.ts';
import { strings } from '../../strings.ts';

const MARKS = {
  ok: { icon: CircleCheck, label: strings.setupCheck.ok },
  missing: { icon: CircleDashed, label: strings.setupCheck.missing },
  failed: { icon: CircleAlert, label: strings.setupCheck.broken },
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
        {remedy !== null && (
          <p className="remedy">
            <span className="section-label">{strings.setupCheck.toDo}</span> {remedy}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}
