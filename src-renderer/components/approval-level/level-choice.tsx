import { type ReactNode, useId } from 'react';
import { PolicyLevel } from '#contract/vocabulary.ts';
import { levelStrings as words } from '../../strings/approval-levels.ts';

/** The three approval levels as a group of radio buttons, each with what it means. It stores nothing. */
export function LevelChoice({
  label = words.label,
  value,
  isVerified,
  problem = null,
  onChoose,
}: {
  readonly label?: ReactNode;
  /** Null while none is chosen. */
  readonly value: PolicyLevel | null;
  /** Whether the isolation of the sandbox was verified on this computer; null while that is not known. */
  readonly isVerified: boolean | null;
  /** Why the last choice could not be stored. */
  readonly problem?: string | null;
  readonly onChoose: (level: PolicyLevel) => void;
}): ReactNode {
  const id = useId();
  return (
    <fieldset className="choice level-choice" data-invalid={problem !== null}>
      <legend className="field-label">{label}</legend>
      {PolicyLevel.options.map((level) => (
        <label key={level} className="level-option" data-chosen={level === value}>
          <input
            type="radio"
            name={id}
            checked={level === value}
            aria-describedby={`${id}-${level}`}
            onChange={() => onChoose(level)}
          />
          <span className="level-title">
            {words.levels[level].title}
            {level === 'ask_on_exit' && isVerified === true && (
              <span className="tag" data-tone="accent">
                {words.recommended}
              </span>
            )}
          </span>
          <span id={`${id}-${level}`} className="level-text">
            {words.levels[level].text}
            {level === 'ask_on_exit' && isVerified === false && (
              <strong className="level-note"> {words.unverified}</strong>
            )}
          </span>
        </label>
      ))}
      {(problem !== null || value === null) && (
        <p className="field-note" role={problem === null ? undefined : 'alert'}>
          {problem ?? words.notChosen}
        </p>
      )}
    </fieldset>
  );
}
