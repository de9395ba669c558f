import { childOf, numberOf, type XmlElement } from '../../documents/office/read-xml.ts';
import type { Point } from '../drawing/marks.ts';
import type { Box } from '../types.ts';

/** Into how many lines a curve is drawn. */
const CURVE_STEPS = 12;

export interface Outline {
  readonly points: readonly Point[];
  readonly isFilled: boolean;
}

/** The edges of a shape on the page, turned and mirrored as it is. */
export function outlinesOf(properties: XmlElement, box: Box): Outline[] {
  const frame = childOf(properties, 'a:xfrm');
  const preset = childOf(properties, 'a:prstGeom')?.attributes.get('prst');
  const own = childOf(properties, 'a:custGeom');
  const outlines = own === undefined ? presetOutlines(preset ?? 'rect') : customOutlines(own);
  const angle = ((numberOf(frame, 'rot') ?? 0) / 60_000 / 180) * Math.PI;
  const [flipX, flipY] = ['flipH', 'flipV'].map((key) =>
    /^(?:1|true)$/.test(frame?.attributes.get(key) ?? ''),
  );
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  const placed = ([x, y]: Point): Point => {
    const across = ((flipX === true ? 1 - x : x) - 0.5) * box.width;
    const down = ((flipY === true ? 1 - y : y) - 0.5) * box.height;
    return [middleX + across * cos - down * sin, middleY + across * sin + down * cos];
  };
  return outlines.map((outline) => ({ ...outline, points: outline.points.map(placed) }));
}

const closed = (...points: readonly Point[]): Outline => ({
  points: [...points, points[0] ?? [0, 0]],
  isFilled: true,
});

/** Of a shape by name, each coordinate 0 to 1; those that are not known are rectangles. */
function presetOutlines(preset: string): Outline[] {
  switch (preset) {
    case 'line':
    case 'straightConnector1':
      return [
        {
          points: [
            [0, 0],
            [1, 1],
          ],
          isFilled: false,
        },
      ];
    case 'ellipse':
    case 'flowChartConnector': {
      const steps = Array.from({ length: 48 }, (_, at) => (at / 48) * 2 * Math.PI);
      return [
        closed(...steps.map((turn): Point => [0.5 + Math.cos(turn) / 2, 0.5 + Math.sin(turn) / 2])),
      ];
    }
    case 'triangle':
      return [closed([0.5, 0], [1, 1], [0, 1])];
    case 'rtTriangle':
      return [closed([0, 0], [1, 1], [0, 1])];
    case 'diamond':
      return [closed([0.5, 0], [1, 0.5], [0.5, 1], [0, 0.5])];
    case 'parallelogram':
      return [closed([0.25, 0], [1, 0], [0.75, 1], [0, 1])];
    case 'trapezoid':
      return [closed([0.25, 0], [0.75, 0], [1, 1], [0, 1])];
    case 'hexagon':
      return [closed([0.25, 0], [0.75, 0], [1, 0.5], [0.75, 1], [0.25, 1], [0, 0.5])];
    case 'homePlate':
      return [closed([0, 0], [0.75, 0], [1, 0.5], [0.75, 1], [0, 1])];
    case 'chevron':
      return [closed([0, 0], [0.75, 0], [1, 0.5], [0.75, 1], [0, 1], [0.25, 0.5])];
    default:
      return [closed([0, 0], [1, 0], [1, 1], [0, 1])];
  }
}

/** The paths of a free form. Arcs are drawn as what leads on: nothing there says where they end. */
function customOutlines(geometry: XmlElement): Outline[] {
  return (childOf(geometry, 'a:pathLst')?.children ?? []).flatMap((path) => {
    const width = numberOf(path, 'w') ?? 0;
    const height = numberOf(path, 'h') ?? 0;
    if (width <= 0 || height <= 0) return [];
    const isFilled = path.attributes.get('fill') !== 'none';
    const outlines: { points: Point[]; isFilled: boolean }[] = [];
    for (const command of path.children) {
      const points = command.children.map(
        (point): Point => [
          (numberOf(point, 'x') ?? 0) / width,
          (numberOf(point, 'y') ?? 0) / height,
        ],
      );
      const current = outlines.at(-1);
      const [first] = points;
      if (command.name === 'a:moveTo' && first !== undefined)
        outlines.push({ points: [first], isFilled });
      else if (command.name === 'a:close') current?.points.push(current.points[0] ?? [0, 0]);
      else if (/^a:(?:cubic|quad)BezTo$/.test(command.name) && points.length <= 3)
        current?.points.push(...curve([current.points.at(-1) ?? [0, 0], ...points]));
      else current?.points.push(...points);
    }
    return outlines.filter(({ points }) => points.length > 1);
  });
}

/** Points along a Bézier curve of any degree. */
function curve(controls: readonly Point[]): Point[] {
  return Array.from({ length: CURVE_STEPS }, (_, at) => {
    const part = (at + 1) / CURVE_STEPS;
    let points = controls;
    while (points.length > 1) {
      points = points.slice(1).map(([x, y], index): Point => {
        const [fromX, fromY] = points[index] ?? [0, 0];
        return [fromX + (x - fromX) * part, fromY + (y - fromY) * part];
      });
    }
    return points[0] ?? [0, 0];
  });
}
