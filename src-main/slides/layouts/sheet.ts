import type { Slide, SlideLayout } from '#contract/slides.ts';
import { type FittedText, fitText, type WantedText } from '../fit-text.ts';
import type { SlideFonts } from '../fonts.ts';
import type { Frame, Look, Place, TitlePlace } from '../look.ts';
import type { Box, Color, DeckPictures, Element, ShapeElement, TextElement } from '../types.ts';

export type SlideOf<Layout extends SlideLayout> = Extract<Slide, { layout: Layout }>;

/** What layouts draw with. */
export interface Sheet extends Look {
  readonly fonts: SlideFonts;
  readonly pictures: DeckPictures;
  /** The number of this page of its slide, from 1. */
  readonly part: number;
  /** The number of the first entry of a numbered list. */
  readonly firstNumber: number;
}

/** What is left of a slide for other pages. */
export interface Rest {
  readonly slide: Slide;
  readonly firstNumber?: number;
}

/** One page of a slide. */
export interface Drawn {
  readonly frame: Frame;
  readonly elements: readonly Element[];
  /** What is on the following pages. */
  readonly rest: readonly Rest[];
  /** What is not shown in full, for the notes. */
  readonly unshown?: readonly string[];
}

export const GAP = 20;
const FOOTER_SIZE = 10;

/** Where the body of a page is. */
export function bodyOf({ frames }: Sheet, kind: 'content' | 'list' = 'content'): Box {
  return frames[kind].body.box;
}

/** A page with title, decoration and footer; `number` is that of the page. */
export function framed(
  slide: Slide,
  sheet: Sheet,
  body: Pick<Drawn, 'elements' | 'rest' | 'unshown'>,
  kind: 'content' | 'list' = 'content',
): Drawn {
  const frame = sheet.frames[kind];
  const title = titleOf(slide.title, frame.title, sheet);
  return {
    frame,
    elements: [...frame.decoration, title.element, ...body.elements],
    rest: body.rest,
    unshown: [...title.unshown, ...(body.unshown ?? [])],
  };
}

/** The title in its box. One that no size fits is shortened, and is among what is not shown. */
export function titleOf(
  text: string,
  { color, ...place }: TitlePlace,
  sheet: Sheet,
): { readonly element: TextElement; readonly unshown: readonly string[] } {
  const wanted = (title: string): WantedText => ({
    ...{ ...place, paragraphs: [title], role: 'title' },
    style: { face: sheet.theme.headings, bold: true, color },
  });
  const suffix = sheet.part === 1 ? '' : ` (${sheet.part})`;
  const fitted = fitText(wanted(`${text}${suffix}`), sheet.fonts);
  if (fitted.rest.length === 0) return { element: fitted.element, unshown: [] };
  let short = [...(fitted.element.paragraphs[0]?.text ?? '')];
  for (;;) {
    short = short.slice(0, -(suffix.length + 2));
    const shortened = fitText(wanted(`${short.join('').trimEnd()}…${suffix}`), sheet.fonts);
    if (shortened.rest.length === 0 || short.length === 0) {
      return { element: shortened.element, unshown: [text] };
    }
  }
}

/** The sources and the number of a page; sources that have no room are returned. */
export function footer(
  { sources, number }: { readonly sources: readonly string[]; readonly number: number },
  frame: Frame,
  { theme, fonts }: Pick<Sheet, 'theme' | 'fonts'>,
): { readonly elements: readonly TextElement[]; readonly unshown: readonly string[] } {
  const text = (line: string, { color, ...place }: Place): FittedText =>
    fitText(
      {
        ...{ ...place, paragraphs: [line], role: 'footer', sizes: [FOOTER_SIZE, FOOTER_SIZE] },
        style: { face: theme.body, bold: false, color },
      },
      fonts,
    );
  const page = text(String(number), frame.number).element;
  for (let count = sources.length; count > 0; count -= 1) {
    const shown = text(sources.slice(0, count).join(' · '), frame.sources);
    if (shown.rest.length > 0 || shown.height > frame.sources.box.height) continue;
    return { elements: [shown.element, page], unshown: sources.slice(count) };
  }
  return { elements: [page], unshown: sources };
}

/** Fits several texts in one size, the largest in which all fit; null where some do not. */
export function fitTogether(
  wanted: readonly WantedText[],
  fonts: SlideFonts,
): readonly FittedText[] | null {
  const fitted = wanted.map((one) => fitText(one, fonts));
  if (fitted.some(({ rest }) => rest.length > 0)) return null;
  const size = Math.min(...fitted.map(({ element }) => element.style.size));
  return wanted.map((one) => fitText({ ...one, sizes: [size, size] }, fonts));
}

/** Boxes side by side. */
export function columns(box: Box, count: number, gap = GAP): Box[] {
  const width = (box.width - gap * (count - 1)) / count;
  return Array.from({ length: count }, (_, at) => ({
    ...box,
    x: box.x + at * (width + gap),
    width,
  }));
}

/** A smaller box inside. */
export function inset({ x, y, width, height }: Box, by: number): Box {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by };
}

export function card(box: Box, fill: Color): ShapeElement {
  return { kind: 'shape', shape: 'rounded', box, fill };
}
