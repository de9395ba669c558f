import readSheets from 'read-excel-file/universal';
import { beforeAll, expect, test } from 'vitest';
import { writePptx } from '#main/slides/pptx/write-pptx.ts';
import type { Page } from '#main/slides/types.ts';
import {
  CHART_TYPES,
  chartElement,
  deckOf,
  laidOutDeck,
  PICTURES,
  page,
  titleElement,
} from '../../fakes/slides/laid-out-deck.ts';
import { type Found, type OpenedPptx, openPptx } from '../../fakes/slides/opened-pptx.ts';

let pptx: OpenedPptx;

beforeAll(async () => {
  pptx = await openPptx(await writePptx(laidOutDeck(), PICTURES));
});

async function written(pages: readonly Page[]): Promise<OpenedPptx> {
  return await openPptx(await writePptx(deckOf(pages), PICTURES));
}

const ELEMENTS = {
  column: 'barChart',
  bar: 'barChart',
  line: 'lineChart',
  area: 'areaChart',
  pie: 'pieChart',
  doughnut: 'doughnutChart',
  scatter: 'scatterChart',
} as const;

const chart = (type: (typeof CHART_TYPES)[number]): Found =>
  pptx.part(`ppt/charts/chart${CHART_TYPES.indexOf(type) + 1}.xml`);
const values = (found: Found): (readonly [string | undefined, string])[] =>
  found.all('c:pt').map((one) => [one.attributes.idx, one.one('c:v').text]);

test('each type is a chart of PowerPoint with its numbers, colors and gaps', () => {
  const found = CHART_TYPES.map((type) => {
    const one = chart(type);
    const plots = one.one('c:plotArea').all(`c:${ELEMENTS[type]}`);
    const series = one.all('c:ser');
    const numbers = series.map((ser) => values(ser.one(type === 'scatter' ? 'c:yVal' : 'c:val')));
    return [plots.length, series.length, numbers];
  });
  const income = [
    ['0', '1200'],
    ['1', '0'],
    ['2', '1830.5'],
    ['4', '900'],
  ];
  const costs = ['800', '640', '-120', '700', '410'].map((value, at) => [String(at), value]);
  const shares = ['40', '25', '20', '10', '5'].map((value, at) => [String(at), value]);
  expect(found).toEqual(
    CHART_TYPES.map((type) => {
      const isRound = type === 'pie' || type === 'doughnut';
      return isRound ? [1, 1, [shares]] : [1, 2, [income, costs]];
    }),
  );
  expect(
    new Set(CHART_TYPES.map((type) => chart(type).one('c:dispBlanksAs').attributes.val)),
  ).toEqual(new Set(['gap']));
  const fills = chart('bar')
    .all('c:ser')
    .map((one) => one.one('a:srgbClr').attributes.val);
  expect(fills).toEqual(['1D5FD1', 'E07A1F']);
  expect(chart('pie').all('c:dPt')).toHaveLength(5);
  expect(
    chart('scatter')
      .all('c:xVal')
      .map(values)[0]
      ?.map(([, value]) => value),
  ).toEqual([...['1', '2.5', '4', '7', '9']]);
});

test('titles of the axes, the unit for one without; shares in percent', () => {
  const titles = (found: Found) => found.all('c:title').map(({ text }) => text);
  expect(titles(chart('column'))).toEqual(['Region', 'EUR']);
  expect(titles(chart('scatter'))).toEqual(['Region', 'EUR']);
  expect(titles(chart('pie'))).toEqual([]);
  for (const type of ['pie', 'doughnut'] as const) {
    const shown = chart(type)
      .all('c:showPercent')
      .map(({ attributes }) => attributes.val);
    expect(new Set(shown)).toEqual(new Set(['1']));
  }
});

test.each([
  { name: 'one series has no legend', type: 'line', series: 1, legends: 0 },
  { name: 'two have one', type: 'line', series: 2, legends: 1 },
  { name: 'a pie has one', type: 'pie', series: 1, legends: 1 },
] as const)('$name', async ({ type, series, legends }) => {
  const list = Array.from({ length: series }, (_, at) => ({ name: `S${at}`, values: [1, 2] }));
  const element = chartElement(type, { categories: ['a', 'b'], series: list, yTitle: 'Tons' });
  const opened = await written([page('A', [titleElement('A'), element])]);
  const found = opened.part('ppt/charts/chart1.xml');
  expect(found.all('c:legend')).toHaveLength(legends);
});

test('"Edit data" opens the numbers; texts are texts', async () => {
  const element = chartElement('column', {
    categories: ['=1+1', '', 'Third'],
    series: [{ name: '=HYPERLINK("http://a.b")', values: [0, null, 3.5] }],
  });
  const opened = await written([page('A', [titleElement('A'), element])]);
  const name = opened.names.find((one) => one.startsWith('ppt/embeddings/')) ?? '';
  const [sheet] = await readSheets(new Uint8Array(opened.bytes(name)).buffer);
  expect(sheet?.data).toEqual([
    [null, '=HYPERLINK("http://a.b")'],
    ['=1+1', 0],
    [null, null],
    ['Third', 3.5],
  ]);
});

test('their parts are numbered by this presentation alone', async () => {
  const opened = await written([
    page('A', [titleElement('A'), chartElement('pie'), chartElement('bar')]),
    page('B', [titleElement('B'), chartElement('line')]),
  ]);
  const charts = [1, 2, 3].map((number) => opened.part(`ppt/charts/chart${number}.xml`));
  expect(charts.map((one) => one.all('c:plotArea').length)).toEqual([1, 1, 1]);
  const links = opened.part('ppt/slides/_rels/slide2.xml.rels').all('Relationship');
  expect(links.map(({ attributes }) => attributes.Target)).toContain('../charts/chart3.xml');
});
