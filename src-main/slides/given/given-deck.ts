import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import {
  Deck,
  type DeckTemplate,
  MOST_SLIDES,
  type OpenDeck,
  type Slide,
  type SlideTheme,
} from '#contract/slides.ts';
import { canonicalJson } from '../../base/canonical-json.ts';
import type { WorkspaceFiles } from '../../sandbox/types.ts';
import type { ReadTable } from '../slide-service-types.ts';
import { movePictures } from './given-picture.ts';
import { dataWish, describeGiven, numberOf, readGivenSlide } from './given-slide.ts';
import { readSlideData, type SlideData } from './slide-data.ts';
import { limitProblems } from './slide-limits.ts';

/** What a call makes of a deck: a slide given is at a place of it. */
export interface Placed {
  readonly given: unknown;
  /** Where it is in the deck afterwards, from 0. */
  readonly index: number;
}

const FOLDER = 'slides';
const MOST_NAME_CHARS = 60;
const MOST_NAMES = 9;
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
};

/** The files that a new deck may be written to, the first free one: named after its title, letters of Latin as ASCII. */
export function deckFiles(title: string): string[] {
  const plain = title
    .toLowerCase()
    .normalize('NFD')
    .replace(/([a-z])\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[ßæøœłđ]/g, (letter) => LATIN[letter] ?? '');
  const words = plain.replace(/(?![a-z])\p{Script=Latin}/gu, '').split(/[^\p{L}\p{M}\p{N}]+/u);
  const name = [...words.filter((word) => word !== '').join('-')]
    .slice(0, MOST_NAME_CHARS)
    .join('');
  const stem = `${FOLDER}/${name.replace(/-$/, '') || 'presentation'}`;
  return Array.from({ length: MOST_NAMES }, (_, i) => `${stem}${i === 0 ? '' : `-${i + 1}`}.pptx`);
}

/** A new deck: as given, or by their numbers where all have one. */
export function placeNew(given: readonly unknown[]): Placed[] {
  const numbers = given.map(numberOf);
  const isNumbered = numbers.every((one) => one !== null) && new Set(numbers).size === given.length;
  const sorted = isNumbered
    ? given.map((_, i) => i).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0))
    : [...given.keys()];
  return sorted.map((at, index) => ({ given: given[at], index }));
}

