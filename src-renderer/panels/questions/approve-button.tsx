import {
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useCommand } from '../../commands-context.ts';
import { type ButtonProps, CommandButton } from '../../components/button.tsx';

/** A key or a second click was meant for what was there before: for this long after a question appears, none counts. */
const SETTLING_MS = 500;

/** The ids of the questions on the card, as one text: when one comes or goes, the buttons of the others may move. */
export const ShownQuestions = createContext('');

export interface Settling {
  readonly isSettling: boolean;
  /** Whether what the user saw for long enough is what this activates. */
  readonly accepts: (event: MouseEvent) => boolean;
}

/** Begins again with each change of the questions on the card. */
export function useSettling(): Settling {
  const shown = use(ShownQuestions);
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const [settled, setSettled] = useState<string | null>(null);
  useLayoutEffect(() => {
    shownAt.current = performance.now();
    const timer = setTimeout(() => setSettled(shown), SETTLING_MS);
    return () => {
      clearTimeout(timer);
      setSettled(null);
    };
  }, [shown]);
  const isSettling = settled !== shown;
  return {
    isSettling,
    // What was pressed early may be handled late; the second click of a double click is none of its own.
    accepts: ({ detail, timeStamp }) =>
      !isSettling && detail <= 1 && timeStamp - shownAt.current >= SETTLING_MS,
  };
}

/** Approves what its question shows: by nothing at first, and by no key while the composer has the focus. */
export function ApproveButton({
  disabled,
  byShortcut = false,
  onApprove,
  children,
}: {
  readonly disabled: boolean;
  /** Whether the keys that approve mean this button: one on the card at most. */
  readonly byShortcut?: boolean;
  readonly onApprove: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { isSettling, accepts } = useSettling();
  const button = useRef<HTMLButtonElement>(null);
  useCommand('approve', byShortcut ? () => press(button.current) : null);
  const approve = (event: MouseEvent): void => {
    // A press of a key is a click without a count.
    const isKey = event.detail === 0;
    if (accepts(event) && !(isKey && isComposing())) onApprove();
  };
  return (
    <CommandButton
      ref={button}
      command={byShortcut ? 'approve' : undefined}
      variant="primary"
      disabled={disabled}
      aria-disabled={isSettling || undefined}
      onClick={approve}
    >
      {children}
    </CommandButton>
  );
}

/** A button that opens the form of a denial. */
export function DenyButton({
  byShortcut = false,
  ...rest
}: ButtonProps & { readonly byShortcut?: boolean }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  useCommand('deny', byShortcut ? () => press(button.current) : null);
  return <CommandButton ref={button} command={byShortcut ? 'deny' : undefined} {...rest} />;
}

/** Keys press only what is in sight: in a narrow window the computer may stand in place of the question. */
function press(button: HTMLButtonElement | null): void {
  if (button?.checkVisibility() === true) button.click();
}

function isComposing(): boolean {
  return document.activeElement?.closest('.composer') != null;
}
