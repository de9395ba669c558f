import { childOf, type XmlElement } from '../../documents/office/read-xml.ts';
import type { Box, Color, TextElement } from '../types.ts';
import { type Colors, fillColor } from './template-colors.ts';
import { boxOf, placeholderOf, type Scale } from './template-shapes.ts';

/** A place for text in a layout, with what it takes over from the master. */
export interface LayoutPlace {
  readonly type: string;
  readonly idx: string | null;
  /** Inside of its margins; null where neither layout nor master says where it is. */
  readonly box: Box | null;
  readonly align: TextElement['align'];
  readonly anchor: TextElement['anchor'];
  /** Points on the page; null for what nobody says. */
  readonly size: number | null;
  readonly color: Color | null;
}

/** English Metric Units to a point, and the margins of a text that names none. */
const POINT = 12_700;
const MARGINS = { lIns: 91_440, tIns: 45_720, rIns: 91_440, bIns: 45_720 } as const;
const ALIGN: Readonly<Record<string, TextElement['align']>> = { ctr: 'center', r: 'right' };
const ANCHOR: Readonly<Record<string, TextElement['anchor']>> = { ctr: 'middle', b: 'bottom' };
/** What a placeholder of a layout is in the master. */
const IN_MASTER: Readonly<Record<string, string>> = {
  ...{ ctrTitle: 'title', subTitle: 'body', obj: 'body', pic: 'body', chart: 'body', tbl: 'body' },
};

interface PlaceTools {
  readonly master: XmlElement;
  readonly colors: Colors;
  readonly scale: Scale;
}

/** The placeholders of a layout, in its order. */
export function placesOf(layout: XmlElement, tools: PlaceTools): LayoutPlace[] {
  return placeholders(layout).map(({ shape, type, idx }) => {
    const inMaster = IN_MASTER[type] ?? type;
    const above = placeholders(tools.master).find((one) => one.type === inMaster)?.shape;
    return placeOf(shape, above, { ...tools, type, idx });
  });
}

/** The placeholder of this type in the master. */
export function masterPlace(type: string, tools: PlaceTools): LayoutPlace | null {
  const found = placeholders(tools.master).find((one) => one.type === type);
  return found === undefined
    ? null
    : placeOf(found.shape, undefined, { ...tools, type, idx: null });
}

function placeholders(
  part: XmlElement,
): { readonly shape: XmlElement; readonly type: string; readonly idx: string | null }[] {
  const tree = childOf(childOf(part, 'p:cSld'), 'p:spTree');
  return (tree?.children ?? []).flatMap((shape) => {
    const placeholder = placeholderOf(shape);
    if (placeholder === undefined || placeholder.attributes.get('orient') === 'vert') return [];
    const { attributes } = placeholder;
    return [{ shape, type: attributes.get('type') ?? 'obj', idx: attributes.get('idx') ?? null }];
  });
}

function placeOf(
  shape: XmlElement,
  above: XmlElement | undefined,
  {
    master,
    colors,
    scale,
    type,
    idx,
  }: PlaceTools & { readonly type: string; readonly idx: string | null },
): LayoutPlace {
  const isTitle = type === 'title' || type === 'ctrTitle';
  const isBody = ['body', 'obj', 'subTitle'].includes(type);
  const listed = childOf(
    childOf(master, 'p:txStyles'),
    isTitle ? 'p:titleStyle' : isBody ? 'p:bodyStyle' : 'p:otherStyle',
  );
  const bodies = [shape, above].map((one) => childOf(one, 'p:txBody'));
  const levels = [
    ...bodies.map((body) => childOf(childOf(body, 'a:lstStyle'), 'a:lvl1pPr')),
    childOf(listed, 'a:lvl1pPr'),
  ];
  const frames = bodies.map((body) => childOf(body, 'a:bodyPr'));
  const first = <Found>(list: readonly (Found | null | undefined)[]): Found | null =>
    list.find((one) => one !== null && one !== undefined) ?? null;
  const runs = levels.map((level) => childOf(level, 'a:defRPr'));
  const frameValue = (key: string): string | null =>
    first(frames.map((one) => one?.attributes.get(key)));
  const size = Number(first(runs.map((run) => run?.attributes.get('sz'))) ?? Number.NaN);
  const fills = runs.map((run) =>
    fillColor(
      run?.children.find(({ name }) => /Fill$/.test(name)),
      colors,
    ),
  );
  const outer = first([shape, above].map((one) => boxOf(childOf(one, 'p:spPr'), scale)));
  const margin = (key: keyof typeof MARGINS): number => {
    const own = Number(frameValue(key) ?? MARGINS[key]);
    return (Number.isFinite(own) ? Math.min(Math.max(own, 0), 1_000_000) : MARGINS[key]) * scale.x;
  };
  return {
    ...{ type, idx, color: first(fills) },
    box:
      outer === null
        ? null
        : within(outer, {
            left: margin('lIns'),
            top: margin('tIns'),
            right: margin('rIns'),
            bottom: margin('bIns'),
          }),
    align: ALIGN[first(levels.map((level) => level?.attributes.get('algn'))) ?? ''] ?? 'left',
    anchor: ANCHOR[frameValue('anchor') ?? ''] ?? 'top',
    size: Number.isFinite(size) && size > 0 ? (size / 100) * POINT * scale.x : null,
  };
}

function within(
  { x, y, width, height }: Box,
  margins: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  },
): Box {
  const { left, top, right, bottom } = margins;
  return {
    ...{ x: x + left, y: y + top },
    ...{ width: Math.max(0, width - left - right), height: Math.max(0, height - top - bottom) },
  };
}
