import type { SlideChart } from '#contract/slides.ts';
import { fitText } from '../fit-text.ts';
import type { ChartElement, Color, Element } from '../types.ts';
import { bodyOf, type Drawn, framed, GAP, type Sheet, type SlideOf } from './sheet.ts';
import { continued } from './text-layouts.ts';

const TEXT_WIDTH = 230;
const CHART_TEXT = 12;

/** A chart, with a sentence beside it. */
export function drawChart(slide: SlideOf<'chart'>, sheet: Sheet): Drawn {
  const { theme, fonts } = sheet;
  const body = bodyOf(sheet);
  const hasText = slide.text.trim() !== '';
  const width = hasText ? body.width - TEXT_WIDTH - GAP : body.width;
  const chart: ChartElement = {
    ...{ kind: 'chart', box: { ...body, width }, chart: slide.chart, on: theme.ground },
    colors: seriesColors(slide.chart, theme.series),
    style: { face: theme.body, bold: false, size: CHART_TEXT, color: theme.muted },
    gridColor: theme.line,
    alt: describeChart(slide.chart, slide.title),
  };
  if (!hasText) return framed(slide, sheet, { elements: [chart], rest: [] });
  const x = body.x + width + GAP;
  const text = fitText(
    {
      ...{ paragraphs: slide.text.split(/\n+/).filter((line) => line.trim() !== '') },
      ...{ box: { ...body, x, width: TEXT_WIDTH }, role: 'body', on: theme.ground },
      ...{ sizes: [19, 14], anchor: 'middle' },
      style: { face: theme.body, bold: false, color: theme.text },
    },
    fonts,
  );
  const elements: Element[] = [chart, text.element];
  return framed(slide, sheet, { elements, rest: continued(slide, text.rest) });
}

function seriesColors(
  { type, categories, series }: SlideChart,
  palette: readonly Color[],
): readonly Color[] {
  const count = type === 'pie' || type === 'doughnut' ? categories.length : series.length;
  return Array.from({ length: count }, (_, at) => palette[at % palette.length] ?? '888888');
}

const MOST_VALUES = 40;

/** The chart in words, for people who do not see it. */
function describeChart(
  { type, categories, series, unit, yTitle }: SlideChart,
  title: string,
): string {
  const measure = [yTitle, unit].filter((one) => one !== '').join(', ');
  let left = MOST_VALUES;
  const parts = series.map(({ name, values }) => {
    const shown = values.slice(0, Math.max(0, left));
    left -= shown.length;
    const list = shown.map((value, at) => `${categories[at] ?? at + 1} ${value ?? 'no value'}`);
    const more = values.length - shown.length;
    return `${name === '' ? '' : `${name}: `}${list.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  });
  return `${type[0]?.toUpperCase()}${type.slice(1)} chart: ${title}${measure === '' ? '' : ` (${measure})`}. ${parts.join('. ')}`;
}
