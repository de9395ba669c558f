import type { ReactNode } from 'react';

/** Something is in progress; the text beside it says what. */
export function Spinner(): ReactNode {
  return <span className="spinner" aria-hidden="true" />;
}
