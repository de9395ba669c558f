import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export function EmptyState({
  icon: Icon,
  text,
  children,
}: {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="empty-state">
      <Icon aria-hidden="true" size={22} strokeWidth={1.5} />
      <p>{text}</p>
      {children}
    </div>
  );
}