/** Slides for a deck that is there: those with a number replace that slide, the others come at its end. */
export function placeInto(
  { slides }: Deck,
  given: readonly unknown[],
): { readonly placed: readonly Placed[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const seen = new Set<number>();
  let { length } = slides;
  const placed = given.map((one): Placed => {
    const number = numberOf(one) ?? length + 1;
    if (seen.has(number)) problems.push(`Slide ${number}: its number is given twice.`);
    seen.add(number);
    if (number > length + 1) {
      problems.push(
        `Slide ${number}: the deck has ${slides.length} slides. Leave number out to add a slide at the end.`,
      );
    }
    length = Math.max(length, number);
    return { given: one, index: number - 1 };
  });
  return { placed, problems };
}

export interface PlacedSlide {
  readonly slide: Slide;
  readonly index: number;
}

/** The paths of the files that given slides name: data and pictures. */
export function filesOf(given: readonly unknown[]): string[] {
  const paths = given.flatMap((one, i) => {
    const wish = dataWish(one);
    if (wish !== null) return [wish.file];
    const slide = readGivenSlide(one, i);
    const found: string[] = [];
    if (!('problem' in slide)) {
      movePictures(slide, (path) => {
        found.push(path);
        return path;
      });
    }
    return found;
  });
  return [...new Set(paths)];
}

/** The typed slides, with the data of their files, or all that is wrong with any of them. */
export async function readPlaced(
  placed: readonly Placed[],
  {
    files,
    pathOf,
    readTable,
  }: {
    readonly files: Pick<WorkspaceFiles, 'read'>;
    /** Where a file that a slide names is opened. */
    readonly pathOf: (path: string) => string;
    readonly readTable: ReadTable;
  },
): Promise<{ readonly slides: readonly PlacedSlide[]; readonly problems: readonly string[] }> {
  const slides: PlacedSlide[] = [];
  const problems: string[] = [];
  for (const { given, index } of placed) {
    const data = await dataOf(given, { files, pathOf, readTable });
    const slide = typeof data === 'string' ? null : readGivenSlide(given, index, data);
    if (slide === null) problems.push(`Slide ${index + 1}: ${String(data)}`);
    else if ('problem' in slide) problems.push(slide.problem);
    else slides.push({ slide: movePictures(slide, pathOf), index });
  }
  return { slides, problems };
}

/** The data that a slide wants of a file; a text says what is wrong with it. */
async function dataOf(
  given: unknown,
  { files, pathOf, readTable }: Parameters<typeof readPlaced>[1],
): Promise<SlideData | string | null> {
  const wish = dataWish(given);
  if (wish === null) return null;
  try {
    return await readSlideData(wish, { files, path: pathOf(wish.file), readTable });
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/**
 * Slides without a number that the deck has already, by layout and title: most likely the whole deck was given again.
 */
export function repeatedSlides({ slides }: Deck, added: readonly PlacedSlide[]): string[] {
  const lines = added
    .filter(({ index }) => index >= slides.length)
    .flatMap(({ slide }) => {
      const at = slides.findIndex(
        ({ layout, title }) => layout === slide.layout && title === slide.title,
      );
      return at < 0 ? [] : [`Slide ${at + 1}: "${slide.title.slice(0, 60)}" is there already.`];
    });
  if (lines.length === 0) return [];
  return [
    ...lines,
    'Give these slides their number to replace them, or another title to add them.',
  ];
}

export interface DeckChange {
  readonly title: string | undefined;
  /** Takes the place of a template. */
  readonly theme: SlideTheme | undefined;
  readonly template?: DeckTemplate | undefined;
  readonly slides: readonly PlacedSlide[];
}

/** The deck with a change, or what is too long or too much for one. */
export function changeDeck(
  before: Deck | null,
  { title, theme, template, slides }: DeckChange,
): Deck | readonly string[] {
  const all = [...(before?.slides ?? [])];
  for (const { slide, index } of slides) all[index] = slide;
  if (all.length > MOST_SLIDES) {
    return [
      `The deck would have ${all.length} slides; ${MOST_SLIDES} is the most. Make two decks.`,
    ];
  }
  const kept = template ?? (theme === undefined ? before?.template : undefined);
  const deck = {
    title: title ?? before?.title ?? '',
    theme: theme ?? before?.theme ?? 'plain',
    ...(kept === undefined ? {} : { template: kept }),
    slides: all,
  };
  const parsed = safeParse(Deck, deck, { reportInput: true });
  return parsed.success ? parsed.data : limitProblems(parsed.error);
}

/** Whether a change was made already: its slides are where they belong, those without a number at the end. */
export function holdsChange(
  deck: Deck,
  read: readonly Slide[],
  given: readonly unknown[],
): boolean {
  const added = given.filter((one) => numberOf(one) === null).length;
  let next = deck.slides.length - added;
  return read.every((slide, i) => {
    const number = numberOf(given[i]);
    const there = deck.slides[number === null ? next : number - 1];
    if (number === null) next += 1;
    return canonicalJson(there ?? null) === canonicalJson(slide);
  });
}

/** What a model reads of findings: a line each. Slides count from 1. */
export function describeFindings({ findings }: OpenDeck): string[] {
  return findings.map(({ slide, text }) => `Slide ${slide + 1}: ${text}`);
}

/** The slides of a deck in the flat form, with their numbers. */
export function numberedSlides({ slides }: Deck) {
  return slides.map((slide, i) => ({ number: i + 1, ...describeGiven(slide) }));
}
