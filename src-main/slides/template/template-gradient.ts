import { childOf, type XmlElement } from '../../documents/office/read-xml.ts';
import type { Mark, Point } from '../drawing/marks.ts';
import type { Box, Color } from '../types.ts';
import { type Colors, colorIn, mixed, opacityIn } from './template-colors.ts';

/** So many that no edge between them is seen. */
const STRIPS = 64;

/** The linear gradient in a box, as strips; none for another fill. */
export function gradientMarks(fill: XmlElement | undefined, box: Box, colors: Colors): Mark[] {
  if (fill?.name !== 'a:gradFill') return [];
  const { width, height } = box;
  const line = childOf(fill, 'a:lin');
  const stops = (childOf(fill, 'a:gsLst')?.children ?? [])
    .flatMap((stop) => {
      const color = colorIn(stop, colors);
      const at = Number(stop.attributes.get('pos')) / 100_000;
      return color === null || !Number.isFinite(at)
        ? []
        : [{ at, color, opacity: opacityIn(stop) }];
    })
    .sort((one, other) => one.at - other.at);
  const [first, last] = [stops.at(0), stops.at(-1)];
  if (line === undefined || first === undefined || last === undefined) return [];
  const between = (part: number): { readonly color: Color; readonly opacity: number } => {
    const after = stops.find(({ at }) => at >= part) ?? last;
    const before = stops.findLast(({ at }) => at <= part) ?? first;
    const range = after.at - before.at;
    const share = range <= 0 ? 1 : (part - before.at) / range;
    return {
      color: mixed(before.color, after.color, share),
      opacity: before.opacity + (after.opacity - before.opacity) * share,
    };
  };
  const isSolid = stops.every(({ opacity }) => opacity === 1);
  const turn = ((Number(line.attributes.get('ang')) || 0) / 60_000 / 180) * Math.PI;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const length = Math.abs(width * cos) + Math.abs(height * sin);
  const reach = width + height;
  const point = (along: number, across: number): Point => [
    box.x + width / 2 + along * cos - across * sin,
    box.y + height / 2 + along * sin + across * cos,
  ];
  return Array.from({ length: STRIPS }, (_, at): Mark => {
    const start = (at / STRIPS - 0.5) * length;
    // Up to the other end where they can: between strips that only touch, a line is seen.
    const end = isSolid ? length / 2 : start + length / STRIPS;
    const { color, opacity } = between((at + 0.5) / STRIPS);
    return {
      ...{ kind: 'polygon', fill: color, opacity },
      points: clippedTo(box, [
        point(start, -reach),
        point(end, -reach),
        point(end, reach),
        point(start, reach),
      ]),
    };
  });
}

/** The part of a convex polygon that is in a box, edge by edge (Sutherland and Hodgman 1974). */
function clippedTo({ x, y, width, height }: Box, polygon: readonly Point[]): readonly Point[] {
  const edges: readonly (readonly [axis: 0 | 1, sign: 1 | -1, limit: number])[] = [
    [0, 1, x],
    [0, -1, x + width],
    [1, 1, y],
    [1, -1, y + height],
  ];
  return edges.reduce((points, [axis, sign, limit]) => {
    const inside = (point: Point): number => (point[axis] - limit) * sign;
    return points.flatMap((point, at): Point[] => {
      const before = points.at(at - 1) ?? point;
      const [a, b] = [inside(before), inside(point)];
      if (a < 0 && b < 0) return [];
      if (a >= 0 && b >= 0) return [point];
      const part = a / (a - b);
      const cut: Point = [
        before[0] + (point[0] - before[0]) * part,
        before[1] + (point[1] - before[1]) * part,
      ];
      return b >= 0 ? [cut, point] : [cut];
    });
  }, polygon);
}
