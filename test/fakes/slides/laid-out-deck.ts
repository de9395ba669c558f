import type { ChartType, SlideChart } from '#contract/slides.ts';
import type {
  Box,
  ChartElement,
  DeckPictures,
  Element,
  LaidOutDeck,
  Page,
  Paragraph,
  ShapeElement,
  TableElement,
  TextElement,
} from '#main/slides/types.ts';
import { pngOf } from '../png.ts';

const GROUND = 'FFFFFF';
const INK = '1F2430';

export function paragraph(text: string, over: Partial<Paragraph> = {}): Paragraph {
  return { text, bullet: null, lines: [text], isRightToLeft: false, ...over };
}

export function textElement(
  texts: readonly (string | Paragraph)[],
  over: Partial<TextElement> = {},
): TextElement {
  const size = over.style?.size ?? 18;
  return {
    kind: 'text',
    role: 'body',
    box: { x: 56, y: 130, width: 848, height: 354 },
    style: { face: 'Calibri', size, bold: false, color: INK },
    paragraphs: texts.map((text) => (typeof text === 'string' ? paragraph(text) : text)),
    align: 'left',
    anchor: 'top',
    lineHeight: size * 1.2,
    paragraphGap: size * 0.5,
    indent: size * 1.1,
    on: GROUND,
    ...over,
  };
}

export function titleElement(text: string, over: Partial<TextElement> = {}): TextElement {
  return textElement([text], {
    role: 'title',
    box: { x: 56, y: 30, width: 848, height: 76 },
    style: { face: 'Cambria', size: 32, bold: true, color: INK },
    anchor: 'bottom',
    lineHeight: 38.4,
    ...over,
  });
}

export function shapeElement(
  shape: ShapeElement['shape'],
  box: Box,
  fill = '1D5FD1',
): ShapeElement {
  return { kind: 'shape', shape, box, fill };
}

export const COLORS = ['1D5FD1', 'E07A1F', '2E9E6B', 'B3419A', 'C9A227'] as const;

export function chartElement(
  type: ChartType,
  over: Partial<SlideChart> = {},
  box: Box = { x: 56, y: 130, width: 848, height: 354 },
): ChartElement {
  const isRound = type === 'pie' || type === 'doughnut';
  const chart: SlideChart = {
    type,
    categories:
      type === 'scatter' ? ['1', '2.5', '4', '7', '9'] : ['North', 'East', 'South', 'West', 'Sea'],
    series: [
      { name: 'Income', values: [1200, 0, 1830.5, null, 900] },
      { name: 'Costs', values: [800, 640, -120, 700, 410] },
    ],
    xTitle: 'Region',
    yTitle: '',
    unit: 'EUR',
    ...(isRound ? { series: [{ name: 'Share', values: [40, 25, 20, 10, 5] }] } : {}),
    ...over,
  };
  return {
    kind: 'chart',
    box,
    chart,
    colors: isRound ? COLORS : COLORS.slice(0, chart.series.length),
    style: { face: 'Calibri', size: 12, bold: false, color: '5B6475' },
    gridColor: 'D5DBE6',
    on: GROUND,
    alt: `A ${type} chart of five regions`,
  };
}

export function tableElement(over: Partial<TableElement> = {}): TableElement {
  const cell = (text: string, align: 'left' | 'right' = 'left') => ({ text, lines: [text], align });
  const row = (name: string, plan: string, sum: string) => ({
    height: 30,
    cells: [cell(name), cell(plan), cell(sum, 'right')],
  });
  return {
    kind: 'table',
    box: { x: 56, y: 130, width: 600, height: 120 },
    columnWidths: [300, 180, 120],
    rows: [
      row('Product', 'Plan', 'Sum'),
      row('Pens & pencils', 'yes', '12.50'),
      row('Paper <A4>', '', '1,200.00'),
      row('=SUM(A1:A9)', 'no', '-3'),
    ],
    style: { face: 'Calibri', size: 14, bold: false, color: INK },
    lineHeight: 16.8,
    padding: 6,
    headerFill: '1D5FD1',
    headerColor: 'FFFFFF',
    stripeFill: 'F1F4F9',
    borderColor: 'D5DBE6',
    on: GROUND,
    ...over,
  };
}

export function page(title: string, elements: readonly Element[], over: Partial<Page> = {}): Page {
  return { slide: 0, title, background: GROUND, elements, notes: '', ...over };
}

export function deckOf(pages: readonly Page[], over: Partial<LaidOutDeck> = {}): LaidOutDeck {
  return { title: 'All elements', language: 'en', isRightToLeft: false, pages, ...over };
}

export const CHART_TYPES: readonly ChartType[] = [
  ...['column', 'bar', 'line', 'area', 'pie', 'doughnut', 'scatter'],
] as ChartType[];

const PHOTO = pngOf(32, 18, (x, y) => [x * 8, y * 14, 120]);
/** One white pixel. */
const MAP = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
);

