import { readFileSync } from 'node:fs';
import type * as Fontkit from 'fontkit';
import { fontPieces } from '../reports/font-pieces.ts';
import { reportFonts } from '../reports/report-fonts.ts';
import { unpackWoff } from '../reports/woff.ts';
import { LineBreaking } from './break-lines.ts';
import type { FontFace, TextStyle } from './types.ts';

/** What measures and draws a font of Office: same widths, free licence (SIL Open Font License 1.1). */
const FAMILIES: Readonly<Record<FontFace, string>> = {
  Calibri: 'carlito',
  Cambria: 'caladea',
  Arial: 'arimo',
  Georgia: 'gelasio',
  Wide: 'arimo',
};
/** How much wider than their font letters count: Verdana, of those in use among the widest, is so much wider than Arial. */
const WIDER: Partial<Record<FontFace, number>> = { Wide: 1.17 };
/** For letters that the font of a text does not have, in this order. */
const FALLBACKS = ['noto-sans-arabic', 'noto-sans-sc', 'carlito', 'arimo', 'noto-emoji'];

type Weight = 400 | 700;
type Kit = typeof Fontkit;

/** A font file that is opened when a letter needs it. */
interface Candidate {
  readonly file: string;
  readonly covers: (code: number) => boolean;
}

/** An opened font file. */
export interface SlideFont {
  readonly file: string;
  readonly data: Buffer;
  readonly kit: Fontkit.Font;
}

/** A part of a line that one font draws. */
export interface FontRun {
  readonly text: string;
  /** Null where no font has its letters. */
  readonly font: SlideFont | null;
}

/** Letters without a width of their own: marks, joiners, direction marks, variation selectors. */
const WIDTHLESS = /^[\p{M}\p{Cf}]$/u;
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]$/u;

/**
 * Measures text as Office would: the fonts that it names are there as fonts of the same widths. Text is not kerned and
 * not shaped for this, which is never narrower.
 */
export class SlideFonts {
  readonly breaking = new LineBreaking(this);
  readonly #kit: Kit;
  readonly #candidates = new Map<string, readonly Candidate[]>();
  readonly #opened = new Map<string, SlideFont>();
  readonly #found = new Map<string, SlideFont | null>();
  readonly #widths = new Map<string, number>();

  constructor(kit: Kit) {
    this.#kit = kit;
  }

  /** The width of a line in points. */
  width(text: string, { face, size, bold }: Pick<TextStyle, 'face' | 'size' | 'bold'>): number {
    let sum = 0;
    for (const letter of text) sum += this.#widthOf(letter, face, bold);
    return sum * size * (WIDER[face] ?? 1);
  }

  /** The parts of a line, each with the font that draws it. */
  runs(text: string, { face, bold }: Pick<TextStyle, 'face' | 'bold'>): FontRun[] {
    const runs: { text: string; font: SlideFont | null }[] = [];
    for (const letter of text) {
      const last = runs.at(-1);
      // Marks stay with the letters before them.
      const stays = last !== undefined && WIDTHLESS.test(letter);
      const font = stays ? last.font : this.fontFor(letter, face, bold);
      if (last !== undefined && last.font === font) last.text += letter;
      else runs.push({ text: letter, font });
    }
    return runs;
  }

  /** The font that has this letter; null where none has. */
  fontFor(letter: string, face: FontFace, bold: boolean): SlideFont | null {
    const code = letter.codePointAt(0) ?? 0;
    const key = `${face} ${bold} ${code}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#find(code, face, bold ? 700 : 400);
    this.#found.set(key, found);
    return found;
  }

  /** Whether some font has it. Letters without a width need none. */
  has(letter: string): boolean {
    return (
      WIDTHLESS.test(letter) || /\s/.test(letter) || this.fontFor(letter, 'Calibri', false) !== null
    );
  }

  /** How far the letters of a face reach above and below the baseline, for a size of 1. */
  reach(face: FontFace): { readonly above: number; readonly below: number } {
    const { ascent, descent, unitsPerEm } = this.#open(this.#first(face)).kit;
    return { above: ascent / unitsPerEm, below: -descent / unitsPerEm };
  }

  #first(face: FontFace): string {
    const file = this.#pieces(FAMILIES[face], 400).find(({ covers }) => covers(0x41))?.file;
    if (file === undefined) throw new Error(`The font of ${face} is missing`);
    return file;
  }

  #widthOf(letter: string, face: FontFace, bold: boolean): number {
    const key = `${face}${bold ? '*' : ' '}${letter}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    const width = this.#measure(letter, face, bold);
    this.#widths.set(key, width);
    return width;
  }

  #measure(letter: string, face: FontFace, bold: boolean): number {
    if (WIDTHLESS.test(letter)) return 0;
    const font = this.fontFor(letter, face, bold);
    if (font === null) return WIDE.test(letter) ? 1 : 0.6;
    const { kit } = font;
    const width = kit.glyphForCodePoint(letter.codePointAt(0) ?? 0).advanceWidth / kit.unitsPerEm;
    // Fonts for emoji differ: the widest counts.
    return font.file.includes('emoji') ? Math.max(width, 1.37) : width;
  }

  #find(code: number, face: FontFace, weight: Weight): SlideFont | null {
    const families = [FAMILIES[face], ...FALLBACKS];
    for (const family of families) {
      const found = this.#inPieces(this.#pieces(family, weight), code);
      if (found !== null) return found;
    }
    return this.#inPieces(this.#systemFonts(), code);
  }

  #inPieces(pieces: readonly Candidate[], code: number): SlideFont | null {
    for (const { file, covers } of pieces) {
      if (!covers(code)) continue;
      const font = this.#open(file);
      if (font.kit.hasGlyphForCodePoint(code)) return font;
    }
    return null;
  }

  #pieces(family: string, weight: Weight): readonly Candidate[] {
    const key = `${family} ${weight}`;
    let pieces = this.#candidates.get(key);
    if (pieces === undefined) {
      const own = fontPieces(family, weight);
      pieces = own.length > 0 ? own : fontPieces(family, 400);
      this.#candidates.set(key, pieces);
    }
    return pieces;
  }

  /** Collections of several fonts are left out. */
  #systemFonts(): readonly Candidate[] {
    let fonts = this.#candidates.get('system');
    if (fonts === undefined) {
      const own = /@fontsource/;
      fonts = reportFonts()
        .filter(({ file, name }) => name === undefined && !own.test(file) && !/\.ttc$/i.test(file))
        .map(({ file }) => ({ file, covers: () => true }));
      this.#candidates.set('system', fonts);
    }
    return fonts;
  }

  #open(file: string): SlideFont {
    const known = this.#opened.get(file);
    if (known !== undefined) return known;
    const data = unpackWoff(readFileSync(file));
    const opened = this.#kit.create(data);
    if ('fonts' in opened) throw new Error(`${file} is a collection of fonts`);
    const font = { file, data, kit: opened as Fontkit.Font };
    this.#opened.set(file, font);
    return font;
  }
}

/** Opens no font yet. */
export async function loadSlideFonts(): Promise<SlideFonts> {
  return new SlideFonts(await import('fontkit'));
}
