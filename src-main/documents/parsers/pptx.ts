import { AppError } from '#contract/errors.ts';
import { OfficePackage } from '../office/office-package.ts';
import { childOf, walk, type XmlElement } from '../office/read-xml.ts';
import type { ParsedText, TextLimits } from '../parse-document.ts';
import { unreadable } from '../unreadable.ts';

/** Placeholders that say nothing of a slide: its number, the date, the line at its foot. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

/** Of a series of a chart. */
const MOST_POINTS = 10_000;

/**
 * The slides of a presentation, each with its number, texts, tables, numbers of charts and notes. Pictures are ignored, and so
 * are macros.
 */
export async function parsePptx(bytes: Uint8Array, limits: TextLimits): Promise<ParsedText> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const whole = await OfficePackage.open(buffer, {
      ...{ most: limits.unpackedBytes, refuse: unreadable },
    });
    return textOf(whole, limits.chars);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unreadable('It is damaged, or not a presentation in the pptx format.', error);
  }
}

function textOf(whole: OfficePackage, most: number): ParsedText {
  const main = whole.linked('', 'officeDocument')[0]?.target;
  if (main === undefined) throw unreadable('It is not a presentation.');
  const slides = whole.listed(main, whole.root(main, 'p:presentation'), 'p:sldId');
  const texts: string[] = [];
  let chars = 0;
  let title = '';
  for (const [at, part] of slides.entries()) {
    // The rest is left out anyway.
    if (chars > most) break;
    const slide = slideOf(whole, part);
    if (at === 0) title = slide.title;
    const hidden = slide.isHidden ? ' (hidden)' : '';
    const notes = slide.notes === '' ? [] : [`Notes: ${slide.notes}`];
    const said = [...slide.lines, ...notes];
    chars += said.join('\n').length;
    texts.push([`Slide ${at + 1}${hidden}`, ...said].join('\n'));
  }
  if (chars === 0) return { title, text: '', leftOut: null };
  return { title, text: texts.join('\n\n'), leftOut: null };
}

interface SlideText {
  /** Empty for none. */
  readonly title: string;
  readonly lines: readonly string[];
  readonly notes: string;
  readonly isHidden: boolean;
}

function slideOf(whole: OfficePackage, part: string): SlideText {
  const root = whole.root(part, 'p:sld');
  const shapes = shapesOf(root);
  const title = shapes.find((shape) => /^(?:ctrT|t)itle$/.test(placeholderOf(shape) ?? ''));
  // A title is read first, wherever it lies.
  const read = title === undefined ? shapes : [title, ...shapes.filter((one) => one !== title)];
  const notesPart = whole.linked(part, 'notesSlide')[0]?.target;
  const notes = notesPart === undefined ? [] : readOrSay('notes', () => notesIn(whole, notesPart));
  return {
    title: title === undefined ? '' : linesOf(title, { whole, part }).join(' '),
    lines: read.flatMap((shape) => linesOf(shape, { whole, part })),
    notes: notes.join('\n'),
    isHidden: root.attributes.get('show') === '0',
  };
}

/** The shapes of a page, those in groups too, in the order in which they lie over each other. */
function shapesOf(root: XmlElement): XmlElement[] {
  const inside = (element: XmlElement): XmlElement[] =>
    element.children.flatMap((child) => {
      switch (child.name) {
        case 'p:grpSp':
          return inside(child);
        case 'mc:AlternateContent':
          // One of several forms of the same.
          return child.children.slice(0, 1).flatMap(inside);
        case 'p:sp':
        case 'p:graphicFrame':
          return FURNITURE.has(placeholderOf(child) ?? '') ? [] : [child];
        default:
          return [];
      }
    });
  const tree = childOf(childOf(root, 'p:cSld'), 'p:spTree');
  return tree === undefined ? [] : inside(tree);
}

/** The type of its placeholder; null for a shape that is none. */
function placeholderOf({ children }: XmlElement): string | null {
  const own = children.flatMap((child) => childOf(child, 'p:nvPr') ?? []);
  const placeholder = childOf(own[0], 'p:ph');
  return placeholder === undefined ? null : (placeholder.attributes.get('type') ?? 'body');
}

