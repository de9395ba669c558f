import { Brush, Eraser, Plus, Trash2, Undo2 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import type { PixelSize } from '../../store/image-orders.ts';
import { type Rectangle, rectangleIn } from '../../store/mask-marks.ts';
import { imageStrings } from '../../strings/images.ts';
import { Slider } from './slider.tsx';

const words = imageStrings.dialog;

interface MaskToolsProps {
  readonly isErasing: boolean;
  /** Percent of the picture's shorter edge. */
  readonly brush: number;
  /** The same in pixels. */
  readonly brushWidth: number;
  readonly hasMarks: boolean;
  readonly onErasing: (isErasing: boolean) => void;
  readonly onBrush: (percent: number) => void;
  readonly onUndo: () => void;
  readonly onClear: () => void;
}

/** What is painted with, and the ways back. */
export function MaskTools(props: MaskToolsProps): ReactNode {
  const { isErasing, brush, brushWidth, hasMarks, onErasing, onBrush, onUndo, onClear } = props;
  return (
    <div className="mask-tools">
      <fieldset className="mask-buttons" aria-label={words.tool}>
        <Button
          size="small"
          variant="ghost"
          aria-pressed={!isErasing}
          onClick={() => onErasing(false)}
        >
          <Brush aria-hidden="true" size={14} />
          {words.brush}
        </Button>
        <Button
          size="small"
          variant="ghost"
          aria-pressed={isErasing}
          onClick={() => onErasing(true)}
        >
          <Eraser aria-hidden="true" size={14} />
          {words.erase}
        </Button>
      </fieldset>
      <Slider
        label={words.brushSize}
        value={brush}
        {...{ min: 1, max: 50, step: 1 }}
        valueText={words.pixels(brushWidth)}
        onValue={onBrush}
      />
      <div className="mask-buttons">
        <Button size="small" variant="ghost" aria-disabled={!hasMarks} onClick={onUndo}>
          <Undo2 aria-hidden="true" size={14} />
          {words.undo}
        </Button>
        <Button size="small" variant="ghost" aria-disabled={!hasMarks} onClick={onClear}>
          <Trash2 aria-hidden="true" size={14} />
          {words.clear}
        </Button>
      </div>
    </div>
  );
}

interface RectangleFieldsProps {
  readonly size: PixelSize;
  readonly isErasing: boolean;
  /** What is typed, for as long as the fields are open; null once they are not, or it is outside. */
  readonly onOutline: (rectangle: Rectangle | null) => void;
  readonly onRectangle: (rectangle: Rectangle) => void;
}

/** Marks a part of the picture without a pointer. */
export function RectangleMark(props: RectangleFieldsProps): ReactNode {
  return (
    <Disclosure
      id="mask rectangle"
      className="mask-rectangle"
      summary={<span>{words.rectangle}</span>}
    >
      {() => <RectangleFields {...props} />}
    </Disclosure>
  );
}

const SIDES = ['left', 'top', 'width', 'height'] as const;
/** Pixels of one press of an arrow key. */
const STEP = 8;

function RectangleFields(props: RectangleFieldsProps): ReactNode {
  const { size, isErasing, onOutline, onRectangle } = props;
  const { width, height } = size;
  const noteId = useId();
  const [typed, setTyped] = useState<Readonly<Record<(typeof SIDES)[number], string>>>({
    ...{ left: middle(width), top: middle(height) },
    ...{ width: half(width), height: half(height) },
  });
  const rectangle = rectangleIn(
    {
      ...{ left: toPixels(typed.left), top: toPixels(typed.top) },
      ...{ width: toPixels(typed.width), height: toPixels(typed.height) },
    },
    size,
  );
  const shown = JSON.stringify(rectangle);
  const tell = useRef(onOutline);
  useEffect(() => {
    tell.current(JSON.parse(shown) as Rectangle | null);
  }, [shown]);
  useEffect(() => {
    const outline = tell.current;
    return () => outline(null);
  }, []);
  return (
    <fieldset className="rectangle-fields" aria-describedby={noteId}>
      <legend className="visually-hidden">{words.rectangle}</legend>
      {SIDES.map((side) => (
        <label key={side} className="field">
          <span className="field-label">{words[side]}</span>
          <input
            className="text-input"
            type="number"
            inputMode="numeric"
            min={0}
            max={side === 'left' || side === 'width' ? width : height}
            step={STEP}
            aria-invalid={rectangle === null}
            value={typed[side]}
            onChange={(event) => setTyped({ ...typed, [side]: event.target.value })}
            onKeyDown={(event) => {
              // Enter marks: it does not send what is not marked yet.
              if (event.key !== 'Enter') return;
              event.preventDefault();
              if (rectangle !== null) onRectangle(rectangle);
            }}
          />
        </label>
      ))}
      <Button
        aria-disabled={rectangle === null}
        onClick={() => rectangle !== null && onRectangle(rectangle)}
      >
        {isErasing ? (
          <Eraser aria-hidden="true" size={14} />
        ) : (
          <Plus aria-hidden="true" size={14} />
        )}
        {isErasing ? words.subtract : words.add}
      </Button>
      <p className="field-note" id={noteId}>
        {words.ofPicture(width, height)}
      </p>
    </fieldset>
  );
}

function toPixels(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** In steps of the arrow keys. */
function half(edge: number): string {
  return String(Math.max(1, Math.round(edge / 2 / STEP) * STEP || Math.round(edge / 2)));
}

function middle(edge: number): string {
  return String(Math.round(edge / 4 / STEP) * STEP);
}
