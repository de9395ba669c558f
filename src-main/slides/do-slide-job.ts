import type { Deck, SlideFinding, SlidePage } from '#contract/slides.ts';
import { checkDeck } from './check-deck.ts';
import { deckPdf } from './drawing/draw-pdf.ts';
import { pagePng } from './drawing/draw-png.ts';
import { VisualRuns } from './drawing/visual-runs.ts';
import { loadSlideFonts, type SlideFonts } from './fonts.ts';
import { type DataTable, readDataTable } from './given/data-table.ts';
import { layOutDeck } from './lay-out-deck.ts';
import type { AlikePages } from './office/alike-pages.ts';
import { writePptx } from './pptx/write-pptx.ts';
import type { Template } from './template/template-look.ts';
import { type DeckPictures, type Element, type LaidOutDeck, PAGE, type Page } from './types.ts';

/** A deck, and what is to be made of it. */
export interface DeckJob {
  readonly deck: Deck;
  readonly pictures: DeckPictures;
  /** The bytes of the template of the deck; null for none. */
  readonly template: Uint8Array | null;
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
  /** Of every page: its width by its height. */
  readonly aspect: number;
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

/** A file that is a template, or is to be one. */
export interface TemplateJob {
  readonly bytes: Uint8Array;
  /** It is read whole, so that what cannot be a template is refused. */
  readonly isNew: boolean;
}

export type SlideJob =
  | { readonly deck: DeckJob }
  | { readonly office: OfficeJob }
  | { readonly table: TableJob }
  | { readonly template: TemplateJob };
export type SlideJobResult = DeckJobResult | DataTable | AlikePages | TemplatePictures;

/** The pictures that a template shows, to be decoded apart: anybody may have made them. */
export interface TemplatePictures {
  readonly pictures: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

interface LastDeck {
  readonly key: string;
  readonly laidOut: LaidOutDeck;
  readonly template: Template | null;
}

interface DeckTools {
  readonly fonts: SlideFonts;
  readonly pictures: DeckPictures;
}

/** Loaded where it is needed: few decks have a template. */
async function readTemplate(bytes: Uint8Array, tools: DeckTools): Promise<Template> {
  const { readTemplateParts } = await import('./template/template-parts.ts');
  const { templateOf } = await import('./template/template-look.ts');
  const runs = await VisualRuns.load(tools.fonts);
  return await templateOf(await readTemplateParts(Buffer.from(bytes)), { ...tools, runs });
}

/** Does jobs, one after another, in a thread of its own. Remembers the last deck. */
export class SlideJobs {
  #fonts: SlideFonts | null = null;
  #last: LastDeck | null = null;

  async do(job: SlideJob): Promise<SlideJobResult> {
    if ('deck' in job) return await this.doDeck(job.deck);
    if ('office' in job) {
      const { pdf, ...deck } = job.office;
      const own = await this.doDeck({ ...deck, make: { kind: 'pdf' } });
      // Loaded where it is needed: few compare.
      const { alikePages } = await import('./office/alike-pages.ts');
      return await alikePages(pdf, own.bytes);
    }
    if ('template' in job) {
      const { bytes, isNew } = job.template;
      const { readTemplateParts } = await import('./template/template-parts.ts');
      const tools = { fonts: await this.#loadFonts(), pictures: new Map() };
      const { pictures } = isNew
        ? (await readTemplate(bytes, tools)).parts
        : await readTemplateParts(Buffer.from(bytes));
      return { pictures: [...pictures].map(([name, bytes]) => ({ name, bytes })) };
    }
    const { bytes, kind } = job.table;
    return await readDataTable(Buffer.from(bytes), kind);
  }

  async #loadFonts(): Promise<SlideFonts> {
    this.#fonts ??= await loadSlideFonts();
    return this.#fonts;
  }

  async doDeck({ deck, pictures, template: file, make, key }: DeckJob): Promise<DeckJobResult> {
    const tools = { fonts: await this.#loadFonts(), pictures };
    if (this.#last?.key !== key) {
      const template = file === null ? null : await readTemplate(file, tools);
      const laidOut = layOutDeck(deck, pictures, tools.fonts, template?.look);
      this.#last = { key, laidOut, template };
    }
    const { laidOut, template } = this.#last;
    switch (make.kind) {
      case 'pptx':
        return {
          bytes: await writePptx(laidOut, pictures, template),
          ...describe(deck, laidOut, tools),
        };
      case 'pages':
        return { bytes: new Uint8Array(), ...describe(deck, laidOut, tools) };
      case 'pdf':
        return { bytes: await deckPdf(laidOut, tools), ...NOTHING_SAID };
      case 'png': {
        const page = laidOut.pages[make.page];
        const bytes =
          page === undefined ? new Uint8Array() : await pagePng(page, make.width, tools);
        return { bytes, ...NOTHING_SAID };
      }
    }
  }
}

const NOTHING_SAID = { aspect: PAGE.width / PAGE.height, pages: [], findings: [] };

function describe(
  deck: Deck,
  laidOut: LaidOutDeck,
  tools: DeckTools,
): Omit<DeckJobResult, 'bytes'> {
  const pages = laidOut.pages.map((page) => ({
    slide: page.slide,
    title: page.title,
    text: textOf(page),
    notes: page.notes,
  }));
  const { width, height } = laidOut.pages[0]?.size ?? PAGE;
  return { aspect: width / height, pages, findings: checkDeck(deck, laidOut, tools) };
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
