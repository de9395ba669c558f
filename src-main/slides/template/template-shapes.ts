import { childOf, numberOf, type XmlElement } from '../../documents/office/read-xml.ts';
import type { Mark } from '../drawing/marks.ts';
import type { SlideFonts } from '../fonts.ts';
import type { Box, Color, FontFace } from '../types.ts';
import { type Colors, colorIn, fillColor, opacityIn } from './template-colors.ts';
import { gradientMarks } from './template-gradient.ts';
import { lettering } from './template-lettering.ts';
import { type Outline, outlinesOf } from './template-outlines.ts';

/** Where coordinates of a shape are on the page: points to a unit, and where its zero is. */
export interface Scale {
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
}

export interface ShapeTools {
  readonly colors: Colors;
  readonly fonts: SlideFonts;
  /** How texts are that do not say it. */
  readonly text: { readonly face: FontFace; readonly color: Color };
  /** The key of a picture in the pictures of the deck. */
  readonly pictureKey: (name: string) => string;
  readonly pageScale: Scale;
}

const FILLS = new Set([
  'a:noFill',
  'a:solidFill',
  'a:gradFill',
  'a:pattFill',
  'a:blipFill',
  'a:grpFill',
]);
/** Per template part: more is no decoration. */
const MOST_MARKS = 1_000;
const ROUNDED = new Set(['roundRect', 'round2SameRect', 'flowChartAlternateProcess']);
/** Of rounded corners, as a share of the shorter edge, where the shape does not say it. */
const ROUNDING = 0.16667;

/** What a master or a layout draws by itself, from back to front; its placeholders are not drawn. */
export function decorationOf(part: XmlElement, tools: ShapeTools): Mark[] {
  const tree = childOf(childOf(part, 'p:cSld'), 'p:spTree');
  return (tree?.children ?? [])
    .flatMap((shape) => marksOf(shape, tools.pageScale, tools))
    .slice(0, MOST_MARKS);
}

/** Where a shape is; null where it does not say so. */
export function boxOf(properties: XmlElement | undefined, scale: Scale): Box | null {
  const frame = childOf(properties, 'a:xfrm');
  const [offset, extent] = [childOf(frame, 'a:off'), childOf(frame, 'a:ext')];
  const [x, y] = [numberOf(offset, 'x'), numberOf(offset, 'y')];
  const [cx, cy] = [numberOf(extent, 'cx'), numberOf(extent, 'cy')];
  if (x === null || y === null || cx === null || cy === null) return null;
  return {
    ...{ x: x * scale.x + scale.left, y: y * scale.y + scale.top },
    ...{ width: Math.max(0, cx * scale.x), height: Math.max(0, cy * scale.y) },
  };
}

function marksOf(shape: XmlElement, scale: Scale, tools: ShapeTools): Mark[] {
  switch (shape.name) {
    case 'p:sp':
    case 'p:cxnSp':
      return isPlaceholder(shape) ? [] : shapeMarks(shape, scale, tools);
    case 'p:pic':
      return isPlaceholder(shape) ? [] : pictureMarks(shape, scale, tools);
    case 'p:grpSp': {
      const inner = groupScale(shape, scale);
      return inner === null ? [] : shape.children.flatMap((one) => marksOf(one, inner, tools));
    }
    default:
      return [];
  }
}

/** The placeholder that a shape is; undefined for one that is none. */
export function placeholderOf(shape: XmlElement): XmlElement | undefined {
  const about = shape.children.find(({ name }) => /^p:nv\w*Pr$/.test(name));
  return childOf(childOf(about, 'p:nvPr'), 'p:ph');
}

function isPlaceholder(shape: XmlElement): boolean {
  return placeholderOf(shape) !== undefined;
}

