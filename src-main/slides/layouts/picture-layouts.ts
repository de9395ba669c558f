import type { SlidePicture } from '#contract/slides.ts';
import { fitText } from '../fit-text.ts';
import type { Box, Element, PictureElement } from '../types.ts';
import { bodyOf, card, type Drawn, framed, GAP, inset, type Sheet, type SlideOf } from './sheet.ts';
import { continued, listText } from './text-layouts.ts';

/** A picture as large as its box allows, in its own proportions; null where there is none. */
export function fittedPicture(
  { path, alt }: SlidePicture,
  box: Box,
  { pictures }: Sheet,
): PictureElement | null {
  const picture = pictures.get(path);
  if (picture === undefined) return null;
  const zoom = Math.min(box.width / picture.width, box.height / picture.height);
  const [width, height] = [picture.width * zoom, picture.height * zoom];
  const x = box.x + (box.width - width) / 2;
  const y = box.y + (box.height - height) / 2;
  return { kind: 'picture', path, alt, box: { x, y, width, height } };
}

/** A picture beside a list, or alone. */
export function drawImageText(slide: SlideOf<'image_text'>, sheet: Sheet): Drawn {
  const { picture, items } = slide;
  const body = bodyOf(sheet);
  const hasItems = items.length > 0;
  const width = hasItems ? Math.min(430, body.width * 0.51) : body.width;
  const place = { ...body, width };
  const drawn = fittedPicture(picture, place, sheet);
  const elements: Element[] = drawn === null ? missing(picture, place, sheet) : [drawn];
  if (!hasItems) return framed(slide, sheet, { elements, rest: [] });
  const x = body.x + width + GAP * 1.5;
  const box = { ...body, x, width: body.x + body.width - x };
  const list = fitText({ ...listText(items, box, sheet), sizes: [22, 16] }, sheet.fonts);
  return framed(slide, sheet, {
    elements: [...elements, list.element],
    rest: continued(slide, list.rest),
  });
}

/** What the picture would show, in its place. */
function missing({ alt, path }: SlidePicture, box: Box, { theme, fonts }: Sheet): Element[] {
  const text = fitText(
    {
      ...{ paragraphs: [alt.trim() === '' ? path : alt], box: inset(box, 24), role: 'label' },
      ...{ on: theme.card, sizes: [16, 11], align: 'center', anchor: 'middle' },
      style: { face: theme.body, bold: false, color: theme.muted },
    },
    fonts,
  );
  return [card(box, theme.card), text.element];
}
