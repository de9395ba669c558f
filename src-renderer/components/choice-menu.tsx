import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { LockNote } from './locked.tsx';
import { Tip } from './tip.tsx';

/** A quiet button that opens groups of choices; its tooltip names the current one. */
export function ChoiceMenu({
  label,
  className,
  align,
  face,
  children,
}: {
  /** Its name, with the current choice. */
  readonly label: string;
  readonly className: string;
  readonly align: 'start' | 'end';
  /** What the button shows. */
  readonly face: ReactNode;
  /** `MenuChoices`. */
  readonly children: ReactNode;
}): ReactNode {
  return (
    <DropdownMenu.Root modal={false}>
      <Tip text={label} side="top">
        {/* A wrapper keeps the two sets of state attributes apart. */}
        <span>
          <DropdownMenu.Trigger asChild>
            <button
              type="button"
              className={`button ${className}`}
              data-variant="ghost"
              aria-label={label}
            >
              {face}
            </button>
          </DropdownMenu.Trigger>
        </span>
      </Tip>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu choice-menu"
          align={align}
          sideOffset={6}
          collisionPadding={12}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Values to choose one from, each with its label. */
export function MenuChoices<Value extends string>({
  title,
  value,
  choices,
  lock = null,
  onChoose,
}: {
  readonly title: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  /** Who locks the choice; then there is nothing to choose. */
  readonly lock?: string | null;
  readonly onChoose: (value: Value) => void;
}): ReactNode {
  if (lock !== null) {
    return (
      <>
        <DropdownMenu.Label className="menu-note">{title}</DropdownMenu.Label>
        <p className="menu-locked">{choices.find(([one]) => one === value)?.[1]}</p>
        <LockNote text={lock} />
      </>
    );
  }
  return (
    <>
      <DropdownMenu.Label className="menu-note">{title}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup
        aria-label={title}
        value={value}
        onValueChange={(wanted) => {
          const chosen = choices.find(([one]) => one === wanted);
          if (chosen !== undefined) onChoose(chosen[0]);
        }}
      >
        {choices.map(([one, text]) => (
          <DropdownMenu.RadioItem key={one} value={one} className="menu-item">
            <span aria-hidden="true" className="menu-check" />
            <span className="menu-choice">{text}</span>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </>
  );
}
