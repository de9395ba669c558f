import type { SlideChart } from '#contract/slides.ts';
import type { Mark } from './drawing/marks.ts';

/** Points, 72 to an inch. A page is 960 × 540: 13⅓ × 7½ inches, what PowerPoint calls widescreen. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const PAGE = { width: 960, height: 540 } as const;

/** Of pages: those of templates are as wide as ours, and may be higher. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Fonts of Office. Each is measured and drawn by a font of the same widths that ships with the app. `Wide` stands for fonts of
 * templates that are not known: measured wider than most are, and drawn as Arial.
 */
export type FontFace = 'Calibri' | 'Cambria' | 'Arial' | 'Georgia' | 'Wide';

/** `RRGGBB`. */
export type Color = string;

export interface TextStyle {
  /** What it is measured and drawn with. */
  readonly face: FontFace;
  /** How the file names its font; the face unless given. */
  readonly typeface?: string;
  /** Points. */
  readonly size: number;
  readonly bold: boolean;
  readonly color: Color;
}

/** A paragraph with the lines that it takes in its box. */
export interface Paragraph {
  readonly text: string;
  /** A bullet, or the number of a list, hangs in the indent. */
  readonly bullet: 'dot' | number | null;
  readonly lines: readonly string[];
  readonly isRightToLeft: boolean;
}

export type TextRole = 'title' | 'subtitle' | 'body' | 'label' | 'number' | 'footer';

/** Text that was fitted into its box: the lines are those that its words take there. */
export interface TextElement {
  readonly kind: 'text';
  readonly role: TextRole;
  readonly box: Box;
  readonly style: TextStyle;
  readonly paragraphs: readonly Paragraph[];
  readonly align: 'left' | 'center' | 'right';
  readonly anchor: 'top' | 'middle' | 'bottom';
  /** Points from one baseline to the next, and points between paragraphs. */
  readonly lineHeight: number;
  readonly paragraphGap: number;
  /** Points by which lines of paragraphs with bullets are indented. */
  readonly indent: number;
  /** The color behind it. */
  readonly on: Color;
}

/** Of rounded corners, in points. */
export const CORNER_RADIUS = 8;

/** Decoration: says nothing by itself. */
export interface ShapeElement {
  readonly kind: 'shape';
  readonly shape: 'rectangle' | 'rounded' | 'ellipse';
  readonly box: Box;
  readonly fill: Color;
}

export interface PictureElement {
  readonly kind: 'picture';
  /** Where it is drawn, in its own proportions. */
  readonly box: Box;
  /** The path of the slot; `pictures` of the job has its bytes. */
  readonly path: string;
  readonly alt: string;
}

export interface TableCell {
  readonly lines: readonly string[];
  readonly text: string;
  readonly align: 'left' | 'right';
}

export interface TableElement {
  readonly kind: 'table';
  readonly box: Box;
  /** Points. */
  readonly columnWidths: readonly number[];
  /** The first is the header. */
  readonly rows: readonly { readonly height: number; readonly cells: readonly TableCell[] }[];
  readonly style: TextStyle;
  readonly lineHeight: number;
  /** Points between the border of a cell and its text. */
  readonly padding: number;
  readonly headerFill: Color;
  readonly headerColor: Color;
  readonly stripeFill: Color;
  readonly borderColor: Color;
  readonly on: Color;
}

export interface ChartElement {
  readonly kind: 'chart';
  readonly box: Box;
  readonly chart: SlideChart;
  /** One for each series; for `pie` and `doughnut` one for each category. */
  readonly colors: readonly Color[];
  /** Of titles, labels and the legend. */
  readonly style: TextStyle;
  readonly gridColor: Color;
  readonly on: Color;
  /** Describes the chart in words. */
  readonly alt: string;
}

export type Element = TextElement | ShapeElement | PictureElement | TableElement | ChartElement;

/** The layout of a template that a page is on. It draws itself in the presentation; previews draw `behind`. */
export interface PageLayout {
  /** Its place in the template, from 0. */
  readonly index: number;
  readonly title: 'title' | 'ctrTitle';
  /** The placeholder that the text of the page goes into; null for none. */
  readonly body: { readonly type: string; readonly idx: string | null } | null;
  readonly behind: readonly Mark[];
}

/** A page, ready to be drawn or written. Later elements lie over earlier ones; text is in reading order. */
export interface Page {
  /** The slide of the deck, from 0. */
  readonly slide: number;
  readonly title: string;
  readonly background: Color;
  readonly elements: readonly Element[];
  readonly notes: string;
  /** Without one, the page is as `PAGE` and draws everything itself. */
  readonly size?: Size;
  readonly layout?: PageLayout;
}

export interface LaidOutDeck {
  readonly title: string;
  /** BCP 47: `en`, `zh-CN`, `ar`. */
  readonly language: string;
  readonly isRightToLeft: boolean;
  readonly pages: readonly Page[];
}

/** A decoded picture. */
export interface DeckPicture {
  readonly bytes: Uint8Array;
  readonly mimeType: 'image/png' | 'image/jpeg';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export type DeckPictures = ReadonlyMap<string, DeckPicture>;
