import { contrast } from '../themes.ts';
import type { ChartElement, Color } from '../types.ts';
import { AXIS_IDS, axesXml, fillXml, lettersXml, lineXml } from './pptx-axes.ts';
import type { Writing } from './pptx-text.ts';
import { type Cell, columnName, SHEET_NAME, XML_HEAD } from './pptx-workbook.ts';
import { cleanText, xmlText } from './xml-text.ts';

const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Points. */
const LINE_WIDTH = 2.25;
const MARKERS = { line: 6, scatter: 7 } as const;
/** Areas lie over each other: those behind must be seen. */
const AREA_OPACITY = 0.55;
/** How much of the room of a category its bars take together. */
const BARS = 0.68;
const NO_MARKER = '<c:marker><c:symbol val="none"/></c:marker>';
const CLEAR = '<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>';

/** The values of a chart, as many for each series as there are categories; null for gaps. */
interface ChartData {
  readonly categories: readonly Cell[];
  readonly series: readonly { readonly name: string; readonly values: readonly Cell[] }[];
}

/** The rows of the workbook behind a chart. */
export function chartRows(element: ChartElement): Cell[][] {
  const { categories, series } = dataOf(element);
  return [
    [null, ...series.map(({ name }) => name)],
    ...categories.map((category, at) => [
      category,
      ...series.map(({ values }) => values[at] ?? null),
    ]),
  ];
}

/**
 * The part of a chart: whole and in the order of the schema, unlike that of pptxgenjs, which writes gaps as empty numbers,
 * names axes that are not there, and takes colors by chance.
 */
export function chartXml(element: ChartElement, writing: Writing): string {
  const data = dataOf(element);
  const isRound = isPie(element);
  const axes = isRound ? '' : axesXml(element, writing);
  const legend =
    isRound || data.series.length > 1
      ? `<c:legend><c:legendPos val="b"/><c:overlay val="0"/>${lettersXml(element, writing)}</c:legend>`
      : '';
  const plot = plotXml(element, { data, writing });
  return `${XML_HEAD}<c:chartSpace xmlns:c="${CHART}" xmlns:a="${DRAWING}" xmlns:r="${OFFICE}"><c:date1904 val="0"/><c:lang val="${writing.language}"/><c:roundedCorners val="0"/><c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:layout/>${plot}${axes}${CLEAR}</c:plotArea>${legend}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>${CLEAR}${lettersXml(element, writing)}<c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>`;
}

function isPie({ chart }: ChartElement): boolean {
  return chart.type === 'pie' || chart.type === 'doughnut';
}

function dataOf(element: ChartElement): ChartData {
  const { chart } = element;
  // A pie has one series.
  const shown = isPie(element) ? chart.series.slice(0, 1) : chart.series;
  return {
    categories: chart.categories.map((name) =>
      chart.type === 'scatter' ? numberOf(name) : cleanText(name),
    ),
    series: shown.map(({ name, values }) => ({
      name: cleanText(name),
      values: chart.categories.map((_, at) => {
        const value = values[at] ?? null;
        return value !== null && Number.isFinite(value) ? value : null;
      }),
    })),
  };
}

function numberOf(text: string): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

interface Plotted {
  readonly data: ChartData;
  readonly writing: Writing;
}

function plotXml(element: ChartElement, { data, writing }: Plotted): string {
  const { type } = element.chart;
  const series = data.series.map((_, at) => seriesXml(element, { data, writing }, at)).join('');
  const none = '<c:varyColors val="0"/>';
  // In percent of the width of a bar.
  const gapWidth = Math.round(((1 - BARS) / BARS) * data.series.length * 100);
  switch (type) {
    case 'column':
    case 'bar':
      return `<c:barChart><c:barDir val="${type === 'bar' ? 'bar' : 'col'}"/><c:grouping val="clustered"/>${none}${series}<c:gapWidth val="${gapWidth}"/><c:overlap val="-6"/>${AXIS_IDS}</c:barChart>`;
    case 'line':
      return `<c:lineChart><c:grouping val="standard"/>${none}${series}<c:marker val="1"/>${AXIS_IDS}</c:lineChart>`;
    case 'area':
      return `<c:areaChart><c:grouping val="standard"/>${none}${series}${AXIS_IDS}</c:areaChart>`;
    case 'scatter':
      return `<c:scatterChart><c:scatterStyle val="lineMarker"/>${none}${series}${AXIS_IDS}</c:scatterChart>`;
    case 'pie':
      return `<c:pieChart><c:varyColors val="1"/>${series}<c:firstSliceAng val="0"/></c:pieChart>`;
    case 'doughnut':
      return `<c:doughnutChart><c:varyColors val="1"/>${series}<c:firstSliceAng val="0"/><c:holeSize val="55"/></c:doughnutChart>`;
  }
}

