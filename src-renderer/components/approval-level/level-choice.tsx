import { type ReactNode, useId, useState } from 'react';
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
  /** Resolves once the choice is stored or refused. */
  readonly onChoose: (level: PolicyLevel) => Promise<unknown>;
}): ReactNode {
  const id = useId();
  // Shown at once, so that a choice does not jump back while it is stored.
  const [wanted, setWanted] = useState<PolicyLevel | null>(null);
  const chosen = wanted ?? value;
  const choose = async (level: PolicyLevel): Promise<void> => {
    setWanted(level);
    await onChoose(level);
    setWanted((now) => (now === level ? null : now));
  };
  return (
    <fieldset className="choice level-choice" data-invalid={problem !== null}>
      <legend className="field-label">{label}</legend>
      {PolicyLevel.options.map((level) => (
        <label key={level} className="level-option" data-chosen={level === chosen}>
          <input
            type="radio"
            name={id}
            checked={level === chosen}
            aria-describedby={`${id}-${level}`}
            onChange={() => void choose(level)}
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
      {(problem !== null || chosen === null) && (
        <p className="field-note" role={problem === null ? undefined : 'alert'}>
          {problem ?? words.notChosen}
        </p>
      )}
    </fieldset>
  );
}
