import type { Deck, SlideFinding, SlidePage } from '#contract/slides.ts';
import { checkDeck } from './check-deck.ts';
import { deckPdf } from './drawing/draw-pdf.ts';
import { pagePng } from './drawing/draw-png.ts';
import { loadSlideFonts, type SlideFonts } from './fonts.ts';
import { type DataTable, readDataTable } from './given/data-table.ts';
import { layOutDeck } from './lay-out-deck.ts';
import type { AlikePages } from './office/alike-pages.ts';
import { writePptx } from './pptx/write-pptx.ts';
import type { DeckPictures, Element, LaidOutDeck, Page } from './types.ts';

/** A deck, and what is to be made of it. */
export interface DeckJob {
  readonly deck: Deck;
  readonly pictures: DeckPictures;
  readonly make:
    | { readonly kind: 'pptx' | 'pdf' | 'pages' }
    /** `page` from 0; `width` in pixels. */
    | { readonly kind: 'png'; readonly page: number; readonly width: number };
  /** The same for the same deck with the same pictures: it is laid out once. */
  readonly key: string;
}

export interface DeckJobResult {
  /** Empty for `pages`; for a page that is not there. */
  readonly bytes: Uint8Array;
  readonly pages: readonly SlidePage[];
  readonly findings: readonly SlideFinding[];
}

/** A file of data to be read. */
export interface TableJob {
  readonly kind: string;
  readonly bytes: Uint8Array;
}

/** The PDF that another program made of a deck, to be compared with ours. */
export interface OfficeJob extends Omit<DeckJob, 'make'> {
  readonly pdf: Uint8Array;
}

export type SlideJob =
  | { readonly deck: DeckJob }
  | { readonly office: OfficeJob }
  | { readonly table: TableJob };
export type SlideJobResult = DeckJobResult | DataTable | AlikePages;

/** Does jobs, one after another, in a thread of its own. Remembers the last deck. */
export class SlideJobs {
  #fonts: SlideFonts | null = null;
  #last: { readonly key: string; readonly laidOut: LaidOutDeck } | null = null;

  async do(job: SlideJob): Promise<SlideJobResult> {
    if ('deck' in job) return await this.doDeck(job.deck);
    if ('office' in job) {
      const { pdf, ...deck } = job.office;
      const own = await this.doDeck({ ...deck, make: { kind: 'pdf' } });
      // Loaded where it is needed: few compare.
      const { alikePages } = await import('./office/alike-pages.ts');
      return await alikePages(pdf, own.bytes);
    }
    const { bytes, kind } = job.table;
    return await readDataTable(Buffer.from(bytes), kind);
  }

  async doDeck({ deck, pictures, make, key }: DeckJob): Promise<DeckJobResult> {
    this.#fonts ??= await loadSlideFonts();
    const tools = { fonts: this.#fonts, pictures };
    if (this.#last?.key !== key) {
      this.#last = { key, laidOut: layOutDeck(deck, pictures, this.#fonts) };
    }
    const { laidOut } = this.#last;
    switch (make.kind) {
      case 'pptx':
        return { bytes: await writePptx(laidOut, pictures), ...describe(deck, laidOut, tools) };
      case 'pages':
        return { bytes: new Uint8Array(), ...describe(deck, laidOut, tools) };
      case 'pdf':
        return { bytes: await deckPdf(laidOut, tools), pages: [], findings: [] };
      case 'png': {
        const page = laidOut.pages[make.page];
        const bytes =
          page === undefined ? new Uint8Array() : await pagePng(page, make.width, tools);
        return { bytes, pages: [], findings: [] };
      }
    }
  }
}

function describe(
  deck: Deck,
  laidOut: LaidOutDeck,
  tools: { readonly fonts: SlideFonts; readonly pictures: DeckPictures },
): Pick<DeckJobResult, 'pages' | 'findings'> {
  const pages = laidOut.pages.map((page) => ({
    slide: page.slide,
    title: page.title,
    text: textOf(page),
    notes: page.notes,
  }));
  return { pages, findings: checkDeck(deck, laidOut, tools) };
}

/** What a page shows, in reading order. */
function textOf(page: Page): string {
  return page.elements
    .flatMap(textsOf)
    .filter((line) => line.trim() !== '')
    .join('\n');
}

function textsOf(element: Element): string[] {
  switch (element.kind) {
    case 'text':
      return element.paragraphs.map(({ text }) => text);
    case 'table':
      return element.rows.map(({ cells }) => cells.map(({ text }) => text).join(' | '));
    case 'chart':
    case 'picture':
      return [element.alt];
    case 'shape':
      return [];
  }
}
