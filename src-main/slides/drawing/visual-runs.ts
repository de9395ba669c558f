import type createBidi from 'bidi-js';
import type { SlideFont, SlideFonts } from '../fonts.ts';
import type { TextMark } from './marks.ts';

type Bidi = ReturnType<typeof createBidi>;

/** A part of a line in one font and one direction. Its letters are in reading order: the font sets them. */
export interface VisualRun {
  readonly text: string;
  readonly font: SlideFont;
}

/** Drawn for a letter that no font has. */
const MISSING = '□';

/** Orders the parts of lines as they stand on the page, from left to right (Unicode, UAX #9). */
export class VisualRuns {
  readonly #bidi: Bidi;
  readonly #fonts: SlideFonts;

  constructor(bidi: Bidi, fonts: SlideFonts) {
    this.#bidi = bidi;
    this.#fonts = fonts;
  }

  static async load(fonts: SlideFonts): Promise<VisualRuns> {
    const { default: create } = await import('bidi-js');
    return new VisualRuns(create(), fonts);
  }

  of({ text, style, isRightToLeft }: TextMark): VisualRun[] {
    const { levels } = this.#bidi.getEmbeddingLevels(text, isRightToLeft ? 'rtl' : 'ltr');
    const parts: { text: string; level: number; font: SlideFont | null }[] = [];
    let at = 0;
    for (const run of this.#fonts.runs(text, style)) {
      for (const letter of run.text) {
        const level = levels[at] ?? 0;
        at += letter.length;
        const last = parts.at(-1);
        if (last?.level === level && last.font === run.font) last.text += letter;
        else parts.push({ text: letter, level, font: run.font });
      }
    }
    const other = this.#fonts.fontFor('A', style.face, style.bold);
    return inVisualOrder(parts).flatMap(({ text: part, font }) => {
      if (font !== null) return [{ text: part, font }];
      return other === null ? [] : [{ text: part.replace(/\S/gu, MISSING), font: other }];
    });
  }
}

/** Rule L2: from the highest level down, each sequence of at least that level is reversed. */
function inVisualOrder<Part extends { readonly level: number }>(parts: readonly Part[]): Part[] {
  let order = [...parts];
  for (let level = Math.max(0, ...parts.map((part) => part.level)); level > 0; level -= 1) {
    const next: Part[] = [];
    let sequence: Part[] = [];
    for (const part of order) {
      if (part.level >= level) {
        sequence.unshift(part);
      } else {
        next.push(...sequence, part);
        sequence = [];
      }
    }
    order = [...next, ...sequence];
  }
  return order;
}
