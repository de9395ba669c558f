import { readAsBase64 } from '../../bridge/read-file.ts';
import type { PixelSize } from '../../store/image-orders.ts';
import { type Mark, paintMarks, toMask } from '../../store/mask-marks.ts';

/** Rows that are read at once: a large picture is not in memory twice. */
const ROWS = 512;

/**
 * The marks as a PNG of the picture's size, in base64: white where it may change, else black. Null where nothing is
 * marked. Throws where the canvas is too large for this computer.
 */
export async function drawMask(
  marks: readonly Mark[],
  { width, height }: PixelSize,
): Promise<string | null> {
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (pen === null) throw new Error('There is no canvas of this size.');
  paintMarks(pen, marks, '#fff');
  let marked = 0;
  for (let top = 0; top < height; top += ROWS) {
    const strip = pen.getImageData(0, top, width, Math.min(ROWS, height - top));
    marked += toMask(strip.data);
    pen.putImageData(strip, 0, top);
  }
  if (marked === 0) return null;
  return await readAsBase64(await canvas.convertToBlob({ type: 'image/png' }));
}
