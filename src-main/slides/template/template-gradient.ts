import type { Mark, Point } from '../drawing/marks.ts';
import { childOf, type XmlElement } from '../pptx/package-xml.ts';
import type { Size } from '../types.ts';
import { type Colors, colorIn, mixed } from './template-colors.ts';

/** So many that no edge between them is seen. */
const STRIPS = 64;

/** The linear gradient behind a page, as strips; none for another background. */
export function gradientMarks(
  background: XmlElement | undefined,
  { width, height }: Size,
  colors: Colors,
): Mark[] {
  const fill = childOf(background, 'a:gradFill');
  const line = childOf(fill, 'a:lin');
  const stops = (childOf(fill, 'a:gsLst')?.children ?? [])
    .flatMap((stop) => {
      const color = colorIn(stop, colors);
      const at = Number(stop.attributes.get('pos')) / 100_000;
      return color === null || !Number.isFinite(at) ? [] : [{ at, color }];
    })
    .sort((one, other) => one.at - other.at);
  const [first, last] = [stops.at(0), stops.at(-1)];
  if (line === undefined || first === undefined || last === undefined) return [];
  const colorAt = (part: number): string => {
    const after = stops.find(({ at }) => at >= part) ?? last;
    const before = stops.findLast(({ at }) => at <= part) ?? first;
    const range = after.at - before.at;
    return range <= 0 ? after.color : mixed(before.color, after.color, (part - before.at) / range);
  };
  const turn = ((Number(line.attributes.get('ang')) || 0) / 60_000 / 180) * Math.PI;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const length = Math.abs(width * cos) + Math.abs(height * sin);
  const reach = width + height;
  const point = (along: number, across: number): Point => [
    width / 2 + along * cos - across * sin,
    height / 2 + along * sin + across * cos,
  ];
  return Array.from({ length: STRIPS }, (_, at): Mark => {
    const start = (at / STRIPS - 0.5) * length;
    // Up to the other end: where strips only touch, a line is seen between them.
    const end = length / 2;
    return {
      ...{ kind: 'polygon', fill: colorAt((at + 0.5) / STRIPS) },
      points: [point(start, -reach), point(end, -reach), point(end, reach), point(start, reach)],
    };
  });
}
