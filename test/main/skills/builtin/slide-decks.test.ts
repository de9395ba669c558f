import { afterAll, describe, expect, it } from 'vitest';
import { PictureDecoder } from '#main/pictures/picture-decoder.ts';
import { PictureStore } from '#main/pictures/picture-store.ts';
import type { JsonObject } from '#main/skills/types.ts';
import { SlideService } from '#main/slides/slide-service.ts';
import { makeSlides, SLOTS, type SlideRequest } from '../../../fakes/slide-skill-host.ts';
import { type BlindDeck, blindDecks, DECK_PICTURES } from '../../../fakes/slides/read-decks.ts';
import { sample } from '../../../setup/sampling.ts';
import { temporaryDir } from '../../storage/support.ts';

/** The whole skill, over presentations as files, with the words of decks that others wrote. */

const decoder = new PictureDecoder(process.cwd());
afterAll(() => decoder[Symbol.asyncDispose]());
const files = Object.fromEntries(
  [...DECK_PICTURES].map(([path, { bytes }]) => [path, Buffer.from(bytes)]),
);

/** What a model would answer that has this deck in mind, and writes something short where it is asked to repair. */
function modelOf({ given }: BlindDeck): (request: SlideRequest) => unknown {
  const slides = given.slides as readonly JsonObject[];
  const written = new Set<number>();
  return ({ kind, number, layout, isRepair }) => {
    if (kind === 'queries') return { queries: [] };
    if (kind === 'outline') {
      const planned = slides.map(({ layout: wished, title }, at) => ({
        ...{ layout: wished, points: [] },
        title: isRepair ? `Part ${at + 1}` : title,
      }));
      return { title: given.title, theme: given.theme, slides: planned };
    }
    const slide = slides.find((one) => one.layout === layout && !written.has(slides.indexOf(one)));
    if (slide === undefined || written.has(-number)) {
      const short = { ...SLOTS[layout as keyof typeof SLOTS], y_title: 'Bees' };
      return { ...short, title: `What to know, part ${number}`, notes: '', sources: [] };
    }
    written.add(slides.indexOf(slide)).add(-number);
    const { chart, ...rest } = slide;
    return { ...rest, ...(chart as JsonObject), sources: [] };
  };
}

describe('40 outlines by others', () => {
  it.each(sample(blindDecks(), { name: 'decks by the skill', size: 8 }))(
    '$name: the presentation is made, and its check finds nothing at the end',
    async (blind) => {
      await using maker = new SlideService(
        process.cwd(),
        new PictureStore(temporaryDir(), decoder),
      );
      const { output, error } = await makeSlides({ files, maker, answer: modelOf(blind) });
      expect(error).toBeNull();
      expect(output.findings).toEqual([]);
      expect(output.download_url).toContain('.pptx');
    },
  );
});
