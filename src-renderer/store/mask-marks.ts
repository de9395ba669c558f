import type { PixelSize } from './image-orders.ts';

export interface Rectangle extends PixelSize {
  readonly left: number;
  readonly top: number;
}

/** What was painted on a picture, in its pixels. `erase` takes marks away again. */
export type Mark = { readonly erase: boolean } & (
  | { readonly kind: 'rectangle'; readonly place: Rectangle }
  | {
      readonly kind: 'stroke';
      /** Diameter of the brush. */
      readonly width: number;
      /** x and y of each point, one after the other. */
      readonly points: readonly number[];
    }
);

/** A part of a canvas that marks are painted with. */
type Pen = Pick<
  CanvasRenderingContext2D,
  | 'globalCompositeOperation'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'lineCap'
  | 'lineJoin'
  | 'fillRect'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'arc'
  | 'fill'
  | 'stroke'
>;

/** Paints marks in their order: what stays opaque is marked. */
export function paintMarks(pen: Pen, marks: readonly Mark[], colour: string): void {
  pen.fillStyle = colour;
  pen.strokeStyle = colour;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  for (const mark of marks) {
    pen.globalCompositeOperation = mark.erase ? 'destination-out' : 'source-over';
    if (mark.kind === 'rectangle') {
      const { left, top, width, height } = mark.place;
      pen.fillRect(left, top, width, height);
    } else paintStroke(pen, mark);
  }
  pen.globalCompositeOperation = 'source-over';
}

function paintStroke(
  pen: Pen,
  { width, points }: { readonly width: number; readonly points: readonly number[] },
): void {
  const [x = 0, y = 0] = points;
  pen.beginPath();
  if (points.length <= 2) {
    pen.arc(x, y, width / 2, 0, 2 * Math.PI);
    pen.fill();
    return;
  }
  pen.lineWidth = width;
  pen.moveTo(x, y);
  for (let at = 2; at < points.length; at += 2) pen.lineTo(points[at] ?? 0, points[at + 1] ?? 0);
  pen.stroke();
}

/** A pixel that is at least half covered is marked. */
const MARKED_ALPHA = 128;

/** Makes RGBA pixels black, and white where they are marked. Tells how many are. */
export function toMask(pixels: Uint8ClampedArray): number {
  let marked = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const isMarked = (pixels[at + 3] ?? 0) >= MARKED_ALPHA;
    if (isMarked) marked += 1;
    const shade = isMarked ? 255 : 0;
    pixels[at] = shade;
    pixels[at + 1] = shade;
    pixels[at + 2] = shade;
    pixels[at + 3] = 255;
  }
  return marked;
}

/** How many of RGBA pixels are marked. */
export function countMarked(pixels: Uint8ClampedArray): number {
  let marked = 0;
  for (let at = 3; at < pixels.length; at += 4) {
    if ((pixels[at] ?? 0) >= MARKED_ALPHA) marked += 1;
  }
  return marked;
}

/** A rectangle from what was typed, cut at the edges of the picture; null where nothing of it is inside. */
export function rectangleIn(typed: Rectangle, { width, height }: PixelSize): Rectangle | null {
  const numbers = [typed.left, typed.top, typed.width, typed.height];
  if (!numbers.every(Number.isFinite)) return null;
  const left = Math.max(0, Math.round(typed.left));
  const top = Math.max(0, Math.round(typed.top));
  const right = Math.min(width, Math.round(typed.left + typed.width));
  const bottom = Math.min(height, Math.round(typed.top + typed.height));
  if (right <= left || bottom <= top) return null;
  return { left, top, width: right - left, height: bottom - top };
}
