import { Tooltip } from 'radix-ui';
import type { FocusEvent, ReactNode } from 'react';

/** Not for a focus that a closed dialog gives back to what was clicked. */
function onlyIfVisible(event: FocusEvent): void {
  if (!event.currentTarget.matches(':focus-visible')) event.preventDefault();
}

/** A few words beside a control while it is pointed at or has the focus by keyboard. */
export function Tip({
  text,
  keys,
  side = 'bottom',
  children,
}: {
  readonly text: string;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild onFocus={onlyIfVisible}>
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {keys !== undefined && <kbd className="tip-keys">{keys}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
