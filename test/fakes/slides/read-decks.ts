import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Deck, type Slide, SlideTheme } from '#contract/slides.ts';
import { readGivenSlide } from '#main/slides/given/given-slide.ts';
import type { DeckPictures } from '#main/slides/types.ts';
import { pngOf } from '../png.ts';

/** A deck as a model would send it, written by somebody who had not seen how decks are read and laid out. */
export interface BlindDeck {
  readonly name: string;
  readonly language: string;
  readonly isHostile: boolean;
  readonly given: { readonly title: string; readonly theme: string; readonly slides: unknown[] };
}

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/slides/decks');

export function blindDecks(): BlindDeck[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const { language, hostile, deck } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
      return { name: file.slice(0, -5), language, isHostile: hostile, given: deck };
    });
}

/** The slides that can be read, and why the others cannot. */
export function readDeck({ given }: BlindDeck): { deck: Deck; problems: string[] } {
  const read = given.slides.map((slide, index) => readGivenSlide(slide, index));
  const slides = read.filter((slide): slide is Slide => !('problem' in slide));
  const problems = read.flatMap((slide) => ('problem' in slide ? [slide.problem] : []));
  const title = given.title.trim() === '' ? 'Untitled' : given.title;
  return { deck: Deck.parse({ title, theme: SlideTheme.parse(given.theme), slides }), problems };
}

/** The pictures that the decks name. */
export const DECK_PICTURES: DeckPictures = new Map(
  (
    [
      ['pictures/wide.png', 1_200, 675],
      ['pictures/tall.png', 600, 900],
    ] as const
  ).map(([file, width, height]) => [
    file,
    {
      bytes: pngOf(width, height, (x, y) => [x % 256, y % 256, 128]),
      mimeType: 'image/png' as const,
      width,
      height,
    },
  ]),
);
