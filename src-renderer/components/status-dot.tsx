import type { ReactNode } from 'react';
import type { RunStatus } from '#contract/vocabulary.ts';
import { strings } from '../strings.ts';

/** The state of a task as a shape and a colour, and as words for those who see neither. */
export function StatusDot({ status }: { readonly status: RunStatus | null }): ReactNode {
  return (
    <span className="status-dot" data-status={status ?? 'none'}>
      <span className="visually-hidden">{strings.status[status ?? 'none']}</span>
    </span>
  );
}
