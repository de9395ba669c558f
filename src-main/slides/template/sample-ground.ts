import { svgPixels } from '../drawing/draw-png.ts';
import { marksSvg } from '../drawing/draw-svg.ts';
import type { Mark } from '../drawing/marks.ts';
import type { VisualRuns } from '../drawing/visual-runs.ts';
import { contrast } from '../themes.ts';
import type { Box, Color, DeckPictures, Size } from '../types.ts';
import { meanColor } from './template-colors.ts';

/** What is behind a place of a page. */
export interface Ground {
  readonly mean: Color;
  /** The share of it, 0 to 1, on which this color has less than this contrast. */
  readonly unreadable: (color: Color, least: number) => number;
}

/** Pixels across: a letter of a title is about one high. */
const WIDTH = 96;

/** What is behind each box of a page on which only these marks are drawn. */
export async function groundsOf(
  boxes: readonly Box[],
  page: { readonly ground: Color; readonly marks: readonly Mark[]; readonly size: Size },
  { pictures, runs }: { readonly pictures: DeckPictures; readonly runs: VisualRuns },
): Promise<Ground[]> {
  if (page.marks.length === 0) return boxes.map(() => groundIn(new Map([[page.ground, 1]])));
  const { width, height, data } = await svgPixels(marksSvg(page, { pictures, runs }), WIDTH);
  const zoom = width / page.size.width;
  const clamped = (value: number, most: number): number =>
    Math.min(most, Math.max(0, Math.round(value * zoom)));
  return boxes.map((box) => {
    const left = clamped(box.x, width - 1);
    const top = clamped(box.y, height - 1);
    const right = Math.max(left + 1, clamped(box.x + box.width, width));
    const bottom = Math.max(top + 1, clamped(box.y + box.height, height));
    const colors = new Map<Color, number>();
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        const at = (y * width + x) * 4;
        const color = Buffer.from(data.subarray(at, at + 3))
          .toString('hex')
          .toUpperCase();
        colors.set(color, (colors.get(color) ?? 0) + 1);
      }
    }
    return groundIn(colors);
  });
}

function groundIn(colors: ReadonlyMap<Color, number>): Ground {
  const count = [...colors.values()].reduce((sum, one) => sum + one, 0);
  return {
    mean: meanColor([...colors].flatMap(([color, times]) => Array<Color>(times).fill(color))),
    unreadable: (text, least) => {
      const bad = [...colors].filter(([color]) => contrast(text, color) < least);
      return bad.reduce((sum, [, times]) => sum + times, 0) / count;
    },
  };
}
