import type { ReactNode } from 'react';

/** Something goes on. What it is stands beside it in words. */
export function Spinner(): ReactNode {
  return <span className="spinner" aria-hidden="true" />;
}
