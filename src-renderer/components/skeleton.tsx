import type { ReactNode } from 'react';

/** Grey lines where text will be; `label` says so to those who do not see them. */
export function Skeleton({
  label,
  lines,
}: {
  readonly label: string;
  readonly lines: number;
}): ReactNode {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places
        <span key={index} className="skeleton-line" />
      ))}
    </div>
  );
}
