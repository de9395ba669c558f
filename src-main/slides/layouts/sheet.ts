import type { Slide, SlideLayout } from '#contract/slides.ts';
import { type FittedText, fitText, type WantedText } from '../fit-text.ts';
import type { SlideFonts } from '../fonts.ts';
import type { Theme } from '../themes.ts';
import {
  type Box,
  type Color,
  type DeckPictures,
  type Element,
  PAGE,
  type ShapeElement,
  type TextElement,
} from '../types.ts';

export type SlideOf<Layout extends SlideLayout> = Extract<Slide, { layout: Layout }>;

/** What layouts draw with. */
export interface Sheet {
  readonly theme: Theme;
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
  readonly background: Color;
  readonly elements: readonly Element[];
  /** What is on the following pages. */
  readonly rest: readonly Rest[];
  /** What is not shown in full, for the notes. */
  readonly unshown?: readonly string[];
}

export const MARGIN = 56;
/** Where the body of a page is. */
export const BODY: Box = { x: MARGIN, y: 130, width: PAGE.width - 2 * MARGIN, height: 354 };
export const GAP = 20;

const TITLE: Box = { x: MARGIN, y: 30, width: BODY.width, height: 76 };
const FOOTER = { y: 502, height: 16, size: 10 } as const;
const NUMBER_WIDTH = 60;

/** A page with title, decoration and footer; `number` is that of the page. */
export function framed(
  slide: Slide,
  sheet: Sheet,
  body: Pick<Drawn, 'elements' | 'rest' | 'unshown'>,
): Drawn {
  const { theme } = sheet;
  const title = titleOf(slide.title, { box: TITLE, sheet, color: theme.text, on: theme.ground });
  return {
    background: theme.ground,
    elements: [...decoration(theme), title.element, ...body.elements],
    rest: body.rest,
    unshown: [...title.unshown, ...(body.unshown ?? [])],
  };
}

/** The title in its box. One that no size fits is shortened, and is among what is not shown. */
export function titleOf(
  text: string,
  {
    box,
    sheet,
    color,
    on,
    sizes = [32, 20],
    anchor = 'bottom',
  }: {
    readonly box: Box;
    readonly sheet: Sheet;
    readonly color: Color;
    readonly on: Color;
    readonly sizes?: WantedText['sizes'];
    readonly anchor?: TextElement['anchor'];
  },
): { readonly element: TextElement; readonly unshown: readonly string[] } {
  const wanted = (title: string): WantedText => ({
    ...{ paragraphs: [title], box, role: 'title', on, sizes, anchor },
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

function decoration({ style, accent }: Theme): ShapeElement[] {
  const shape = (box: Box): ShapeElement => ({
    ...{ kind: 'shape', shape: 'rectangle', box, fill: accent },
  });
  switch (style) {
    case 'rule':
      return [shape({ x: MARGIN, y: 112, width: 56, height: 3 })];
    case 'bar':
      return [shape({ x: 0, y: 0, width: 14, height: PAGE.height })];
    case 'corner':
      return [shape({ x: 0, y: 0, width: PAGE.width, height: 10 })];
  }
}

/** The sources and the number of a page; sources that have no room are returned. */
export function footer(
  { sources, number }: { readonly sources: readonly string[]; readonly number: number },
  { theme, fonts }: Sheet,
  colors: { readonly color: Color; readonly on: Color } = { color: theme.muted, on: theme.ground },
): { readonly elements: readonly TextElement[]; readonly unshown: readonly string[] } {
  const text = (line: string, box: Box, align: TextElement['align']): FittedText =>
    fitText(
      {
        ...{ paragraphs: [line], box, role: 'footer', on: colors.on, align, anchor: 'middle' },
        ...{ sizes: [FOOTER.size, FOOTER.size] },
        style: { face: theme.body, bold: false, color: colors.color },
      },
      fonts,
    );
  const { y, height } = FOOTER;
  const right = { x: PAGE.width - MARGIN - NUMBER_WIDTH, y, width: NUMBER_WIDTH, height };
  const left = { x: MARGIN, y, width: BODY.width - NUMBER_WIDTH - GAP, height };
  const page = text(String(number), right, 'right').element;
  for (let count = sources.length; count > 0; count -= 1) {
    const shown = text(sources.slice(0, count).join(' · '), left, 'left');
    if (shown.rest.length > 0 || shown.height > height) continue;
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
