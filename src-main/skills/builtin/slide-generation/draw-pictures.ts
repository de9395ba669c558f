import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import type { JsonObject, SkillContext } from '../../types.ts';
import { wishForPictures } from './picture-words.ts';
import type { Drawing, GivenSlide } from './types.ts';

/** Pictures of one presentation: without a graphics card, each takes many minutes. */
export const MOST_DRAWN = 4;
/** Of the room beside the points, and of the whole slide: about a million pixels, which image models draw best. */
const BESIDE = { width: 1_152, height: 960 };
const WHOLE = { width: 1_344, height: 768 };

const Drawn = z.object({ images: z.array(z.object({ path: z.string().min(1) })).min(1) });

const PROBLEM_CHARS = 400;

/** Slides with their pictures, and what was not drawn, and why. */
export interface Illustrated {
  readonly slides: readonly GivenSlide[];
  /** Paths of the pictures that were drawn. */
  readonly pictures: readonly string[];
  readonly notes: readonly string[];
}

/** Whether pictures are to be drawn, by the parameter `pictures`, and by the request where that leaves it open. */
export async function willDraw(
  { pictures, request }: JsonObject,
  context: SkillContext,
): Promise<{ readonly draws: boolean; readonly notes: readonly string[] }> {
  const wish = pictures === 'auto' ? wishForPictures(String(request)) : pictures;
  if (wish === 'none') return { draws: false, notes: [] };
  const isWanted = wish === 'draw';
  const without = (why: string) => ({
    draws: false,
    notes: isWanted ? [`No pictures were drawn. ${why}`] : [],
  });
  if (!context.tools.has('generate_image')) return without('The tool generate_image is off.');
  const place = await context.once('place of pictures', () => context.services.images.place());
  // An outline for pictures that never come would be worse than one without.
  if (place.where === 'nowhere') return without(place.why);
  // Only who asks for pictures is asked whether their descriptions may leave this computer.
  return { draws: isWanted || place.where === 'here', notes: [] };
}

/**
 * Draws the pictures of the slides that want one. A slide whose picture could not be drawn is shown without: what hinders one
 * would hinder the next ones too, so they are not tried.
 */
export async function drawPictures(
  slides: readonly GivenSlide[],
  drawings: readonly (Drawing | null)[],
  context: SkillContext,
): Promise<Illustrated> {
  const illustrated: GivenSlide[] = [];
  const pictures: string[] = [];
  const without: number[] = [];
  let problem: string | null = null;
  for (const [index, slide] of slides.entries()) {
    const drawing = drawings[index] ?? null;
    if (drawing === null) {
      illustrated.push(slide);
      continue;
    }
    if (problem === null) {
      context.progress(`Drawing the picture of slide ${index + 1}: ${slide.title}`);
      const size = Array.isArray(slide.items) && slide.items.length > 0 ? BESIDE : WHOLE;
      const call = { ...drawing, ...size };
      const { ok, content, data } = await context.tools.call('generate_image', call);
      const path = ok ? safeParse(Drawn, data).data?.images[0]?.path : undefined;
      if (path !== undefined) {
        pictures.push(path);
        illustrated.push({ ...slide, image: path, alt: drawing.alt });
        continue;
      }
      problem = content.replace(/\s+/g, ' ').trim().slice(0, PROBLEM_CHARS);
    }
    without.push(index + 1);
    illustrated.push(withoutPicture(slide));
  }
  const which =
    without.length === 1 ? `Slide ${without[0]} has` : `Slides ${without.join(', ')} have`;
  const notes = problem === null ? [] : [`${which} no picture: ${problem}`];
  return { slides: illustrated, pictures, notes };
}

/** The same words in a layout that needs no picture. */
function withoutPicture({ image: _image, alt: _alt, ...slide }: GivenSlide): GivenSlide {
  const { items } = slide;
  const hasItems = Array.isArray(items) && items.length > 0;
  return { ...slide, layout: hasItems ? 'bullets' : 'section' };
}
