import { NumberEvidence } from '../data-analysis/number-evidence.ts';
import { numbersIn } from '../data-analysis/numbers.ts';
import type { GivenSlide, Material, SlideTask } from './types.ts';

/** `numbersIn` reads so much of a text. */
const PIECE_CHARS = 20_000;
const EVIDENCE_CHARS = 400_000;

/** What has digits and is no figure: ranges of years, ordinals, parts by number, counts of slides, names. */
const NOT_FIGURES: readonly RegExp[] = [
  /\b(?:19|20)\d\d\s?[-–/]\s?(?:(?:19|20)\d\d|\d\d)(?![\d%.,])/g,
  /\b\d+(?:st|nd|rd|th|e|er|ème|º|ª)\b/giu,
  /第\s?\d+/g,
  /\b(?:slides?|steps?|phases?|parts?|stages?|chapters?|sections?|levels?|weeks?|days?|figures?|no\.?|nr\.?|version|release|folien?|schritte?|teile?|stufen?|kapitel|wochen?|tage?|punkte?)\s+\d+(?:\s*(?:of|von|\/|[-–])\s*\d+)?\b/giu,
  /\b\d+\s+(?:slides?|folien)\b/giu,
  /\b\d{1,2}\.(?=\s(?:Quartal|Jahrhundert|Platz|Schritt|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)/gu,
  /\p{L}+[-‐]\d+\b/gu,
  /\b24\/7\b/g,
];
/** Where a count of the slide's own entries may be. */
const COUNTING = ['title', 'subtitle', 'text', 'notes'];
const ENTRIES = ['items', 'steps', 'numbers', 'people', 'rows', 'left'];
/** Not for reading: names of files, addresses, layouts. */
const NOT_READ: ReadonlySet<string> = new Set([
  'layout',
  'sources',
  'image',
  'file',
  'type',
  'x',
  'y',
]);

/** The figures that the request and the material have. */
export function figureEvidence(task: SlideTask, { documents }: Material): NumberEvidence {
  const evidence = new NumberEvidence();
  const texts = documents.map(({ kind, text }) => (kind === 'data' ? cellsOf(text) : text));
  for (const text of [task.request, task.audience, ...texts]) {
    const read = text.slice(0, EVIDENCE_CHARS);
    for (let at = 0; at < read.length; at += PIECE_CHARS) {
      evidence.add(read.slice(at, at + PIECE_CHARS));
    }
  }
  return evidence;
}

/** The cells of a table, a line each: `1510,52` of a csv file is two numbers. */
function cellsOf(text: string): string {
  const [header = ''] = text.split('\n', 1);
  const delimiter = [',', ';', '\t', '|']
    .map((mark) => ({ mark, count: header.split(mark).length - 1 }))
    .reduce((most, one) => (one.count > most.count ? one : most));
  return delimiter.count === 0 ? text : text.replaceAll(delimiter.mark, '\n');
}

/** The figures of a slide that no evidence has, as they are written. Years, ordinals and counts of entries are none. */
export function unverifiedFigures(slide: GivenSlide, evidence: NumberEvidence): string[] {
  const counts = ENTRIES.flatMap((name) => {
    const entries = slide[name];
    return Array.isArray(entries) ? [entries.length] : [];
  });
  const missing = Object.entries(slide).flatMap(([name, value]) => {
    if (NOT_READ.has(name)) return [];
    const found = textsIn(value).flatMap((text) => evidence.unsupported(withoutNames(text)));
    if (!COUNTING.includes(name)) return found;
    return found.filter((figure) => !counts.some((count) => isCount(figure, count)));
  });
  return [...new Set(missing)].filter((figure) => !isYear(figure));
}

const MARK = 'Not verified: ';

/** Notes without the mark that `markedSlide` puts under them, and the figures that it names. */
export function splitMark(marked: string): {
  readonly notes: string;
  readonly figures: readonly string[];
} {
  const at = marked.lastIndexOf(MARK);
  // Only at the end, as it is put there: speakers may say these words too.
  const isAtEnd = at === 0 || (at > 0 && marked[at - 1] === '\n');
  if (!isAtEnd || marked.slice(at).includes('\n')) return { notes: marked, figures: [] };
  const figures = marked.slice(at + MARK.length).split(', ');
  return { notes: marked.slice(0, at).trimEnd(), figures: figures.filter((one) => one !== '') };
}

/** The slide as it is written: its notes name the figures that were not found. */
export function markedSlide(slide: GivenSlide, evidence: NumberEvidence): GivenSlide {
  const figures = unverifiedFigures(slide, evidence);
  if (figures.length === 0) return slide;
  const mark = `${MARK}${figures.join(', ')}`;
  const { notes = '' } = slide;
  return { ...slide, notes: notes === '' ? mark : `${notes}\n\n${mark}` };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => (NOT_READ.has(name) ? [] : textsIn(one)));
}

function withoutNames(text: string): string {
  return NOT_FIGURES.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
}

/** A year stands alone: with a unit or separators it is a figure. */
function isYear(figure: string): boolean {
  return /^(?:19|20)\d\d$/.test(figure);
}

function isCount(figure: string, count: number): boolean {
  const [number] = numbersIn(figure);
  return !/[%€$£¥]/.test(figure) && number?.readings.some(({ value }) => value === count) === true;
}