/** What a shape says, in lines. */
function linesOf(
  shape: XmlElement,
  { whole, part }: { readonly whole: OfficePackage; readonly part: string },
): string[] {
  if (shape.name === 'p:sp') return paragraphsIn(childOf(shape, 'p:txBody'));
  const [table] = [...walk(shape)].filter(({ name }) => name === 'a:tbl');
  if (table !== undefined) return table.children.filter(isRow).map(rowText);
  const refers = [...walk(shape)].flatMap(({ name, attributes }) =>
    name === 'c:chart' || name === 'dgm:relIds'
      ? [attributes.get('r:id') ?? attributes.get('r:dm') ?? '']
      : [],
  );
  const linked = [...whole.linked(part, 'chart'), ...whole.linked(part, 'diagramData')];
  return linked
    .filter(({ id }) => refers.includes(id))
    .flatMap(({ type, target }) =>
      readOrSay('chart or diagram', () =>
        type === 'chart'
          ? chartLines(whole.root(target, 'c:chartSpace'))
          : paragraphsIn(whole.root(target, 'dgm:dataModel')),
      ),
    );
}

/** What a part of a slide says; one that is damaged says only that, and the slide around it is read. */
function readOrSay(what: string, read: () => string[]): string[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'LIBRARY_UNREADABLE') throw error;
    return [`[The ${what} cannot be read]`];
  }
}

function notesIn(whole: OfficePackage, part: string): string[] {
  const shapes = shapesOf(whole.root(part, 'p:notes'));
  return shapes
    .filter((shape) => placeholderOf(shape) === 'body')
    .flatMap((shape) => linesOf(shape, { whole, part }));
}

const isRow = ({ name }: XmlElement): boolean => name === 'a:tr';

function rowText({ children }: XmlElement): string {
  const cells = children.filter(({ name }) => name === 'a:tc');
  return cells.map((cell) => paragraphsIn(cell).join(' ')).join('\t');
}

/** The paragraphs in an element that say something. */
function paragraphsIn(element: XmlElement | undefined): string[] {
  if (element === undefined) return [];
  return [...walk(element)]
    .filter(({ name }) => name === 'a:p')
    .map((paragraph) =>
      [...walk(paragraph)]
        .map(({ name, text }) => (name === 'a:t' ? text : name === 'a:br' ? ' ' : ''))
        .join('')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((text) => text !== '');
}

/** Office keeps 4.4 as 4.4000000000000004, and shows 15 digits. */
const DECIMALS = /^-?\d+\.\d{15,}$/;

/** The title of a chart, and its numbers as a table: a line for each category. */
function chartLines(root: XmlElement): string[] {
  const all = [...walk(root)];
  const title = all.find(({ name }) => name === 'c:title');
  const series = all.filter(({ name }) => name === 'c:ser');
  const pointsOf = (one: XmlElement, ...names: string[]): readonly string[] =>
    one.children.filter(({ name }) => names.includes(name)).flatMap(pointsIn);
  const columns = series.map((one) => ({
    name: pointsOf(one, 'c:tx').join(' '),
    categories: pointsOf(one, 'c:cat', 'c:xVal'),
    values: pointsOf(one, 'c:val', 'c:yVal'),
  }));
  const categories = columns[0]?.categories ?? [];
  const count = Math.max(0, ...columns.map(({ values }) => values.length));
  const rows = Array.from({ length: count }, (_, at) =>
    [categories[at] ?? '', ...columns.map(({ values }) => values[at] ?? '')].join('\t'),
  );
  const head = ['', ...columns.map(({ name }) => name)].join('\t');
  return [...paragraphsIn(title), ...(rows.length === 0 ? [] : [head, ...rows])];
}

/** The values that a chart keeps, by their places. */
function pointsIn(element: XmlElement): string[] {
  const points: string[] = [];
  for (const { name, attributes, children } of walk(element)) {
    const at = Number(attributes.get('idx'));
    if (name !== 'c:pt' || !(at >= 0 && at < MOST_POINTS)) continue;
    const kept = childOf({ name, attributes, children, text: '' }, 'c:v')?.text.trim() ?? '';
    points[at] = DECIMALS.test(kept) ? String(Number(Number(kept).toPrecision(15))) : kept;
  }
  return Array.from(points, (point) => point ?? '');
}
