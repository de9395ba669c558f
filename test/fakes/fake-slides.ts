import { AppError } from '#contract/errors.ts';
import { Deck, type OfficeCheck, type OpenDeck, type SlideFinding } from '#contract/slides.ts';
import { sha256 } from '#main/base/canonical-json.ts';
import { readDataTable } from '#main/slides/given/data-table.ts';
import type { SlideFile, SlideMaker, UsedTemplate } from '#main/slides/slide-service-types.ts';

const MARK = 'deck of the fake: ';

/** The deck in a file of the fake. */
export function parseFakeDeck(text: string): Deck {
  return Deck.parse(JSON.parse(text.slice(MARK.length)));
}

/** Decks as files that hold their JSON, one page a slide. Records what was made, and finds what a test says. */
export class FakeSlides implements SlideMaker {
  readonly made: { readonly path: string; readonly deck: Deck }[] = [];
  findings: SlideFinding[] = [];

  async make(deck: Deck, { path, files }: SlideFile, signal: AbortSignal): Promise<OpenDeck> {
    signal.throwIfAborted();
    const text = MARK + JSON.stringify(Deck.parse(deck));
    await files.replace(path, text);
    this.made.push({ path, deck });
    return this.#opened(text);
  }

  /** Any file is one, except one that says so. */
  async takeTemplate(path: string, { files }: SlideFile): Promise<UsedTemplate> {
    const text = (await files.read(path, 1024 * 1024)).data.toString();
    if (text.startsWith('no template')) throw new AppError('BAD_REQUEST', `${path} has macros.`);
    return { template: { name: path, hash: sha256(text) }, leftOut: ['A picture is left out.'] };
  }

  readonly readTable = readDataTable;

  async checkInOffice(): Promise<OfficeCheck> {
    return { state: 'not_checked', why: 'not installed' };
  }

  async open({ path, files }: SlideFile): Promise<OpenDeck> {
    const text = (await files.read(path, 1024 * 1024)).data.toString();
    if (text.startsWith(MARK)) return this.#opened(text);
    throw new AppError('BAD_REQUEST', `${path} was not made here.`);
  }

  #opened(text: string): OpenDeck {
    const deck = parseFakeDeck(text);
    const pages = deck.slides.map(({ title, notes }, slide) => ({
      slide,
      title,
      text: title,
      notes,
    }));
    return { hash: sha256(text), deck, aspect: 16 / 9, pages, findings: this.findings };
  }
}
