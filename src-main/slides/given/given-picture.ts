import type { Slide, SlidePicture } from '#contract/slides.ts';
import { type GivenSlots, pick, recordOf } from './given-slots.ts';
import { lineText } from './given-text.ts';

const PATH = 'image image_path picture photo img src path file avatar image_file';
const ALT = 'alt alt_text image_alt caption image_description';

const IN_MARKDOWN = /^\s*!\[([^\]]*)\]\(([^)]+)\)\s*$/;

export type ReadPicture = (
  record: ReadonlyMap<string, unknown>,
  slot: string,
) => SlidePicture | null;

/** The picture that a record names: a path, or an object with one. Null where there is none. */
export function pictureReader(slots: GivenSlots): ReadPicture {
  return (record, slot) => {
    const given = pick(record, PATH);
    const own = recordOf(given);
    const text = typeof given === 'string' ? given : '';
    const [, inMarkdown = null, markdown] = IN_MARKDOWN.exec(text) ?? [];
    const path = pathText(markdown ?? (own === null ? given : pick(own, `${PATH} url`)));
    if (path === null) return null;
    if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(path)) {
      slots.problems.push(
        `${slot} is an address. Save the picture in /workspace and give its path.`,
      );
      return null;
    }
    const alt = lineText(own === null ? inMarkdown : pick(own, `${ALT} description`));
    return { path, alt: alt ?? lineText(pick(record, ALT)) ?? '' };
  };
}

/** A path, relative to the workspace: its marks are part of its name. */
export function pathText(given: unknown): string | null {
  if (typeof given !== 'string') return null;
  const path = given
    .trim()
    .replace(/^\/workspace(?:\/+|$)/, '')
    .replace(/^(?:\.\/+)+/, '');
  return path === '' ? null : path;
}

/** The slide with every picture at the path that `pathOf` gives for its own. */
export function movePictures(slide: Slide, pathOf: (path: string) => string): Slide {
  const moved = (picture: SlidePicture): SlidePicture => ({
    ...picture,
    path: pathOf(picture.path),
  });
  if (slide.layout === 'image_text') return { ...slide, picture: moved(slide.picture) };
  if (slide.layout !== 'team') return slide;
  const people = slide.people.map((one) => ({
    ...one,
    picture: one.picture === null ? null : moved(one.picture),
  }));
  return { ...slide, people };
}
