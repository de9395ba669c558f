import { beforeAll, describe, expect, test } from 'vitest';
import { type Slide, SlideTheme } from '#contract/slides.ts';
import { checkDeck } from '#main/slides/check-deck.ts';
import { loadSlideFonts, type SlideFonts } from '#main/slides/fonts.ts';
import { layOutDeck } from '#main/slides/lay-out-deck.ts';
import { contrast, THEMES } from '#main/slides/themes.ts';
import type { DeckPicture, Element, LaidOutDeck, TextElement } from '#main/slides/types.ts';
import { pngOf } from '../../fakes/png.ts';

let fonts: SlideFonts;
beforeAll(async () => {
  fonts = await loadSlideFonts();
});

const base = { title: 'A title', notes: '', sources: [] };
const bullets = (items: string[], title = 'A title'): Slide => ({
  ...{ ...base, layout: 'bullets', title, items },
});

function layOut(
  slides: Slide[],
  {
    theme = 'plain',
    pictures = new Map(),
  }: { theme?: SlideTheme; pictures?: Map<string, DeckPicture> } = {},
): LaidOutDeck {
  return layOutDeck({ title: 'Deck', theme, slides }, pictures, fonts);
}

const codes = (slides: Slide[], pictures: Map<string, DeckPicture> = new Map()): string[] => {
  const deck = { title: 'Deck', theme: 'plain' as const, slides };
  const laidOut = layOutDeck(deck, pictures, fonts);
  return checkDeck(deck, laidOut, { pictures, fonts }).map(({ slide, code }) => `${slide} ${code}`);
};

const texts = (elements: readonly Element[], role: TextElement['role']): TextElement[] =>
  elements.filter((one): one is TextElement => one.kind === 'text' && one.role === role);

describe('fonts', () => {
  const style = { face: 'Calibri', size: 2_048, bold: false } as const;

  test('have the widths of those of Office', () => {
    // From the tables of Calibri and Arial: units of 2,048 to the em.
    expect(fonts.width('A', style)).toBe(1_185);
    expect(Math.abs(fonts.width('W', style) - 1_823)).toBeLessThanOrEqual(1);
    expect(fonts.width('A', { ...style, face: 'Arial' })).toBe(1_366);
    expect(fonts.width('A', { ...style, face: 'Arial', bold: true })).toBe(1_479);
    expect(fonts.width('A', { ...style, face: 'Georgia' })).toBeCloseTo(1_374, -1);
  });

  test('letters of other scripts have fonts; marks take no room', () => {
    expect(fonts.width('中', style)).toBe(2_048);
    expect(fonts.width('e\u0301', style)).toBe(fonts.width('e', style));
    for (const letter of '中の한Жβاא€→😀') {
      // Korean is drawn by a font of the system, where there is one.
      if (letter !== '한') expect(fonts.has(letter), letter).toBe(true);
    }
    expect(fonts.has('\u{e123}')).toBe(false);
  });
});

describe('lines', () => {
  const style = { face: 'Calibri', size: 20, bold: false } as const;

  test('end where a line may end, and never inside of a letter', () => {
    const lines = fonts.breaking.lines('The quick brown fox jumps over the dog', 120, style);
    expect(lines.join(' ')).toBe('The quick brown fox jumps over the dog');
    expect(lines.every((line) => fonts.width(line, style) <= 120)).toBe(true);
    // No line begins with a closing mark (kinsoku).
    expect(fonts.breaking.lines('一二三四五。六七', 100, style).slice(1)).not.toContainEqual(
      expect.stringMatching(/^。/),
    );
    const family = '👨‍👩‍👧';
    for (const line of fonts.breaking.lines(family.repeat(6), 60, style)) {
      expect(line.replaceAll(family, '')).toBe('');
    }
  });

  test('a word longer than the line is broken, an author’s own line ends stay', () => {
    const word = 'x'.repeat(300);
    const lines = fonts.breaking.lines(word, 100, style);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.join('')).toBe(word);
    expect(fonts.breaking.lines('one\ntwo', 500, style)).toEqual(['one', 'two']);
  });
});

describe('themes', () => {
  test.each(SlideTheme.options)('%s can be read: WCAG AA wherever text stands', (name) => {
    const { ground, text, muted, accent, card, cover, onAccent, series } = THEMES[name];
    const pairs = [
      ...[ground, card].flatMap((on) => [text, muted].map((color) => [color, on])),
      ...[text, cover.text, cover.muted].map((color, at) => [
        color,
        at === 0 ? ground : cover.ground,
      ]),
      [onAccent, accent],
    ];
    for (const [color = '', on = ''] of pairs) {
      expect(contrast(color, on), `${color} on ${on}`).toBeGreaterThanOrEqual(4.5);
    }
    // Large numbers, and what charts show (WCAG 1.4.11).
    for (const on of [ground, card]) expect(contrast(accent, on)).toBeGreaterThanOrEqual(3);
    for (const color of series.slice(0, 4)) {
      expect(contrast(color, ground), `${color} of a chart`).toBeGreaterThanOrEqual(2);
    }
  });

  test('the contrast is that of WCAG', () => {
    expect(contrast('000000', 'FFFFFF')).toBe(21);
    expect(contrast('777777', 'FFFFFF')).toBeCloseTo(4.48, 2);
  });
});

