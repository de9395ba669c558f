import type { ReactNode } from 'react';
import { appStrings } from '../strings/app.ts';
import { Button } from './button.tsx';

/** Says what could not be loaded and why, and tries again. */
export function LoadFailed({
  title,
  problem,
  onRetry,
}: {
  readonly title: string;
  readonly problem: string | null;
  readonly onRetry: () => void;
}): ReactNode {
  return (
    <div className="empty-state" role="alert">
      <p>{title}</p>
      <p className="muted">{problem}</p>
      <Button onClick={onRetry}>{appStrings.retry}</Button>
    </div>
  );
}
