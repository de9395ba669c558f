import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import type { JsonObject, SkillContext } from '../../types.ts';
import type { Drawing, GivenSlide } from './types.ts';

/** Pictures of one presentation: without a graphics card, each takes many minutes. */
export const MOST_DRAWN = 4;
/** Of the room beside the points, and of the whole slide: about a million pixels, which image models draw best. */
const BESIDE = { width: 1_152, height: 960 };
const WHOLE = { width: 1_344, height: 768 };

const Drawn = z.object({ images: z.array(z.object({ path: z.string().min(1) })).min(1) });

const WANTED =
  /\b(?:pictures?|images?|photos?|illustrat(?:ed|ions?)|bild(?:er|ern)?|fotos?|illustrationen|photographies|im[aá]genes)\b|图片|插图|配图|圖片|صور/iu;
const UNWANTED =
  /\b(?:no|without|ohne|keine|sans|sin)\s+(?:any\s+)?(?:pictures?|images?|photos?|illustrations?|bilder|fotos?|photographies|im[aá]genes)\b|(?:不要|没有|无|不需要)(?:任何)?(?:图片|插图|配图)|بدون صور/iu;

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
  const words = String(request);
  const isUnwanted = pictures === 'auto' && UNWANTED.test(words);
  if (pictures === 'none' || isUnwanted) return { draws: false, notes: [] };
  // Only who asks for pictures is asked whether a service may have their descriptions.
  const isWanted = pictures === 'draw' || WANTED.test(words);
  if (!context.tools.has('generate_image')) {
    const notes = isWanted ? ['No pictures were drawn: generate_image is off here.'] : [];
    return { draws: false, notes };
  }
  if (isWanted) return { draws: true, notes: [] };
  const draws = await context.once('can draw', () => context.services.images.isReady());
  return { draws, notes: [] };
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
      problem = content.replace(/\s+/g, ' ').trim();
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
