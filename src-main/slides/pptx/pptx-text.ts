import type PptxGenJS from 'pptxgenjs';
import type { Box, Page, Paragraph, TextElement } from '../types.ts';
import { cleanParagraph, cleanText } from './xml-text.ts';

/** The language of the texts, and the fonts for letters that the fonts of the slides lack. */
export interface Writing {
  /** As Office writes it: language and region. */
  readonly language: string;
  readonly eastAsian: string;
  readonly complex: string;
}

const EAST_ASIAN: Readonly<Record<string, string>> = {
  Hant: 'Microsoft JhengHei',
  Jpan: 'Yu Gothic',
  Kore: 'Malgun Gothic',
};

/** `language` is BCP 47; one that cannot be read counts as English. */
export function writingOf(language: string): Writing {
  const { language: main, script = '', region = 'US' } = localeOf(language).maximize();
  return {
    language: `${main}-${region}`,
    eastAsian: EAST_ASIAN[script] ?? 'Microsoft YaHei',
    complex: 'Arial',
  };
}

function localeOf(language: string): Intl.Locale {
  try {
    return new Intl.Locale(language);
  } catch {
    // Not a language tag.
    return new Intl.Locale('en-US');
  }
}

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A box in inches, the unit of pptxgenjs. */
export function inches({ x, y, width, height }: Box): Place {
  return { x: x / 72, y: y / 72, w: width / 72, h: height / 72 };
}

/** The name of the one placeholder of a layout. */
export const TITLE_PLACEHOLDER = 'title';

/** A text box; with `isTitle`, the title of the slide. */
export function addText(
  slide: PptxGenJS.Slide,
  element: TextElement,
  { name, writing, isTitle }: { name: string; writing: Writing; isTitle: boolean },
): void {
  slide.addText(runsOf(element, writing), {
    ...inches(element.box),
    ...frameOf(element),
    objectName: name,
    lang: writing.language,
    ...(isTitle ? { placeholder: TITLE_PLACEHOLDER } : { isTextBox: true }),
  });
}

/** What a box of text and the placeholder of a layout have in common. */
export function frameOf({ style, align, anchor, lineHeight }: TextElement): {
  margin: number;
  wrap: boolean;
  fit: 'none';
  align: TextElement['align'];
  valign: TextElement['anchor'];
  fontFace: string;
  fontSize: number;
  bold: boolean;
  color: string;
  lineSpacing: number;
} {
  return {
    margin: 0,
    wrap: true,
    fit: 'none',
    align,
    valign: anchor,
    fontFace: style.typeface ?? style.face,
    fontSize: style.size,
    bold: style.bold,
    color: style.color,
    lineSpacing: lineHeight,
  };
}

/** A run for each paragraph: PowerPoint breaks the lines. */
function runsOf(element: TextElement, { language }: Writing): PptxGenJS.TextProps[] {
  const { style, align, lineHeight, paragraphGap, indent, paragraphs } = element;
  return paragraphs.map((paragraph, at) => ({
    text: cleanParagraph(paragraph.text),
    options: {
      breakLine: at < paragraphs.length - 1,
      bullet: bulletOf(paragraphs, at, indent),
      rtlMode: paragraph.isRightToLeft,
      align,
      lineSpacing: lineHeight,
      ...(at > 0 ? { paraSpaceBefore: paragraphGap } : {}),
      fontFace: style.typeface ?? style.face,
      fontSize: style.size,
      bold: style.bold,
      color: style.color,
      lang: language,
    },
  }));
}

function bulletOf(
  paragraphs: readonly Paragraph[],
  at: number,
  indent: number,
): NonNullable<PptxGenJS.TextPropsOptions['bullet']> {
  const bullet = paragraphs[at]?.bullet ?? null;
  if (bullet === null) return false;
  if (bullet === 'dot') return { indent };
  return { type: 'number', indent, numberStartAt: startOf(paragraphs, at) };
}

/**
 * The number at which the list of this paragraph begins. All paragraphs of a list name the same one, so that PowerPoint
 * counts, and goes on counting when a paragraph is added.
 */
function startOf(paragraphs: readonly Paragraph[], at: number): number {
  let first = at;
  for (;;) {
    const own = paragraphs[first]?.bullet;
    const before = paragraphs[first - 1]?.bullet;
    if (typeof own !== 'number') return 1;
    if (before !== own - 1) return own;
    first -= 1;
  }
}

/** Whether there is anything to read in it. */
export function hasText({ paragraphs }: TextElement): boolean {
  return paragraphs.some(({ text }) => cleanText(text).trim() !== '');
}

/** Above the page, where PowerPoint itself puts titles that are only for outlines and screen readers. */
const ABOVE: Box = { x: 56, y: -60, width: 848, height: 40 };

/** The title of a page: its first title with text, or one that is not on the page. */
export function titleOf(page: Page, otherwise: string): TextElement {
  const shown = page.elements.find(
    (element): element is TextElement =>
      element.kind === 'text' && element.role === 'title' && hasText(element),
  );
  if (shown !== undefined) return shown;
  const texts = [page.title, otherwise];
  const text = texts.find((one) => cleanText(one).trim() !== '') ?? '';
  return {
    ...{ kind: 'text', role: 'title', box: ABOVE, align: 'left', anchor: 'top' },
    style: { face: 'Calibri', size: 20, bold: false, color: '000000' },
    paragraphs: [{ text, bullet: null, lines: [text], isRightToLeft: false }],
    ...{ lineHeight: 24, paragraphGap: 0, indent: 0, on: page.background },
  };
}
