import type { ChartElement, Color } from '../types.ts';
import type { Writing } from './pptx-text.ts';
import { xmlText } from './xml-text.ts';

const EMU_PER_POINT = 12_700;
const HAIRLINE = Math.round(0.75 * EMU_PER_POINT);
const AXES = { x: 500_000_001, y: 500_000_002 } as const;
/** Turned by 90 degrees, so that it is read from bottom to top. */
const UPWARDS = -5_400_000;

export const AXIS_IDS = `<c:axId val="${AXES.x}"/><c:axId val="${AXES.y}"/>`;

export function fillXml(color: Color, opacity = 1): string {
  const inside = opacity === 1 ? '' : `<a:alpha val="${Math.round(opacity * 100_000)}"/>`;
  return `<a:solidFill><a:srgbClr val="${color}">${inside}</a:srgbClr></a:solidFill>`;
}

export function lineXml(color: Color, points = 0.75): string {
  return `<a:ln w="${Math.round(points * EMU_PER_POINT)}" cap="rnd">${fillXml(color)}<a:round/></a:ln>`;
}

interface Lettering {
  readonly color?: Color;
  readonly turned?: boolean;
}

/** How labels and the legend are written. */
export function lettersXml(
  element: ChartElement,
  writing: Writing,
  { color = element.style.color, turned = false }: Lettering = {},
): string {
  const rotation = turned ? ` rot="${UPWARDS}" vert="horz"` : '';
  return `<c:txPr><a:bodyPr${rotation}/><a:lstStyle/><a:p><a:pPr><a:defRPr${lettersOf(element, writing, color)}</a:defRPr></a:pPr><a:endParaRPr lang="${writing.language}"/></a:p></c:txPr>`;
}

function lettersOf({ style }: ChartElement, writing: Writing, color: Color): string {
  const { face, size, bold } = style;
  const fonts = `<a:latin typeface="${face}"/><a:ea typeface="${writing.eastAsian}"/><a:cs typeface="${writing.complex}"/>`;
  return ` sz="${Math.round(size * 100)}" b="${bold ? 1 : 0}">${fillXml(color)}${fonts}`;
}

function titleXml(
  element: ChartElement,
  writing: Writing,
  { text, turned }: { text: string; turned: boolean },
): string {
  const title = xmlText(text).trim();
  if (title === '') return '';
  const rotation = turned ? UPWARDS : 0;
  const letters = lettersOf(element, writing, element.style.color);
  return `<c:title><c:tx><c:rich><a:bodyPr rot="${rotation}" vert="horz"/><a:lstStyle/><a:p><a:pPr><a:defRPr${letters}</a:defRPr></a:pPr><a:r><a:rPr lang="${writing.language}"${letters}</a:rPr><a:t>${title}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`;
}

/**
 * The two axes of a chart. PowerPoint scales them, again when the numbers change; columns, bars and areas begin at zero,
 * because their sizes are compared.
 */
export function axesXml(element: ChartElement, writing: Writing): string {
  const { chart, gridColor } = element;
  const isBar = chart.type === 'bar';
  const isScatter = chart.type === 'scatter';
  const valueTitle = chart.yTitle.trim() === '' ? chart.unit : chart.yTitle;
  const grid = `<c:majorGridlines><c:spPr><a:ln w="${HAIRLINE}">${fillXml(gridColor)}</a:ln></c:spPr></c:majorGridlines>`;
  const axisLine = `<c:spPr><a:noFill/><a:ln w="${HAIRLINE}">${fillXml(gridColor)}</a:ln></c:spPr>`;
  const noLine = '<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>';
  const letters = lettersXml(element, writing);
  const ticks =
    '<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>';
  // The first bar is the topmost, as it is read.
  const xScale = `<c:scaling><c:orientation val="${isBar ? 'maxMin' : 'minMax'}"/></c:scaling>`;
  const xTitle = titleXml(element, writing, { text: chart.xTitle, turned: isBar });
  const yTitle = titleXml(element, writing, { text: valueTitle, turned: !isBar });
  const numbers = `<c:numFmt formatCode="${numberFormat(element)}" sourceLinked="0"/>`;
  const xStart = `<c:axId val="${AXES.x}"/>${xScale}<c:delete val="0"/><c:axPos val="${isBar ? 'l' : 'b'}"/>`;
  const xEnd = `<c:crossAx val="${AXES.y}"/><c:crosses val="autoZero"/>`;
  const x = isScatter
    ? `<c:valAx>${xStart}${xTitle}<c:numFmt formatCode="General" sourceLinked="0"/>${ticks}${axisLine}${letters}${xEnd}<c:crossBetween val="midCat"/></c:valAx>`
    : `<c:catAx>${xStart}${xTitle}<c:numFmt formatCode="General" sourceLinked="0"/>${ticks}${axisLine}${letters}${xEnd}<c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="1"/></c:catAx>`;
  const crosses = isBar ? 'max' : 'autoZero';
  const between = isScatter || chart.type === 'area' ? 'midCat' : 'between';
  const y = `<c:valAx><c:axId val="${AXES.y}"/><c:scaling><c:orientation val="minMax"/>${zeroXml(element)}</c:scaling><c:delete val="0"/><c:axPos val="${isBar ? 'b' : 'l'}"/>${grid}${yTitle}${numbers}${ticks.replace('low', isBar ? 'nextTo' : 'low')}${noLine}${letters}<c:crossAx val="${AXES.x}"/><c:crosses val="${crosses}"/><c:crossBetween val="${between}"/></c:valAx>`;
  return x + y;
}

/** Thousands are separated where the steps between labels are whole; else labels have the decimals that they need. */
function numberFormat(element: ChartElement): string {
  const values = valuesOf(element);
  const most = Math.max(...values);
  const least = Math.min(...values);
  const isLarge = Math.max(Math.abs(most), Math.abs(least)) >= 1000;
  return isLarge && most - least >= 10 ? '#,##0' : 'General';
}

function valuesOf({ chart }: ChartElement): number[] {
  return chart.series.flatMap((series) => series.values.filter((value) => value !== null));
}

function zeroXml(element: ChartElement): string {
  const { type } = element.chart;
  if (type === 'line' || type === 'scatter') return '';
  const values = valuesOf(element);
  if (values.every((value) => value >= 0)) return '<c:min val="0"/>';
  return values.every((value) => value <= 0) ? '<c:max val="0"/>' : '';
}
