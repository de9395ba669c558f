import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';

/** A key that was meant for what was there before: for this long after a question appears, none approves it. */
const NO_KEYS_MS = 500;

/** Approves what its question shows. It takes no key at first, and none while the composer has the focus. */
export function ApproveButton({
  disabled,
  onApprove,
  children,
}: {
  readonly disabled: boolean;
  readonly onApprove: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    shownAt.current = performance.now();
  }, []);
  const approve = ({ detail, timeStamp }: MouseEvent): void => {
    // A press of a key is a click without a count.
    const isKey = detail === 0;
    const isEarly = timeStamp - shownAt.current < NO_KEYS_MS;
    if (isKey && (isEarly || isComposing())) return;
    onApprove();
  };
  return (
    <Button variant="primary" disabled={disabled} onClick={approve}>
      {children}
    </Button>
  );
}

function isComposing(): boolean {
  return document.activeElement?.closest('.composer') != null;
}
