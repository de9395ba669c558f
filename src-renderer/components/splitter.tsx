import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';

interface SplitterProps {
  readonly label: string;
  /** Width of the column that it belongs to, in CSS pixels. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** Which side of the line that column is on. */
  readonly column: 'before' | 'after';
  readonly onChange: (value: number) => void;
}

const STEP = 16;

/** The line between two columns: drag it, or move it with the arrow keys. */
export function Splitter(props: SplitterProps): ReactNode {
  const { label, value, min, max, column, onChange } = props;
  const drag = useRef<{ readonly x: number; readonly value: number } | null>(null);
  const direction = column === 'before' ? 1 : -1;
  const set = (next: number): void => onChange(Math.round(Math.min(max, Math.max(min, next))));

  const startDrag = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, value };
  };
  const moveDrag = (event: PointerEvent<HTMLElement>): void => {
    const from = drag.current;
    if (from !== null) set(from.value + (event.clientX - from.x) * direction);
  };
  const pressKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowRight') set(value + STEP * direction);
    else if (event.key === 'ArrowLeft') set(value - STEP * direction);
    else if (event.key === 'Home') set(min);
    else if (event.key === 'End') set(max);
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable separator is a control, <hr> is not
    <div
      className="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={startDrag}
      onPointerMove={moveDrag}
      onPointerUp={() => {
        drag.current = null;
      }}
      onKeyDown={pressKey}
    />
  );
}