/** Shapes of a group have coordinates of their own. */
function groupScale(group: XmlElement, scale: Scale): Scale | null {
  const properties = childOf(group, 'p:grpSpPr');
  const frame = childOf(properties, 'a:xfrm');
  const box = boxOf(properties, scale);
  const [x, y] = ['x', 'y'].map((key) => numberOf(childOf(frame, 'a:chOff'), key));
  const [cx, cy] = ['cx', 'cy'].map((key) => numberOf(childOf(frame, 'a:chExt'), key));
  if (box === null || x == null || y == null || !cx || !cy) return null;
  const [across, down] = [box.width / cx, box.height / cy];
  return { x: across, y: down, left: box.x - x * across, top: box.y - y * down };
}

function pictureMarks(shape: XmlElement, scale: Scale, tools: ShapeTools): Mark[] {
  const box = boxOf(childOf(shape, 'p:spPr'), scale);
  const name = childOf(childOf(shape, 'p:blipFill'), 'a:blip')?.attributes.get('r:embed');
  return box === null || name === undefined
    ? []
    : [{ kind: 'picture', box, path: tools.pictureKey(name) }];
}

function shapeMarks(shape: XmlElement, scale: Scale, tools: ShapeTools): Mark[] {
  const properties = childOf(shape, 'p:spPr');
  const box = boxOf(properties, scale);
  if (box === null || properties === undefined) return [];
  const fill = properties.children.find(({ name }) => FILLS.has(name));
  const style = childOf(shape, 'p:style');
  const picture = childOf(fill, 'a:blip')?.attributes.get('r:embed');
  if (picture !== undefined) return [{ kind: 'picture', box, path: tools.pictureKey(picture) }];
  const isPlain = fill === undefined && childOf(style, 'a:fillRef')?.attributes.get('idx') !== '0';
  const color = isPlain
    ? colorIn(childOf(style, 'a:fillRef'), tools.colors)
    : fillColor(fill, tools.colors);
  const outlines = outlinesOf(properties, box);
  const marks: Mark[] = [];
  const gradient = isRectangle(properties) ? gradientMarks(fill, box, tools.colors) : [];
  if (gradient.length > 0) marks.push(...gradient);
  else if (color !== null) {
    marks.push(...filled(properties, { box, color, opacity: opacityIn(fill), outlines }));
  }
  const line = lineOf(properties, style, tools.colors);
  if (line !== null) {
    for (const { points } of outlines) marks.push({ kind: 'line', points, ...line });
  }
  return [...marks, ...lettering(shape, box, tools)];
}

function isRectangle(properties: XmlElement): boolean {
  const isTurned = childOf(properties, 'a:xfrm')?.attributes.has('rot') === true;
  return childOf(properties, 'a:prstGeom')?.attributes.get('prst') === 'rect' && !isTurned;
}

function filled(
  properties: XmlElement,
  {
    box,
    color,
    opacity,
    outlines,
  }: {
    readonly box: Box;
    readonly color: Color;
    readonly opacity: number;
    readonly outlines: readonly Outline[];
  },
): Mark[] {
  const preset = childOf(properties, 'a:prstGeom')?.attributes.get('prst') ?? '';
  const isTurned = childOf(properties, 'a:xfrm')?.attributes.has('rot') === true;
  if (ROUNDED.has(preset) && !isTurned && opacity === 1) {
    const radius = Math.min(box.width, box.height) * ROUNDING;
    return [{ kind: 'rectangle', box, fill: color, radius }];
  }
  return outlines.flatMap(({ points, isFilled }): Mark[] =>
    isFilled ? [{ kind: 'polygon', points, fill: color, opacity }] : [],
  );
}

function lineOf(
  properties: XmlElement,
  style: XmlElement | undefined,
  colors: Colors,
): { readonly color: Color; readonly width: number } | null {
  const line = childOf(properties, 'a:ln');
  const fill = line?.children.find(({ name }) => FILLS.has(name));
  if (fill?.name === 'a:noFill') return null;
  const reference = childOf(style, 'a:lnRef');
  const isNone = reference === undefined || reference.attributes.get('idx') === '0';
  const color =
    fill === undefined ? (isNone ? null : colorIn(reference, colors)) : fillColor(fill, colors);
  if (color === null) return null;
  return {
    color,
    width: Math.min(40, Math.max(0.5, Number(line?.attributes.get('w') ?? 9_525) / 12_700)),
  };
}