describe('pages', () => {
  test('a list that is too long goes on: pages of about the same length, none with one entry', () => {
    const items = Array.from(
      { length: 17 },
      (_, at) => `Entry ${at + 1}: ${'some words '.repeat(14)}`,
    );
    const { pages } = layOut([bullets(items)]);
    expect(pages.length).toBeGreaterThan(1);
    const counts = pages.map(({ elements }) => texts(elements, 'body')[0]?.paragraphs.length ?? 0);
    expect(counts.reduce((sum, count) => sum + count)).toBe(17);
    expect(Math.min(...counts)).toBeGreaterThan(1);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    expect(pages.map(({ title }) => title).slice(0, 2)).toEqual(['A title', 'A title (2)']);
  });

  test('numbers go on where an agenda does', () => {
    const items = Array.from(
      { length: 30 },
      (_, at) => `Topic ${at + 1} ${'and more '.repeat(12)}`,
    );
    const { pages } = layOut([{ ...base, layout: 'agenda', items }]);
    const numbers = pages.flatMap(({ elements }) =>
      texts(elements, 'body').flatMap(({ paragraphs }) => paragraphs.map(({ bullet }) => bullet)),
    );
    expect(numbers).toEqual(items.map((_, at) => at + 1));
  });

  test('a table goes on with its header; wide ones by their first column', () => {
    const columns = ['Name', 'Value'];
    const rows = Array.from({ length: 60 }, (_, at) => [`Row ${at}`, String(at)]);
    const { pages } = layOut([{ ...base, layout: 'table', columns, rows }]);
    const tables = pages.flatMap(({ elements }) => elements.filter((one) => one.kind === 'table'));
    expect(tables.length).toBeGreaterThan(2);
    const cells = tables.map((table) => table.rows.map((row) => row.cells.map(({ text }) => text)));
    expect(cells.every(([header]) => header?.join() === 'Name,Value')).toBe(true);
    expect(cells.flatMap(([, ...data]) => data)).toEqual(rows);
    expect(tables[0]?.rows[1]?.cells.map(({ align }) => align)).toEqual(['left', 'right']);

    const many = Array.from({ length: 12 }, (_, at) => `Column ${at}`);
    const wide = [
      ['First', ...Array.from({ length: 11 }, (_, at) => `${at} ${'word '.repeat(150)}`)],
    ];
    const split = layOut([{ ...base, layout: 'table', columns: many, rows: wide }]).pages;
    const headers = split.flatMap(({ elements }) =>
      elements.flatMap((one) =>
        one.kind === 'table' ? [one.rows[0]?.cells.map(({ text }) => text)] : [],
      ),
    );
    expect(headers.length).toBeGreaterThan(1);
    expect(headers.every((header) => header?.[0] === 'Column 0')).toBe(true);
    expect(new Set(headers.flat())).toEqual(new Set(many));
  });

  test('a title that no size fits is shortened, and whole in the notes', () => {
    const title = 'This title goes on '.repeat(60).trim();
    const [page] = layOut([bullets(['one', 'two'], title)]).pages;
    const [shown] = texts(page?.elements ?? [], 'title');
    expect(shown?.paragraphs[0]?.text).toMatch(/^This title goes on .*…$/);
    expect(page?.notes).toContain(title);
    expect(codes([bullets(['one', 'two'], title)])).toEqual(['0 too_much_text']);
  });

  test('a picture keeps its proportions; one that is not there is said', () => {
    const picture = { path: 'a.png', alt: 'A hill' };
    const slide: Slide = { ...base, layout: 'image_text', picture, items: ['one', 'two'] };
    const bytes = pngOf(400, 100, () => [1, 2, 3]);
    const pictures = new Map<string, DeckPicture>([
      ['a.png', { bytes, mimeType: 'image/png', width: 400, height: 100 }],
    ]);
    const [page] = layOut([slide], { pictures }).pages;
    const drawn = page?.elements.find((one) => one.kind === 'picture');
    expect((drawn?.box.width ?? 0) / (drawn?.box.height ?? 1)).toBeCloseTo(4, 5);
    expect(codes([slide], pictures)).toEqual([]);
    expect(codes([slide])).toEqual(['0 picture_missing']);
    const small = new Map([
      ['a.png', { ...pictures.get('a.png'), width: 40, height: 10 } as DeckPicture],
    ]);
    expect(codes([slide], small)).toEqual(['0 picture_blurred']);
    const other = new Map([
      ['a.png', { ...pictures.get('a.png'), width: 800, height: 220 } as DeckPicture],
    ]);
    const laidOut = layOut([slide], { pictures });
    const found = checkDeck({ title: 'Deck', theme: 'plain', slides: [slide] }, laidOut, {
      pictures: other,
      fonts,
    });
    expect(found.map(({ code }) => code)).toEqual(['picture_stretched']);
  });

  test('a deck in Arabic is mirrored, one with Arabic in it is not', () => {
    const arabic = bullets(['الوضع الحالي', 'مصادر المياه'], 'محاور العرض');
    const mirrored = layOut([arabic]);
    expect(mirrored).toMatchObject({ isRightToLeft: true, language: 'ar-SA' });
    expect(texts(mirrored.pages[0]?.elements ?? [], 'body')[0]?.align).toBe('right');
    const mixed = layOut([arabic, bullets(['one', 'two']), bullets(['three', 'four'])]);
    expect(mixed.isRightToLeft).toBe(false);
  });
});

