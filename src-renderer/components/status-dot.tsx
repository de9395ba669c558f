import type { ReactNode } from 'react';
import type { RunStatus } from '#contract/vocabulary.ts';
import { appStrings } from '../strings/app.ts';

/** The state of a task as a shape and a colour, and as words for those who see neither. */
export function StatusDot({ status }: { readonly status: RunStatus | null }): ReactNode {
  return (
    <span className="status-dot" data-status={status ?? 'none'}>
      <span className="visually-hidden">{appStrings.status[status ?? 'none']}</span>
    </span>
  );
}
