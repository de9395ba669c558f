import fc from 'fast-check';
import { getDocumentProxy } from 'unpdf';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkPackage } from '#main/slides/pptx/check-package.ts';
import { writePptx } from '#main/slides/pptx/write-pptx.ts';
import type { Element, LaidOutDeck, Page } from '#main/slides/types.ts';
import { findOffice, pdfOfOffice } from '../../fakes/slides/in-office.ts';
import {
  CHART_TYPES,
  chartElement,
  deckOf,
  laidOutDeck,
  PICTURES,
  page,
  paragraph,
  shapeElement,
  tableElement,
  textElement,
  titleElement,
} from '../../fakes/slides/laid-out-deck.ts';
import {
  type Found,
  type OpenedPptx,
  openPptx,
  paragraphsOf,
} from '../../fakes/slides/opened-pptx.ts';
import { trials } from '../../setup/sampling.ts';

const deck = laidOutDeck();
let file: Buffer;
let pptx: OpenedPptx;

beforeAll(async () => {
  file = await writePptx(deck, PICTURES);
  pptx = await openPptx(file);
});

async function written(
  pages: readonly Page[],
  over: Partial<LaidOutDeck> = {},
): Promise<OpenedPptx> {
  return await openPptx(await writePptx(deckOf(pages, over), PICTURES));
}

function textsOf(element: Element): string[] {
  if (element.kind === 'text') return element.paragraphs.map(({ text }) => text);
  if (element.kind !== 'table') return [];
  return element.rows.flatMap(({ cells }) => cells.map(({ text }) => text)).filter(Boolean);
}

function titlesOf(slide: Found): Found[] {
  return slide.all('p:sp').filter((shape) => shape.all('p:ph').length > 0);
}

