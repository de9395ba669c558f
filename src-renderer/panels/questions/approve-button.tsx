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
  readonly accepts: (event: Pick<MouseEvent, 'detail' | 'timeStamp'>) => boolean;
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
  const approveByKeys = (at: number): void => {
    if (isMeant(button.current) && accepts({ detail: 0, timeStamp: at })) onApprove();
  };
  useCommand('approve', byShortcut ? approveByKeys : null);
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
  const denyByKeys = (): void => {
    if (isMeant(button.current)) button.current?.click();
  };
  useCommand('deny', byShortcut ? denyByKeys : null);
  return <CommandButton ref={button} command={byShortcut ? 'deny' : undefined} {...rest} />;
}

/** What uses keys itself, or stands for another decision. */
const CONTROLS = 'a, button, input, select, textarea, summary, [role], [contenteditable]';

/**
 * Whether keys for a question mean this button: no other control has the focus, no call of the card is being
 * edited or denied by itself, and the button is in sight with nothing over it. Where it is not, it comes into sight,
 * and the next press counts.
 */
function isMeant(button: HTMLButtonElement | null): boolean {
  if (button === null || button.disabled) return false;
  const focused = document.activeElement;
  if (focused !== button && focused?.matches(CONTROLS) === true) return false;
  const forms = button.closest('.question')?.querySelectorAll('.question-actions.stacked') ?? [];
  if ([...forms].some((form) => !form.contains(button))) return false;
  if (isInSight(button)) return true;
  button.scrollIntoView({ block: 'nearest' });
  return false;
}

/** Every edge of it: its card may cut it, and a menu may lie over a part of it. */
function isInSight(button: HTMLButtonElement): boolean {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const edges = [
    { x: left + 2, y },
    { x: right - 2, y },
    { x, y: top + 2 },
    { x, y: bottom - 2 },
  ];
  return edges.every((at) => button.contains(document.elementFromPoint(at.x, at.y)));
}

function isComposing(): boolean {
  return document.activeElement?.closest('.composer') != null;
}