function seriesXml(element: ChartElement, { data, writing }: Plotted, at: number): string {
  const { type } = element.chart;
  const { name = '', values = [] } = data.series[at] ?? {};
  const color = colorOf(element, at);
  const column = columnName(at + 1);
  const last = data.categories.length + 1;
  const range = (letter: string): string => `${SHEET_NAME}!$${letter}$2:$${letter}$${last}`;
  const head = `<c:idx val="${at}"/><c:order val="${at}"/><c:tx><c:strRef><c:f>${SHEET_NAME}!$${column}$1</c:f><c:strCache>${pointsXml([name])}</c:strCache></c:strRef></c:tx>`;
  const names = `<c:cat><c:strRef><c:f>${range('A')}</c:f><c:strCache>${pointsXml(data.categories)}</c:strCache></c:strRef></c:cat>`;
  const numbers = (letter: string, cells: readonly Cell[]): string =>
    `<c:numRef><c:f>${range(letter)}</c:f><c:numCache><c:formatCode>General</c:formatCode>${pointsXml(cells)}</c:numCache></c:numRef>`;
  const cells = `<c:val>${numbers(column, values)}</c:val>`;
  switch (type) {
    case 'column':
    case 'bar':
      return `<c:ser>${head}<c:spPr>${fillXml(color)}</c:spPr><c:invertIfNegative val="0"/>${names}${cells}</c:ser>`;
    case 'line':
      return `<c:ser>${head}<c:spPr>${lineXml(color, LINE_WIDTH)}</c:spPr>${hasLonePoint(values) ? markerXml(color, MARKERS.line) : NO_MARKER}${names}${cells}<c:smooth val="0"/></c:ser>`;
    case 'area':
      return `<c:ser>${head}<c:spPr>${fillXml(color, AREA_OPACITY)}</c:spPr>${names}${cells}</c:ser>`;
    case 'scatter':
      return `<c:ser>${head}<c:spPr><a:ln w="19050"><a:noFill/></a:ln></c:spPr>${markerXml(color, MARKERS.scatter)}<c:xVal>${numbers('A', data.categories)}</c:xVal><c:yVal>${numbers(column, values)}</c:yVal><c:smooth val="0"/></c:ser>`;
    case 'pie':
    case 'doughnut':
      return `<c:ser>${head}${slicesXml(element, data)}${percentXml(element, data, writing)}${names}${cells}</c:ser>`;
  }
}

function colorOf({ colors, style }: ChartElement, at: number): Color {
  return colors[at % colors.length] ?? style.color;
}

/** What has no value has no point, which leaves a gap. */
function pointsXml(cells: readonly Cell[]): string {
  const points = cells.flatMap((cell, at) =>
    cell === null ? [] : [`<c:pt idx="${at}"><c:v>${xmlText(String(cell))}</c:v></c:pt>`],
  );
  return `<c:ptCount val="${cells.length}"/>${points.join('')}`;
}

function markerXml(color: Color, size: number): string {
  return `<c:marker><c:symbol val="circle"/><c:size val="${size}"/><c:spPr>${fillXml(color)}<a:ln><a:noFill/></a:ln></c:spPr></c:marker>`;
}

/** A point between two gaps has no line: it would not be seen. */
function hasLonePoint(values: readonly Cell[]): boolean {
  const isGap = (at: number): boolean => (values[at] ?? null) === null;
  return values.some((_, at) => !isGap(at) && isGap(at - 1) && isGap(at + 1));
}

function slicesXml(element: ChartElement, { categories }: ChartData): string {
  const slice = (at: number): string =>
    `<c:dPt><c:idx val="${at}"/><c:bubble3D val="0"/><c:spPr>${fillXml(colorOf(element, at))}${lineXml(element.on, 1.5)}</c:spPr></c:dPt>`;
  return categories.map((_, at) => slice(at)).join('');
}

/** Shares in percent: beside a pie; on the ring of a doughnut, in black or white, whichever is read better. */
function percentXml(element: ChartElement, { categories }: ChartData, writing: Writing): string {
  const shows =
    '<c:showLegendKey val="0"/><c:showVal val="0"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="1"/><c:showBubbleSize val="0"/>';
  const format = '<c:numFmt formatCode="0%" sourceLinked="0"/>';
  if (element.chart.type === 'pie') {
    return `<c:dLbls>${format}${CLEAR}${lettersXml(element, writing)}<c:dLblPos val="outEnd"/>${shows}<c:showLeaderLines val="0"/></c:dLbls>`;
  }
  const labels = categories.map((_, at) => {
    const slice = colorOf(element, at);
    const color = contrast(slice, 'FFFFFF') >= contrast(slice, '000000') ? 'FFFFFF' : '000000';
    return `<c:dLbl><c:idx val="${at}"/>${format}${CLEAR}${lettersXml(element, writing, { color })}${shows}</c:dLbl>`;
  });
  return `<c:dLbls>${labels.join('')}${format}${CLEAR}${lettersXml(element, writing)}${shows}<c:showLeaderLines val="0"/></c:dLbls>`;
}
