import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import {
  Deck,
  type OfficeCheck,
  type OpenDeck,
  type Slide,
  type SlideFinding,
  type SlidePage,
  type SlideTheme,
} from '#contract/slides.ts';
import { Refusal } from './refusal.ts';

/** Where the deck of `fakeDeck` is. */
const PATH = 'slides/quarter.pptx';
/** A list that is longer continues on a further page. */
const ITEMS_ON_PAGE = 6;

interface FakePresentation {
  deck: Deck;
  /** Counts the changes of the file. */
  revision: number;
}

/** Presentations in memory, for a window: pages are drawn as bars in the place of their words. */
export class FakePresentations {
  /** What LibreOffice shows; null for the same as the preview. */
  office: OfficeCheck | null = null;
  /** What of a template is left out. */
  leftOut: string[] = [];
  readonly #files = new Map<string, FakePresentation>([[PATH, { deck: fakeDeck(), revision: 1 }]]);

  /** Writes a presentation as somebody else. */
  write(deck: Deck, path = PATH): void {
    this.#files.set(path, { deck, revision: (this.#files.get(path)?.revision ?? 0) + 1 });
  }

  deck(path = PATH): Deck {
    return this.#file(path).deck;
  }

  #file(path: string): FakePresentation {
    const file = this.#files.get(path);
    if (file !== undefined) return file;
    throw new Refusal(
      'BAD_REQUEST',
      `${path} was not made here, or was changed in another app. Open it in that app.`,
    );
  }

  readonly handlers = {
    'slides.open': ({ path }: RequestInput<'slides.open'>): RequestOutput<'slides.open'> =>
      openDeck(this.#file(path)),
    'slides.draw': ({ path, hash, page, width }: RequestInput<'slides.draw'>) => {
      const file = this.#file(path);
      const { pages, deck, aspect } = openDeck(file);
      const shown = pages[page];
      if (hash !== hashOf(file)) throw new Refusal('CONFLICT', 'The presentation has changed.');
      if (shown === undefined) throw new Refusal('NOT_FOUND', 'There is no such page.');
      return { png: drawPage(shown, deck.theme, { width: Math.min(width, 640), aspect }) };
    },
    'slides.save': ({ path, hash, deck }: RequestInput<'slides.save'>) => {
      const file = this.#file(path);
      if (hash !== hashOf(file)) throw new Refusal('CONFLICT', 'The presentation has changed.');
      file.deck = Deck.parse(deck);
      file.revision += 1;
      return openDeck(file);
    },
    'slides.template': ({ path, hash, template }: RequestInput<'slides.template'>) => {
      const file = this.#file(path);
      if (hash !== hashOf(file)) throw new Refusal('CONFLICT', 'The presentation has changed.');
      const name = template.split('/').at(-1) ?? '';
      if (name === 'macros.pptx') throw new Refusal('BAD_REQUEST', 'It has macros.');
      file.deck = { ...file.deck, template: { name, hash: '0'.repeat(64) } };
      file.revision += 1;
      return { open: openDeck(file), leftOut: [...this.leftOut] };
    },
    'slides.office': ({ path }: RequestInput<'slides.office'>): RequestOutput<'slides.office'> => {
      const { pages } = openDeck(this.#file(path));
      return this.office ?? { state: 'checked', alike: pages.map(() => 0.95), problems: [] };
    },
    'slides.pdf': ({ path }: RequestInput<'slides.pdf'>) => {
      const { deck } = this.#file(path);
      const fileName = (path.split('/').at(-1) ?? '').replace(/\.pptx$/, '.pdf');
      return { fileName, data: btoa(`%PDF-1.7 with ${deck.slides.length} slides`) };
    },
  };
}

function hashOf({ revision }: FakePresentation): string {
  return `hash-${revision}`;
}

function openDeck(file: FakePresentation): OpenDeck {
  const { deck } = file;
  const pages = deck.slides.flatMap(pagesOf);
  // As a template of 4:3 is.
  const aspect = deck.template === undefined ? 16 / 9 : 4 / 3;
  return { hash: hashOf(file), deck, aspect, pages, findings: deck.slides.flatMap(findingsOf) };
}

function pagesOf(slide: Slide, index: number): SlidePage[] {
  const { title, notes } = slide;
  const items = 'items' in slide ? slide.items : [];
  const parts = Math.max(1, Math.ceil(items.length / ITEMS_ON_PAGE));
  return Array.from({ length: parts }, (_, part) => {
    const words = items.slice(part * ITEMS_ON_PAGE, (part + 1) * ITEMS_ON_PAGE);
    return {
      ...{ slide: index, title: part === 0 ? title : `${title} (continued)`, notes },
      text: [title, ...(words.length > 0 ? words : otherWords(slide))].join('\n'),
    };
  });
}

function otherWords(slide: Slide): readonly string[] {
  if (slide.layout === 'table') return slide.rows.map((cells) => cells.join(', '));
  if (slide.layout === 'chart') return slide.chart.categories;
  if (slide.layout === 'timeline') return slide.steps.map(({ name, text }) => `${name}: ${text}`);
  if (slide.layout === 'title') return [slide.subtitle];
  return 'text' in slide ? [slide.text] : [];
}

function findingsOf(slide: Slide, index: number): SlideFinding[] {
  if (slide.layout !== 'chart' || slide.chart.yTitle !== '') return [];
  const text = 'The vertical axis has no title. Say what the values count, and in which unit.';
  return [{ slide: index, code: 'chart_axis', text }];
}

/** Six slides, one of which takes two pages. */
function fakeDeck(): Deck {
  return Deck.parse({
    title: 'Third quarter',
    theme: 'ocean',
    slides: [
      {
        ...{ layout: 'title', title: 'Third quarter', subtitle: 'Sales by region' },
        notes: 'Welcome everybody.\nTen minutes, then questions.',
      },
      {
        ...{ layout: 'bullets', title: 'What happened' },
        items: [
          'West grew for the fifth quarter in a row',
          'South is the weakest region, and needs a plan',
          'Two large orders moved into October',
          'Returns fell to two percent',
          'The new price list is in use everywhere',
          'Support answers within a day',
          'A warehouse opened in Ulm',
          'One supplier was replaced',
        ],
        notes: 'Do not read the list.',
        sources: ['sales.csv', 'https://example.com/report'],
      },
      {
        ...{ layout: 'chart', title: 'Revenue by region', text: 'West leads.' },
        chart: {
          ...{ type: 'column', categories: ['North', 'South', 'West'], xTitle: 'Region' },
          series: [
            { name: 'Q2', values: [120, 80.5, 210] },
            { name: 'Q3', values: [131, 76, null] },
          ],
        },
      },
      {
        ...{ layout: 'table', title: 'Largest orders', columns: ['Customer', 'Order'] },
        rows: [
          ['Bonn Tools', '90,000'],
          ['Ulm Paper', '120,000'],
        ],
      },
      {
        ...{ layout: 'timeline', title: 'Next steps' },
        steps: [
          { name: 'October', text: 'Hire for the south' },
          { name: 'November', text: 'Open the second warehouse' },
          { name: 'December', text: 'Review prices' },
        ],
      },
      { layout: 'closing', title: 'Thank you', text: 'Questions?' },
    ],
  });
}

/** Red, green, blue of the background, and of the words. */
const COLORS: Readonly<Record<SlideTheme, readonly number[]>> = {
  plain: [255, 255, 255, 30, 30, 30],
  paper: [250, 244, 230, 70, 50, 30],
  ocean: [232, 243, 250, 18, 74, 120],
  forest: [234, 244, 234, 24, 84, 50],
  ember: [252, 238, 230, 150, 54, 20],
  slate: [232, 236, 240, 50, 60, 72],
  midnight: [20, 26, 60, 200, 214, 255],
  carbon: [24, 24, 24, 230, 230, 230],
};

/** A PNG with a bar for each line of text. In plain JavaScript: fakes run in pages, where `png.ts` cannot. */
function drawPage(
  { text }: SlidePage,
  theme: SlideTheme,
  { width, aspect }: { readonly width: number; readonly aspect: number },
): string {
  const height = Math.round(width / aspect);
  const rowBytes = Math.ceil(width / 8) + 1;
  const pixels = new Uint8Array(rowBytes * height);
  const bar = (top: number, thickness: number, length: number): void => {
    for (let y = Math.round(top * height); y < (top + thickness) * height && y < height; y += 1) {
      const [from, to] = [Math.round(0.07 * width), Math.round((0.07 + length) * width)];
      for (let x = from; x < to; x += 1) {
        const at = y * rowBytes + 1 + (x >> 3);
        pixels[at] = (pixels[at] ?? 0) | (128 >> (x & 7));
      }
    }
  };
  for (const [at, line] of text.split('\n').entries()) {
    const length = Math.min(0.86, line.length * (at === 0 ? 0.024 : 0.013));
    if (at === 0) bar(0.12, 0.07, length);
    else bar(0.2 + at * 0.11, 0.032, length);
  }
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // One bit for each pixel, of a palette.
  head.set([1, 3], 8);
  const bytes = [
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...part('IHDR', [...head]),
    ...part('PLTE', COLORS[theme]),
    ...part('IDAT', stored(pixels)),
    ...part('IEND', []),
  ];
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''));
}

/** A zlib stream of this content, not compressed. */
function stored(content: Uint8Array): number[] {
  const stream = [0x78, 0x01];
  let [a, b] = [1, 0];
  for (let from = 0; from < content.length; from += 65_535) {
    const block = content.subarray(from, from + 65_535);
    const isLast = from + block.length === content.length;
    const { length } = block;
    stream.push(isLast ? 1 : 0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255);
    for (const byte of block) {
      stream.push(byte);
      a = (a + byte) % 65_521;
      b = (b + a) % 65_521;
    }
  }
  return [...stream, ...wordOf(((b << 16) | a) >>> 0)];
}

function part(type: string, body: readonly number[]): number[] {
  const typed = [...Array.from(type, (letter) => letter.charCodeAt(0)), ...body];
  let crc = 0xffffffff;
  for (const byte of typed) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return [...wordOf(body.length), ...typed, ...wordOf((crc ^ 0xffffffff) >>> 0)];
}

function wordOf(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
}
