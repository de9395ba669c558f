import { childOf, type XmlElement } from '../../documents/office/read-xml.ts';
import { type Mark, textMarks } from '../drawing/marks.ts';
import { fitText } from '../fit-text.ts';
import type { Box, TextElement } from '../types.ts';
import { colorIn, fillColor } from './template-colors.ts';
import type { ShapeTools } from './template-shapes.ts';

/** Of the text that a template writes itself. */
const MOST_TEXT = 500;
const MOST_PARAGRAPHS = 20;
/** English Metric Units to a point. */
const POINTS = 12_700;
/** Points, where nothing says it. */
const SIZE = 18;
const ALIGN: Readonly<Record<string, TextElement['align']>> = { ctr: 'center', r: 'right' };
const ANCHOR: Readonly<Record<string, TextElement['anchor']>> = { ctr: 'middle', b: 'bottom' };

/** The text of a shape, in the style of its first run. */
export function lettering(
  shape: XmlElement,
  box: Box,
  { colors, fonts, text, pageScale }: ShapeTools,
): Mark[] {
  const body = childOf(shape, 'p:txBody');
  const paragraphs = (body?.children ?? []).filter(({ name }) => name === 'a:p');
  const texts = paragraphs.map(({ children }) =>
    children
      .map((run) => childOf(run, 'a:t')?.text ?? '')
      .join('')
      .slice(0, MOST_TEXT),
  );
  if (texts.every((one) => one.trim() === '')) return [];
  const run = paragraphs.flatMap(({ children }) => children).find(({ name }) => name === 'a:r');
  const level = childOf(childOf(body, 'a:lstStyle'), 'a:lvl1pPr');
  const styles = [childOf(run, 'a:rPr'), childOf(level, 'a:defRPr')];
  const ownValue = (key: string): string | undefined =>
    styles.map((one) => one?.attributes.get(key)).find((one) => one !== undefined);
  const fills = styles.map((one) => fillColor(childOf(one, 'a:solidFill'), colors));
  const color =
    fills.find((one) => one !== null) ??
    colorIn(childOf(childOf(shape, 'p:style'), 'a:fontRef'), colors) ??
    text.color;
  const frame = childOf(body, 'a:bodyPr')?.attributes;
  const size = (Number(ownValue('sz') ?? SIZE * 100) / 100) * POINTS * pageScale.x;
  if (!(size >= 1 && size < 400)) return [];
  const aligned = paragraphs
    .map((one) => childOf(one, 'a:pPr')?.attributes.get('algn'))
    .find((one) => one !== undefined);
  const fitted = fitText(
    {
      ...{
        paragraphs: texts.slice(0, MOST_PARAGRAPHS),
        role: 'label',
        on: color,
        sizes: [size, size],
      },
      box: { ...box, x: box.x + 7, width: Math.max(1, box.width - 14) },
      style: { face: text.face, bold: ownValue('b') === '1', color },
      align: ALIGN[aligned ?? level?.attributes.get('algn') ?? ''] ?? 'left',
      anchor: ANCHOR[frame?.get('anchor') ?? ''] ?? 'top',
    },
    fonts,
  );
  return textMarks(fitted.element, fonts);
}