describe('what a person who looks at it would find', () => {
  const chart = {
    ...{ type: 'column', categories: ['a', 'b'], xTitle: '', yTitle: 'EUR', unit: '' },
    series: [{ name: 'Sales', values: [1, 2] }],
  } as const;
  const charted = (changes: object): Slide =>
    ({ ...base, layout: 'chart', text: '', chart: { ...chart, ...changes } }) as unknown as Slide;

  test.each<[string, Slide[], string[]]>([
    [
      'nothing on sound slides',
      [bullets(['a', 'b']), charted({})].map((s, at) => ({ ...s, title: `T${at}` })),
      [],
    ],
    [
      'two titles that say the same',
      [bullets(['a', 'b'], 'Risks'), bullets(['c', 'd'], ' risks. ')],
      ['1 same_title'],
    ],
    ['a title of nothing', [bullets(['a', 'b'], '\u200b ')], ['0 empty']],
    ['an entry of nothing', [bullets(['a', '\u3164'])], ['0 empty', '0 no_glyph']],
    ['a placeholder', [bullets(['a', '[Insert name here]'])], ['0 placeholder']],
    ['a placeholder in Chinese', [bullets(['甲', '此处填写内容'])], ['0 placeholder']],
    ['one entry', [bullets(['a'])], ['0 lone_bullet']],
    [
      'a wall of text',
      [bullets(Array.from({ length: 12 }, () => 'some words that go on and on and on '.repeat(3)))],
      ['0 too_much_text'],
    ],
    ['no unit', [charted({ yTitle: '' })], ['0 chart_axis']],
    [
      'series without names',
      [
        charted({
          series: [
            { name: '', values: [1, 2] },
            { name: 'b', values: [1, 2] },
          ],
        }),
      ],
      ['0 chart_axis'],
    ],
    ['no values', [charted({ series: [{ name: 'a', values: [null, null] }] })], ['0 chart_data']],
    ['a value too few', [charted({ series: [{ name: 'a', values: [1] }] })], ['0 chart_data']],
    [
      'a pie of negative parts',
      [charted({ type: 'pie', series: [{ name: 'a', values: [1, -2] }] })],
      ['0 chart_data'],
    ],
    [
      'a line of one point',
      [charted({ type: 'line', categories: ['a'], series: [{ name: 'a', values: [1] }] })],
      ['0 chart_data'],
    ],
    ['words on a scatter chart', [charted({ type: 'scatter', xTitle: 'm' })], ['0 chart_data']],
  ])('%s', (_what, slides, expected) => {
    expect(codes(slides)).toEqual(expected);
  });

  test('overflow, overlap, faint and small text are measured on the page', () => {
    const slides = [bullets(['a', 'b'])];
    const deck = { title: 'Deck', theme: 'plain' as const, slides };
    const laidOut = layOut(slides);
    const [page] = laidOut.pages;
    const [body] = texts(page?.elements ?? [], 'body');
    if (page === undefined || body === undefined) throw new Error('There is a page with a list');
    const found = (...elements: Element[]): string[] => {
      const changed = { ...laidOut, pages: [{ ...page, elements }] };
      return checkDeck(deck, changed, { pictures: new Map(), fonts }).map(({ code }) => code);
    };
    expect(found(...page.elements)).toEqual([]);
    const [title] = texts(page.elements, 'title');
    if (title === undefined) throw new Error('There is a title');
    expect(found(title, { ...body, box: { ...body.box, height: 20 } })).toEqual(['overflow']);
    expect(found(title, { ...body, box: { ...body.box, x: 900 } })).toEqual(['overflow']);
    expect(found(title, { ...body, box: { ...body.box, y: title.box.y + 40 } })).toEqual([
      'overlap',
    ]);
    expect(found(title, { ...body, style: { ...body.style, color: 'DDDDDD' } })).toEqual([
      'contrast',
    ]);
    expect(found(title, { ...body, style: { ...body.style, size: 8 } })).toEqual(['small_text']);
  });
});