describe('every element', () => {
  test('the file is sound, and the same for the same deck', async () => {
    expect(await checkPackage(file)).toEqual([]);
    expect((await writePptx(laidOutDeck(), PICTURES)).equals(file)).toBe(true);
  });

  test('each page is a slide with its elements and its texts, in their order', () => {
    const found = deck.pages.map((_, at) => {
      const slide = pptx.slide(at + 1);
      const counts = ['p:sp', 'p:pic', 'a:tbl', 'c:chart'].map((name) => slide.all(name).length);
      return { counts, texts: paragraphsOf(slide) };
    });
    const wanted = deck.pages.map(({ elements, title }, at) => {
      const count = (kind: Element['kind']): number =>
        elements.filter((element) => element.kind === kind).length;
      // The last page has its title above itself; of the pictures one is lost.
      const hidden = at === deck.pages.length - 1 ? [title] : [];
      const shapes = count('text') + count('shape') + hidden.length;
      const pictures = Math.min(count('picture'), 2);
      return {
        counts: [shapes, pictures, count('table'), count('chart')],
        texts: [...hidden, ...elements.flatMap(textsOf)],
      };
    });
    expect(found).toEqual(wanted);
  });

  test('each slide has one title, at the place of its element, with a layout of that place', () => {
    for (const [at, { title, elements }] of deck.pages.entries()) {
      const slide = pptx.slide(at + 1);
      const [shape, ...others] = titlesOf(slide);
      expect(others).toEqual([]);
      expect(shape?.one('p:ph').attributes).toEqual({ type: 'title' });
      expect(shape && paragraphsOf(shape)).toEqual([title]);
      const element = elements.find((one) => one.kind === 'text' && one.role === 'title');
      const box = element?.box ?? { x: 56, y: -60, width: 848, height: 40 };
      const emu = (points: number): string => String(Math.round(points * 12_700));
      const place = [
        { x: emu(box.x), y: emu(box.y) },
        { cx: emu(box.width), cy: emu(box.height) },
      ];
      const links = pptx.part(`ppt/slides/_rels/slide${at + 1}.xml.rels`).all('Relationship');
      const layout = links.find(({ attributes }) => attributes.Type?.endsWith('/slideLayout'));
      const root = pptx.part(`ppt/${layout?.attributes.Target?.slice(3)}`);
      for (const one of [shape, titlesOf(root)[0]]) {
        const transform = one?.one('a:xfrm');
        expect(['a:off', 'a:ext'].map((name) => transform?.one(name).attributes)).toEqual(place);
      }
      const background = root.one('p:bg').one('a:srgbClr').attributes.val;
      expect(background).toBe(deck.pages[at]?.background);
    }
  });

  test('text boxes have no margins, wrap, do not fit themselves, and have exact letters and lines', () => {
    const shape = pptx.slide(1).all('p:sp')[2];
    expect(shape?.one('p:cNvSpPr').attributes).toEqual({ txBox: '1' });
    const body = shape?.one('a:bodyPr');
    const margins = { lIns: '0', tIns: '0', rIns: '0', bIns: '0' };
    expect(body?.attributes).toEqual({ wrap: 'square', ...margins, rtlCol: '0', anchor: 't' });
    expect(body?.all('a:spAutoFit')).toEqual([]);
    expect(body?.all('a:normAutofit')).toEqual([]);
    const run = shape?.one('a:rPr');
    expect(run?.attributes).toEqual({ lang: 'en-US', sz: '2000', dirty: '0' });
    expect(run?.one('a:srgbClr').attributes).toEqual({ val: 'CBE8ED' });
    const faces = ['a:latin', 'a:ea', 'a:cs'].map((name) => run?.one(name).attributes.typeface);
    expect(faces).toEqual(['Arial', 'Microsoft YaHei', 'Arial']);
    expect(shape?.one('a:pPr').attributes).toEqual({ algn: 'ctr', indent: '0', marL: '0' });
    expect(shape?.one('a:lnSpc').one('a:spcPts').attributes).toEqual({ val: '2400' });
  });

  test('bullets hang in the indent; numbers begin where their list does', () => {
    const [, , dots, numbers] = pptx.slide(2).all('p:sp');
    const indent = { algn: 'l', marL: '251460', indent: '-251460' };
    const kinds = (shape: Found | undefined, bullet: string) =>
      shape?.all('a:pPr').map((one) => [one.attributes, one.one(bullet).attributes]);
    expect(kinds(dots, 'a:buChar')).toEqual([1, 2, 3].map(() => [indent, { char: '•' }]));
    const list = { type: 'arabicPeriod', startAt: '4' };
    expect(kinds(numbers, 'a:buAutoNum')).toEqual([1, 2, 3].map(() => [indent, list]));
    const gaps = dots?.all('a:p').map((one) => one.all('a:spcBef').map(({ text }) => text).length);
    expect(gaps).toEqual([0, 1, 1]);
  });

  test('a list that is interrupted begins again with its own number', async () => {
    const numbers = [1, 2, null, 7].map((bullet) => paragraph('Entry', { bullet }));
    const opened = await written([page('A', [titleElement('A'), textElement(numbers)])]);
    const starts = opened
      .slide(1)
      .all('a:buAutoNum')
      .map(({ attributes }) => attributes.startAt);
    expect(starts).toEqual(['1', '1', '7']);
  });

  test('right-to-left paragraphs are such, at the side that the page says', () => {
    const found = pptx.slide(13).all('a:pPr');
    expect(found.map(({ attributes }) => [attributes.rtl, attributes.algn])).toEqual(
      [1, 2, 3, 4].map(() => ['1', 'r']),
    );
  });

  test('the line breaks of an author stay, as breaks', async () => {
    const title = titleElement('One\r\ntwo & three\u2028four\n');
    const opened = await written([page('A', [title])]);
    const shape = opened.slide(1).one('p:sp');
    expect(
      shape
        .one('a:p')
        .all('a:t')
        .map(({ text }) => text),
    ).toEqual(['One', 'two & three', 'four']);
    expect(shape.all('a:br')).toHaveLength(2);
  });

  test('shapes are decoration; pictures and charts have their descriptions', () => {
    const card = pptx.slide(3).all('p:sp')[1];
    expect(card?.one('a:prstGeom').attributes).toEqual({ prst: 'roundRect' });
    const marked = pptx
      .slide(3)
      .all('p:sp')
      .filter((one) => one.all('adec:decorative').length > 0);
    expect(marked.map((one) => one.one('a:prstGeom').attributes.prst)).toEqual([
      ...['roundRect', 'ellipse', 'rect'],
    ]);
    const alts = pptx
      .slide(4)
      .all('p:pic')
      .map((one) => one.one('p:cNvPr').attributes.descr);
    expect(alts).toEqual(['The "team" & <friends>', '']);
    const chart = pptx.slide(6).one('p:graphicFrame').one('p:cNvPr').attributes.descr;
    expect(chart).toBe('A column chart of five regions');
  });

  test('pictures are in the file as they are', () => {
    const media = pptx.names.filter((name) => name.startsWith('ppt/media/'));
    const wanted = ['team/photo.png', 'map.jpg'].map((path) => PICTURES.get(path)?.bytes);
    expect(media.map((name) => Buffer.from(pptx.bytes(name)))).toEqual(wanted);
  });

  test('tables are tables with a header, exact sizes and margins', () => {
    const table = pptx.slide(5).one('a:tbl');
    expect(table.one('a:tblPr').attributes).toEqual({ firstRow: '1', bandRow: '1' });
    const sizes = (name: string, key: string) => table.all(name).map((one) => one.attributes[key]);
    expect(sizes('a:gridCol', 'w')).toEqual(['3810000', '2286000', '1524000']);
    expect(sizes('a:tr', 'h')).toEqual(['381000', '381000', '381000', '381000']);
    for (const key of ['marL', 'marR', 'marT', 'marB']) {
      expect(new Set(sizes('a:tcPr', key))).toEqual(new Set(['76200']));
    }
  });

  test('notes are notes, a paragraph for each line, on the slides that have some', () => {
    const notes = pptx.names.filter((name) => /^ppt\/notesSlides\/[^/]+$/.test(name));
    expect(notes).toEqual(['ppt/notesSlides/notesSlide1.xml', 'ppt/notesSlides/notesSlide5.xml']);
    expect(paragraphsOf(pptx.part(notes[0] ?? ''))).toEqual([
      ...['Greet everyone.', 'Then <begin> & go on.'],
    ]);
  });

  test('properties name the title and the app, and no time', () => {
    const core = pptx.part('docProps/core.xml');
    expect(core.one('dc:title').text).toBe('All elements');
    expect(core.one('dc:creator').text).toBe('HyperAgent');
    expect(core.all('dcterms:created')).toEqual([]);
  });

  test('nothing points outside', () => {
    const links = pptx.names
      .filter((name) => name.endsWith('.rels'))
      .flatMap((name) => pptx.part(name).all('Relationship'));
    expect(links.length).toBeGreaterThan(50);
    const outside = links.filter(
      ({ attributes }) => 'TargetMode' in attributes || attributes.Target?.includes(':'),
    );
    expect(outside).toEqual([]);
  });
});

