import LineBreaker from 'linebreak';
import type { SlideFonts } from './fonts.ts';
import type { TextStyle } from './types.ts';

/** Other programs break lines a little earlier or later than we measure. */
const SAFETY = 0.98;

type Measured = Pick<TextStyle, 'face' | 'size' | 'bold'>;

/** A part of a text up to a place where a line may end; widths for a size of 1. */
interface Piece {
  readonly text: string;
  readonly width: number;
  /** Without the spaces at its end. */
  readonly inkWidth: number;
  /** A line must end after it. */
  readonly isForced: boolean;
}

/** Texts whose pieces are kept: a text is set in many sizes and widths. */
const KEPT_TEXTS = 5_000;

/** Breaks paragraphs into lines. */
export class LineBreaking {
  readonly #fonts: SlideFonts;
  readonly #pieces = new Map<string, readonly Piece[]>();

  constructor(fonts: SlideFonts) {
    this.#fonts = fonts;
  }

  /**
   * The lines that a paragraph takes in this width (points), broken where Unicode allows it (UAX #14), in a long word
   * anywhere. Spaces at the end of a line are gone. Empty text is one empty line.
   */
  lines(text: string, width: number, style: Measured): string[] {
    const room = (width * SAFETY) / style.size;
    const lines: string[] = [];
    let line = '';
    let used = 0;
    const endLine = (): void => {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    };
    for (const piece of this.#piecesOf(text, style)) {
      if (line !== '' && used + piece.inkWidth > room) endLine();
      if (piece.inkWidth <= room) {
        line += piece.text;
        used += piece.width;
      } else {
        for (const { segment } of SEGMENTER.segment(piece.text)) {
          const wide = this.#fonts.width(segment, { ...style, size: 1 });
          if (line !== '' && used + wide > room) endLine();
          line += segment;
          used += wide;
        }
      }
      if (piece.isForced) endLine();
    }
    if (line !== '' || lines.length === 0) endLine();
    return lines;
  }

  #piecesOf(text: string, { face, bold }: Measured): readonly Piece[] {
    const key = `${face} ${bold} ${text}`;
    const known = this.#pieces.get(key);
    if (known !== undefined) return known;
    if (this.#pieces.size >= KEPT_TEXTS) this.#pieces.clear();
    const style = { face, bold, size: 1 };
    const pieces: Piece[] = [];
    const breaker = new LineBreaker(text);
    let from = 0;
    for (let at = breaker.nextBreak(); at !== null; at = breaker.nextBreak()) {
      const own = text.slice(from, at.position).replace(/[\r\n]+$/, '');
      from = at.position;
      pieces.push({
        text: own,
        width: this.#fonts.width(own, style),
        inkWidth: this.#fonts.width(own.trimEnd(), style),
        isForced: at.required && from < text.length,
      });
    }
    this.#pieces.set(key, pieces);
    return pieces;
  }
}

/** What a reader takes for one letter: a line never ends inside of it. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Whether a text begins with letters that are written from right to left. */
export function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0];
  return (
    first !== undefined && /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u.test(first)
  );
}
