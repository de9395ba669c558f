import { type PointerEvent, type ReactNode, useCallback, useLayoutEffect, useRef } from 'react';
import type { PixelSize } from '../../store/image-orders.ts';
import { countMarked, type Mark, paintMarks, type Rectangle } from '../../store/mask-marks.ts';

/** Marks are painted at this size at most: what is sent has the picture's own. */
const LONGEST_EDGE = 1_024;
const COLOUR = '#e0218a';
/** What a pen presses with its other end. */
const ERASER_BUTTON = 5;

interface MaskCanvasProps {
  readonly url: string;
  readonly alt: string;
  readonly size: PixelSize;
  readonly marks: readonly Mark[];
  /** In pixels of the picture. */
  readonly brushWidth: number;
  readonly isErasing: boolean;
  /** A rectangle that is not marked yet. */
  readonly outline: Rectangle | null;
  readonly onMark: (mark: Mark) => void;
  /** Percent of the picture that is marked, after every change of the marks. */
  readonly onShare: (percent: number) => void;
}

type Stroke = Extract<Mark, { kind: 'stroke' }> & { readonly points: number[] };

/** A picture to paint on with a mouse, a pen or a finger. */
export function MaskCanvas(props: MaskCanvasProps): ReactNode {
  const { url, alt, size, marks, brushWidth, isErasing, outline, onMark, onShare } = props;
  const { width, height } = size;
  const canvas = useRef<HTMLCanvasElement>(null);
  const ring = useRef<HTMLSpanElement>(null);
  const current = useRef<{ readonly pointerId: number; readonly stroke: Stroke } | null>(null);
  const scale = Math.min(1, LONGEST_EDGE / Math.max(width, height));

  const fit = useCallback(
    (stage: HTMLElement | null) => stage?.style.setProperty('--shape', String(width / height)),
    [width, height],
  );
  const paint = useCallback((): CanvasRenderingContext2D | null => {
    const pen = canvas.current?.getContext('2d', { willReadFrequently: true }) ?? null;
    if (pen === null) return null;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, pen.canvas.width, pen.canvas.height);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const stroke = current.current?.stroke;
    paintMarks(pen, stroke === undefined ? marks : [...marks, stroke], COLOUR);
    return pen;
  }, [marks, scale]);

  const tell = useRef(onShare);
  useLayoutEffect(() => {
    tell.current = onShare;
  });
  useLayoutEffect(() => {
    const pen = paint();
    if (pen === null) return;
    const { width: columns, height: rows } = pen.canvas;
    const { data } = pen.getImageData(0, 0, columns, rows);
    tell.current((countMarked(data) / (columns * rows)) * 100);
  }, [paint]);

  const pointsOf = (event: PointerEvent<HTMLCanvasElement>): number[] => {
    const box = event.currentTarget.getBoundingClientRect();
    const { nativeEvent } = event;
    // Of a fast movement, the points on the way as well.
    const events = nativeEvent.getCoalescedEvents?.() ?? [];
    return (events.length > 0 ? events : [nativeEvent]).flatMap(({ clientX, clientY }) => [
      ((clientX - box.left) / box.width) * width,
      ((clientY - box.top) / box.height) * height,
    ]);
  };
  const begin = (event: PointerEvent<HTMLCanvasElement>): void => {
    const isOtherEnd = event.button === ERASER_BUTTON;
    if ((event.button !== 0 && !isOtherEnd) || current.current !== null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    current.current = {
      pointerId: event.pointerId,
      stroke: {
        ...{ kind: 'stroke', erase: isErasing || isOtherEnd, width: brushWidth },
        points: pointsOf(event),
      },
    };
    paint();
  };
  const move = (event: PointerEvent<HTMLCanvasElement>): void => {
    moveRing(event, ring.current);
    if (current.current?.pointerId !== event.pointerId) return;
    current.current.stroke.points.push(...pointsOf(event));
    paint();
  };
  const finish = (event: PointerEvent<HTMLCanvasElement>, isKept: boolean): void => {
    if (current.current?.pointerId !== event.pointerId) return;
    const { stroke } = current.current;
    current.current = null;
    if (isKept) onMark(stroke);
    else paint();
  };
  return (
    <div className="mask-stage" ref={fit}>
      <img src={url} alt={alt} />
      {/* Without a pointer, rectangles are marked by their numbers, and how much is marked is in words. */}
      <canvas
        ref={canvas}
        width={Math.max(1, Math.round(width * scale))}
        height={Math.max(1, Math.round(height * scale))}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={(event) => finish(event, true)}
        onPointerCancel={(event) => finish(event, false)}
      />
      <span
        ref={ring}
        className="mask-ring"
        aria-hidden="true"
        style={{ width: `${(brushWidth / width) * 100}%` }}
      />
      {outline !== null && (
        <span
          className="mask-outline"
          aria-hidden="true"
          style={{
            left: `${(outline.left / width) * 100}%`,
            top: `${(outline.top / height) * 100}%`,
            width: `${(outline.width / width) * 100}%`,
            height: `${(outline.height / height) * 100}%`,
          }}
        />
      )}
    </div>
  );
}

/** The brush around the pointer; a finger covers it anyway. */
function moveRing(event: PointerEvent<HTMLCanvasElement>, ring: HTMLElement | null): void {
  if (ring === null || event.pointerType === 'touch') return;
  const box = event.currentTarget.getBoundingClientRect();
  ring.style.left = `${((event.clientX - box.left) / box.width) * 100}%`;
  ring.style.top = `${((event.clientY - box.top) / box.height) * 100}%`;
}