describe('languages', () => {
  test.each([
    ['zh-CN', 'zh-CN', 'Microsoft YaHei'],
    ['zh-Hant', 'zh-TW', 'Microsoft JhengHei'],
    ['ja', 'ja-JP', 'Yu Gothic'],
    ['ar', 'ar-EG', 'Microsoft YaHei'],
    ['"><x', 'en-US', 'Microsoft YaHei'],
  ])('%s is written as %s', async (language, lang, font) => {
    const opened = await written([page('A', [titleElement('字')])], { language });
    const run = opened.slide(1).one('a:rPr');
    expect(run.attributes.lang).toBe(lang);
    expect(run.one('a:ea').attributes.typeface).toBe(font);
    expect(run.one('a:latin').attributes.typeface).toBe('Cambria');
  });
});

describe('what is hostile or empty', () => {
  const NASTY = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        '\0',
        '\b',
        '\x1f',
        '\x7f',
        '\ud800',
        '\udfff',
        '\ufffe',
        '\n',
        '\v',
        ' ',
        '\t',
      ),
      fc.constantFrom('<', '>', '&', '"', "'", ']]>', '&#0;', '<script>', '</a:t>', '=1+1', '{%}'),
      fc.constantFrom('a', 'é', '字', 'ع', '😀'),
      fc.constantFrom('<a:ln></a:ln>', 'preencoded.png', '$1', '_x0041_', 'http://a.b/c.png'),
    ),
    maxLength: 40,
  });

  test('no text, path or description breaks the file', async () => {
    const property = fc.asyncProperty(NASTY, NASTY, NASTY, async (one, two, three) => {
      const cell = { text: two, lines: [two], align: 'left' } as const;
      const chart = chartElement('column', {
        categories: [one, two],
        series: [{ name: three, values: [1, 2] }],
        xTitle: two,
        unit: one,
      });
      const pages = [
        page(one, [
          titleElement(two),
          titleElement(three),
          textElement([one, paragraph(three, { bullet: 'dot' })]),
          tableElement({ rows: [{ height: 20, cells: [cell] }] }),
          { ...chart, alt: three },
          { kind: 'picture', box: chart.box, path: one, alt: two },
        ]),
      ].map((made) => ({ ...made, notes: three }));
      const picture = PICTURES.get('team/photo.png');
      const pictures = new Map(picture === undefined ? [] : [[one, picture]]);
      const bytes = await writePptx(deckOf(pages, { title: three }), pictures);
      expect(await checkPackage(bytes)).toEqual([]);
      const opened = await openPptx(bytes);
      expect(titlesOf(opened.slide(1))).toHaveLength(1);
      const letters = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\ufffe\s]/gu, '');
      const shown = letters(two) === '' ? letters(three) : letters(two);
      if (shown !== '') {
        expect(letters(paragraphsOf(titlesOf(opened.slide(1))[0] as Found).join(''))).toBe(shown);
      }
    });
    await fc.assert(property, trials(100, { name: 'hostile texts of presentations', size: 12 }));
  });

  test('a word of 10,000 letters is one run', async () => {
    const word = 'W'.repeat(10_000);
    const opened = await written([page('A', [titleElement('A'), textElement([word])])]);
    expect(paragraphsOf(opened.slide(1))).toEqual(['A', word]);
  });

  test('empty texts leave no placeholders; a slide without any text has a title all the same', async () => {
    const opened = await written(
      [
        page('', [titleElement(' '), textElement(['', '\n']), shapeElement('ellipse', BOX)]),
        page('', []),
      ],
      { title: '' },
    );
    expect([1, 2].map((number) => paragraphsOf(opened.slide(number)))).toEqual([['1'], ['2']]);
    expect(opened.slide(1).all('p:sp')).toHaveLength(2);
  });

  test('odd tables and charts are sound', async () => {
    const cell = { text: 'x', lines: ['x'], align: 'left' } as const;
    const rows = [
      { height: 20, cells: [cell, cell, cell, cell, cell] },
      { height: 20, cells: [] },
    ];
    const nothing = { categories: ['a'], series: [{ name: '', values: [null] }] };
    const bytes = await writePptx(
      deckOf([
        page('A', [tableElement({ rows, padding: 0.5 }), tableElement({ rows: [] })]),
        ...CHART_TYPES.map((type) => page('B', [chartElement(type, nothing)])),
        page('C', [chartElement('scatter', { categories: ['x', '', '3', 'NaN', '1e400'] })]),
      ]),
      new Map(),
    );
    expect(await checkPackage(bytes)).toEqual([]);
    const opened = await openPptx(bytes);
    expect(opened.slide(1).all('a:tc')).toHaveLength(6);
    const [xs] = opened.part('ppt/charts/chart8.xml').all('c:xVal');
    expect(xs?.all('c:v').map(({ text }) => text)).toEqual(['3']);
  });
});

