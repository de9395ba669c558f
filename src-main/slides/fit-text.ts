import { isRightToLeft } from './break-lines.ts';
import type { SlideFonts } from './fonts.ts';
import type { Box, Paragraph, TextElement, TextStyle } from './types.ts';

/** Text that is to go into a box. */
export interface WantedText {
  readonly paragraphs: readonly string[];
  readonly box: Box;
  readonly role: TextElement['role'];
  readonly style: Omit<TextStyle, 'size'>;
  /** The color behind it. */
  readonly on: string;
  /** Points: the size that looks best, and the smallest that is taken. */
  readonly sizes: readonly [best: number, smallest: number];
  readonly bullet?: 'dot' | 'number';
  /** The number of the first paragraph of a numbered list. */
  readonly firstNumber?: number;
  readonly align?: TextElement['align'];
  readonly anchor?: TextElement['anchor'];
}

export interface FittedText {
  readonly element: TextElement;
  /** Height of its lines in points. */
  readonly height: number;
  /** The paragraphs that did not fit; the first may be the rest of one. */
  readonly rest: readonly string[];
}

const LINE = 1.2;
const BULLET_GAP = 0.55;
const PARAGRAPH_GAP = 0.4;
/** Width of a bullet's indent, for a size of 1. */
const INDENT = 1.1;
/** A text is cut at the end of a sentence when that is in this last part of what fits. */
const SENTENCE_SHARE = 0.5;

/**
 * Fits text into its box: in the largest of the sizes in which all of it fits, else as much as fits in the smallest.
 * Nothing is lost: what does not fit is the rest.
 */
export function fitText(wanted: WantedText, fonts: SlideFonts): FittedText {
  const [best, smallest] = wanted.sizes;
  for (let size = best; size >= smallest; size -= 1) {
    const set = setText(wanted, size, fonts);
    if (set.height <= wanted.box.height) return { ...set, rest: [] };
  }
  return fitPart(wanted, fonts);
}

/** The height of this text in this size, in points. */
export function textHeight(wanted: WantedText, size: number, fonts: SlideFonts): number {
  return setText(wanted, size, fonts).height;
}

function setText(
  wanted: WantedText,
  size: number,
  fonts: SlideFonts,
): { element: TextElement; height: number } {
  const { box, role, on, align = 'left', anchor = 'top', bullet, firstNumber = 1 } = wanted;
  const style = { ...wanted.style, size };
  const indent = bullet === undefined ? 0 : Math.round(size * INDENT * 10) / 10;
  const lineHeight = Math.round(size * LINE * 10) / 10;
  const paragraphGap =
    Math.round(size * (bullet === undefined ? PARAGRAPH_GAP : BULLET_GAP) * 10) / 10;
  const paragraphs = wanted.paragraphs.map(
    (text, index): Paragraph => ({
      text,
      bullet: bullet === 'number' ? firstNumber + index : (bullet ?? null),
      lines: fonts.breaking.lines(text, box.width - indent, style),
      isRightToLeft: isRightToLeft(text),
    }),
  );
  const element: TextElement = {
    ...{ kind: 'text', role, box, style, paragraphs, align, anchor, lineHeight },
    ...{ paragraphGap, indent, on },
  };
  return { element, height: heightOf(element) };
}

/** The height of an element's lines in points. */
export function heightOf({ paragraphs, lineHeight, paragraphGap }: TextElement): number {
  const lines = paragraphs.reduce((sum, { lines: own }) => sum + own.length, 0);
  return lines * lineHeight + Math.max(0, paragraphs.length - 1) * paragraphGap;
}

function fitPart(wanted: WantedText, fonts: SlideFonts): FittedText {
  const [, smallest] = wanted.sizes;
  const { paragraphs, box } = wanted;
  const whole = setText(wanted, smallest, fonts).element;
  const part = (count: number): TextElement => ({
    ...whole,
    paragraphs: whole.paragraphs.slice(0, count),
  });
  let count = 0;
  while (count < paragraphs.length && heightOf(part(count + 1)) <= box.height) count += 1;
  if (count > 0) {
    const element = part(count);
    return { element, height: heightOf(element), rest: paragraphs.slice(count) };
  }
  const [first = '', ...others] = paragraphs;
  const lines = whole.paragraphs[0]?.lines ?? [];
  const room = Math.max(1, Math.floor(box.height / whole.lineHeight));
  if (lines.length <= room) {
    // Not even one line fits: it is set all the same, and the check reports it.
    const element = part(1);
    return { element, height: heightOf(element), rest: others };
  }
  const [kept, rest] = cutText(first, lines.slice(0, room).join(' '));
  const set = setText({ ...wanted, paragraphs: [kept] }, smallest, fonts);
  return { ...set, rest: [rest, ...others] };
}

/** Cuts a text after these lines of it, where a sentence ends if one does. */
function cutText(text: string, lines: string): [kept: string, rest: string] {
  // Lines have lost the spaces at their ends: letters are counted.
  let left = [...lines].filter((letter) => !/\s/.test(letter)).length;
  let at = 0;
  for (const letter of text) {
    if (left === 0) break;
    at += letter.length;
    if (!/\s/.test(letter)) left -= 1;
  }
  const part = text.slice(0, at);
  const sentence = /^[\s\S]*[.!?。！？…؟](?=\s|[\u3000-\u9fff]|$)/.exec(part)?.[0] ?? '';
  const end = sentence.length >= part.length * SENTENCE_SHARE ? sentence.length : at;
  return [text.slice(0, end).trimEnd(), text.slice(end).trimStart()];
}
