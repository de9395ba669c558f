import type { SlideTheme } from '#contract/slides.ts';
import { type PageTheme, THEMES, type Theme } from './themes.ts';
import {
  type Box,
  type Color,
  type Element,
  PAGE,
  type PageLayout,
  type ShapeElement,
  type Size,
  type TextElement,
} from './types.ts';

/** Where a text stands, and in which colors. */
export interface Place {
  readonly box: Box;
  readonly color: Color;
  /** What is behind it. */
  readonly on: Color;
  readonly align: TextElement['align'];
  readonly anchor: TextElement['anchor'];
}

/** A place for titles, with the size that looks best and the smallest, in points. */
export interface TitlePlace extends Place {
  readonly sizes: readonly [best: number, smallest: number];
}

/** What pages of a kind have in common. */
export interface Frame {
  readonly ground: Color;
  /** Below everything else of the page. */
  readonly decoration: readonly Element[];
  readonly title: TitlePlace;
  /** Of covers: the text that goes with the title. */
  readonly body: Place;
  readonly sources: Place;
  readonly number: Place;
  /** Of a template. */
  readonly layout?: PageLayout;
}

/** `list` is for pages with one list, `content` for all others that are no covers. */
export type FrameKind = 'title' | 'section' | 'closing' | 'list' | 'content';

/** How a presentation looks. */
export interface Look {
  readonly theme: PageTheme;
  readonly size: Size;
  readonly frames: Readonly<Record<FrameKind, Frame>>;
}

const MARGIN = 56;
const TITLE: Box = { x: MARGIN, y: 30, width: PAGE.width - 2 * MARGIN, height: 76 };
const BODY: Box = { x: MARGIN, y: 130, width: PAGE.width - 2 * MARGIN, height: 354 };
const COVER_TITLE: Box = { x: 88, y: 96, width: 760, height: 190 };
const COVER_BODY: Box = { x: 88, y: 316, width: 760, height: 140 };
const FOOTER = { y: 502, height: 16 } as const;
const NUMBER_WIDTH = 60;
const NUMBER: Box = { ...FOOTER, x: PAGE.width - MARGIN - NUMBER_WIDTH, width: NUMBER_WIDTH };
const SOURCES: Box = { ...FOOTER, x: MARGIN, width: BODY.width - NUMBER_WIDTH - 20 };

/** One of the looks that come with the app. */
export function ownLook(name: SlideTheme): Look {
  const theme = THEMES[name];
  const { ground, text, muted } = theme;
  const place = (box: Box, color: Color, on: Color): Place => ({
    ...{ box, color, on, align: 'left', anchor: 'top' },
  });
  const footer = (color: Color, on: Color): Pick<Frame, 'sources' | 'number'> => ({
    sources: { ...place(SOURCES, color, on), anchor: 'middle' },
    number: { ...place(NUMBER, color, on), anchor: 'middle', align: 'right' },
  });
  const content: Frame = {
    ...{ ground, decoration: pageMarks(theme) },
    title: { ...place(TITLE, text, ground), anchor: 'bottom', sizes: [32, 20] },
    ...{ body: place(BODY, text, ground), ...footer(muted, ground) },
  };
  const cover = (sizes: TitlePlace['sizes']): Frame => {
    const { ground: on, text: color, muted: below, mark } = theme.cover;
    return {
      ...{ ground: on, decoration: coverMarks(theme.style, mark) },
      title: { ...place(COVER_TITLE, color, on), anchor: 'bottom', sizes },
      ...{ body: place(COVER_BODY, below, on), ...footer(below, on) },
    };
  };
  const section = cover([42, 26]);
  const frames = { title: cover([50, 28]), section, closing: section, list: content, content };
  return { theme, size: PAGE, frames };
}

const rectangle = (box: Box, fill: Color): ShapeElement => ({
  ...{ kind: 'shape', shape: 'rectangle', box, fill },
});

function pageMarks({ style, accent }: Theme): ShapeElement[] {
  switch (style) {
    case 'rule':
      return [rectangle({ x: MARGIN, y: 112, width: 56, height: 3 }, accent)];
    case 'bar':
      return [rectangle({ x: 0, y: 0, width: 14, height: PAGE.height }, accent)];
    case 'corner':
      return [rectangle({ x: 0, y: 0, width: PAGE.width, height: 10 }, accent)];
  }
}

function coverMarks(style: Theme['style'], fill: Color): ShapeElement[] {
  const rule = rectangle({ x: 88, y: 298, width: 72, height: 4 }, fill);
  switch (style) {
    case 'rule':
      return [rule];
    case 'bar':
      return [rectangle({ x: 0, y: 0, width: 28, height: PAGE.height }, fill), rule];
    case 'corner': {
      const height = MARGIN / 2;
      return [rectangle({ x: 0, y: PAGE.height - height, width: PAGE.width, height }, fill), rule];
    }
  }
}