const BOX = { x: 10, y: 10, width: 10, height: 10 };

const OFFICE = findOffice();

test.skipIf(OFFICE === null)('LibreOffice shows every page with its texts', async () => {
  const pdf = await getDocumentProxy(new Uint8Array(pdfOfOffice(OFFICE ?? '', file)));
  const shown: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    shown.push(items.map((item) => ('str' in item ? item.str : '')).join(''));
  }
  await pdf.loadingTask.destroy();
  // Letters of Arabic are drawn in other forms and in another order, quotes by another font where one lacks them.
  const plain = (text: string): string => text.replace(/[\s“”\p{Script=Arabic}]/gu, '');
  const lost = deck.pages.map(({ elements }, at) =>
    elements.flatMap(textsOf).filter((text) => !plain(shown[at] ?? '').includes(plain(text))),
  );
  expect(lost).toEqual(deck.pages.map(() => []));
  const quotesIn = (text: string): number => [...text.matchAll(/[“”]/g)].length;
  const quotes = deck.pages.map(({ elements }) => quotesIn(elements.flatMap(textsOf).join('')));
  expect(shown.map(quotesIn)).toEqual(quotes);
  expect(Math.max(...quotes)).toBeGreaterThan(0);
  expect(shown[12]).toMatch(/\p{Script=Arabic}/u);
});
