import { type ReactNode, useId } from 'react';

/** A number that is chosen by moving it, with what it means. */
export function Slider({
  label,
  value,
  min,
  max,
  step,
  valueText,
  hint,
  onValue,
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Shown beside it, and read out in place of the number. */
  readonly valueText: string;
  readonly hint?: string;
  readonly onValue: (value: number) => void;
}): ReactNode {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className="slider">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <output className="muted" htmlFor={id} aria-hidden="true">
        {valueText}
      </output>
      <input
        {...{ id, min, max, step, value }}
        type="range"
        aria-valuetext={valueText}
        aria-describedby={hint === undefined ? undefined : noteId}
        onChange={(event) => onValue(Number(event.target.value))}
      />
      {hint !== undefined && (
        <p className="field-note" id={noteId}>
          {hint}
        </p>
      )}
    </div>
  );
}