export const PICTURES: DeckPictures = new Map([
  ['team/photo.png', { bytes: PHOTO, mimeType: 'image/png', width: 32, height: 18 }],
  ['map.jpg', { bytes: MAP, mimeType: 'image/jpeg', width: 1, height: 1 }],
]);

const LONG =
  'A long entry that has to break over several lines, because it has more words than any line of this slide can hold, and whose lines hang under its first word.';

/** A deck with every kind of element, all types of charts, and texts of three scripts. */
export function laidOutDeck(): LaidOutDeck {
  const dot = (text: string): Paragraph => paragraph(text, { bullet: 'dot' });
  const numbered = (text: string, number: number): Paragraph => paragraph(text, { bullet: number });
  const arabic = (text: string, over: Partial<Paragraph> = {}): Paragraph =>
    paragraph(text, { isRightToLeft: true, ...over });
  return deckOf([
    page(
      'Everything in one deck',
      [
        shapeElement('rectangle', { x: 0, y: 0, width: 14, height: 540 }, '4FD1D9'),
        titleElement('Everything in one deck', {
          box: { x: 90, y: 170, width: 780, height: 110 },
          style: { face: 'Georgia', size: 44, bold: true, color: 'FFFFFF' },
          lineHeight: 52.8,
          on: '0B4F5E',
        }),
        textElement(['A subtitle in the middle of the page'], {
          role: 'subtitle',
          box: { x: 90, y: 300, width: 780, height: 60 },
          style: { face: 'Arial', size: 20, bold: false, color: 'CBE8ED' },
          align: 'center',
          on: '0B4F5E',
        }),
      ],
      { background: '0B4F5E', notes: 'Greet everyone.\nThen <begin> & go on.' },
    ),
    page('Entries', [
      titleElement('Entries'),
      shapeElement('rectangle', { x: 56, y: 112, width: 56, height: 3 }),
      textElement([dot('First entry'), dot(LONG), dot('Third entry')], {
        box: { x: 56, y: 130, width: 400, height: 300 },
      }),
      textElement([numbered('Fourth step', 4), numbered(LONG, 5), numbered('Sixth step', 6)], {
        box: { x: 500, y: 130, width: 404, height: 300 },
      }),
      textElement(['2'], {
        role: 'footer',
        box: { x: 844, y: 502, width: 60, height: 16 },
        style: { face: 'Calibri', size: 10, bold: false, color: '5B6475' },
        lineHeight: 12,
        align: 'right',
        anchor: 'middle',
      }),
    ]),
    page('Shapes', [
      titleElement('Shapes'),
      shapeElement('rounded', { x: 56, y: 140, width: 400, height: 160 }, 'F1F4F9'),
      textElement(['Inside of a card', 'and a second paragraph'], {
        box: { x: 72, y: 156, width: 368, height: 128 },
        anchor: 'middle',
        align: 'center',
      }),
      shapeElement('ellipse', { x: 500, y: 140, width: 80, height: 80 }),
      shapeElement('rectangle', { x: 620, y: 140, width: 200, height: 80 }, 'E07A1F'),
      textElement(['99 %'], {
        role: 'number',
        box: { x: 500, y: 260, width: 300, height: 90 },
        style: { face: 'Georgia', size: 60, bold: true, color: '1D5FD1' },
        lineHeight: 72,
      }),
    ]),
    page('Pictures', [
      titleElement('Pictures'),
      {
        kind: 'picture',
        box: { x: 56, y: 140, width: 320, height: 180 },
        path: 'team/photo.png',
        alt: 'The "team" & <friends>',
      },
      {
        kind: 'picture',
        box: { x: 420, y: 140, width: 120, height: 120 },
        path: 'map.jpg',
        alt: '',
      },
      {
        kind: 'picture',
        box: { x: 600, y: 140, width: 9, height: 9 },
        path: 'lost.png',
        alt: 'Lost',
      },
    ]),
    page('A table', [titleElement('A table'), tableElement()], { notes: 'Numbers are sums.' }),
    ...CHART_TYPES.map((type) =>
      page(`A ${type} chart`, [titleElement(`A ${type} chart`), chartElement(type)]),
    ),
    page('عنوان بالعربية', [
      titleElement('', {
        paragraphs: [arabic('عنوان بالعربية')],
        align: 'right',
      }),
      textElement(
        [
          arabic('النقطة الأولى في القائمة', { bullet: 'dot' }),
          arabic('النقطة الثانية طويلة بما يكفي لتمتد على أكثر من سطر واحد في هذه الشريحة الضيقة', {
            bullet: 'dot',
          }),
          arabic('الخطوة الثالثة', { bullet: 3 }),
        ],
        { align: 'right', box: { x: 456, y: 130, width: 448, height: 300 } },
      ),
    ]),
    page('没有可见标题的页面', [
      textElement(
        [
          '“引文在这里，它很长，需要换行，因为一行放不下所有的字，所以要在合适的地方断开。”',
          'Latin 与中文',
        ],
        {
          box: { x: 120, y: 160, width: 500, height: 200 },
          style: { face: 'Georgia', size: 28, bold: false, color: INK },
        },
      ),
    ]),
  ]);
}
