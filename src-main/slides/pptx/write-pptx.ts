import type PptxGenJS from 'pptxgenjs';
import { onTemplate } from '../template/on-template.ts';
import type { Template } from '../template/template-look.ts';
import {
  type ChartElement,
  CORNER_RADIUS,
  type DeckPicture,
  type DeckPictures,
  type Element,
  type LaidOutDeck,
  type Page,
  type PictureElement,
  type ShapeElement,
  type TextElement,
} from '../types.ts';
import { DECORATION, repackPptx } from './pptx-package.ts';
import { addTable } from './pptx-table.ts';
import {
  addText,
  frameOf,
  hasText,
  inches,
  TITLE_PLACEHOLDER,
  titleOf,
  type Writing,
  writingOf,
} from './pptx-text.ts';
import { BODY_NAME } from './template-package.ts';
import { cleanText } from './xml-text.ts';

/** English Metric Units to an inch. */
const EMU = 914_400;

const SHAPES = {
  rectangle: 'rect',
  rounded: 'roundRect',
  ellipse: 'ellipse',
} as const satisfies Record<ShapeElement['shape'], PptxGenJS.SHAPE_NAME>;

/**
 * A presentation for PowerPoint: text, tables and charts are such, and can be edited. Nothing in it points outside, and
 * the same deck gives the same bytes. A picture whose bytes are not in `pictures` is left out, as are empty texts.
 */
export async function writePptx(
  given: LaidOutDeck,
  pictures: DeckPictures,
  template: Template | null = null,
): Promise<Buffer> {
  const { default: Pptx } = await import('pptxgenjs');
  const pptx = new Pptx();
  const deck = template === null ? given : deckOn(template, given);
  if (template === null) pptx.layout = 'LAYOUT_WIDE';
  else {
    const { width, height } = template.parts;
    pptx.defineLayout({ name: 'Template', width: width / EMU, height: height / EMU });
    pptx.layout = 'Template';
  }
  pptx.rtlMode = deck.isRightToLeft;
  pptx.theme = themeOf(deck);
  const writing = writingOf(deck.language);
  const layouts = new Map<string, string>();
  for (const [at, page] of deck.pages.entries()) {
    const title = titleOf(page, deck.title.trim() === '' ? `${at + 1}` : deck.title);
    const slide = pptx.addSlide({ masterName: layoutFor(pptx, { page, title, layouts }) });
    addElements(slide, page, { pictures, writing, title, body: bodyOf(page) });
  }
  const bytes = await pptx.write({ outputType: 'nodebuffer' });
  return await repackPptx(bytes as Buffer, {
    deck,
    writing,
    template: template?.parts ?? null,
    pictures,
  });
}

function deckOn({ parts, look }: Template, deck: LaidOutDeck): LaidOutDeck {
  const by = parts.width / EMU / (look.size.width / 72);
  return { ...deck, pages: deck.pages.map((page) => onTemplate(page, by)) };
}

/** The fonts of the first title and of the first other text: what the user adds is in them. */
function themeOf({ pages }: LaidOutDeck): PptxGenJS.ThemeProps {
  const texts = pages
    .flatMap(({ elements }) => elements)
    .filter((element): element is TextElement => element.kind === 'text');
  const title = texts.find(({ role }) => role === 'title');
  const body = texts.find(({ role }) => role === 'body') ?? title;
  return {
    headFontFace: title?.style.face ?? 'Calibri',
    bodyFontFace: body?.style.face ?? 'Calibri',
  };
}

/**
 * The layout with this background, and with the title at this place: pptxgenjs puts a title where its layout has it. The
 * user finds them under "New slide".
 */
function layoutFor(
  pptx: PptxGenJS,
  { page, title, layouts }: { page: Page; title: TextElement; layouts: Map<string, string> },
): string {
  const frame = { ...inches(title.box), ...frameOf(title) };
  const key = JSON.stringify([page.background, frame]);
  const known = layouts.get(key);
  if (known !== undefined) return known;
  const name = `Layout ${layouts.size + 1}`;
  layouts.set(key, name);
  // The types of pptxgenjs lack what placeholders share with other texts.
  const options: PptxGenJS.PlaceholderProps & PptxGenJS.TextPropsOptions = {
    ...frame,
    name: TITLE_PLACEHOLDER,
    type: 'title',
    objectName: 'Title',
  };
  pptx.defineSlideMaster({
    title: name,
    background: { color: page.background },
    objects: [{ placeholder: { options, text: 'Title' } }],
  });
  return name;
}

/** The one text of a page that is on a layout with a place for it. */
function bodyOf({ layout, elements }: Page): TextElement | null {
  if (layout === undefined || layout.body === null) return null;
  const texts = elements.filter(
    (element): element is TextElement =>
      element.kind === 'text' && (element.role === 'body' || element.role === 'subtitle'),
  );
  const [only] = texts;
  return texts.length === 1 && only !== undefined && hasText(only) ? only : null;
}

interface Drawing {
  readonly pictures: DeckPictures;
  readonly writing: Writing;
  readonly title: TextElement;
  /** What goes into the placeholder of the layout for text; null for nothing. */
  readonly body: TextElement | null;
}

function addElements(slide: PptxGenJS.Slide, page: Page, drawing: Drawing): void {
  const { title, writing } = drawing;
  const isShown = page.elements.some((element) => element === title);
  if (!isShown) addText(slide, title, { name: 'Title', writing, isTitle: true });
  for (const [at, element] of page.elements.entries()) {
    addElement(slide, element, { ...drawing, number: at + 1 });
  }
}

function addElement(
  slide: PptxGenJS.Slide,
  element: Element,
  { pictures, writing, title, body, number }: Drawing & { readonly number: number },
): void {
  switch (element.kind) {
    case 'text': {
      const isTitle = element === title;
      const name = isTitle ? 'Title' : element === body ? BODY_NAME : `Text ${number}`;
      if (hasText(element)) addText(slide, element, { name, writing, isTitle });
      return;
    }
    case 'shape':
      addShape(slide, element, `${DECORATION} ${number}`);
      return;
    case 'picture': {
      const picture = pictures.get(element.path);
      if (picture !== undefined) addPicture(slide, element, { picture, name: `Picture ${number}` });
      return;
    }
    case 'table':
      addTable(slide, element, { name: `Table ${number}`, writing });
      return;
    case 'chart':
      addChart(slide, element, `Chart ${number}`);
      return;
  }
}

function addShape(slide: PptxGenJS.Slide, { shape, box, fill }: ShapeElement, name: string): void {
  const radius = Math.min(CORNER_RADIUS, box.width / 2, box.height / 2) / 72;
  slide.addShape(SHAPES[shape], {
    ...inches(box),
    fill: { color: fill },
    objectName: name,
    ...(shape === 'rounded' ? { rectRadius: radius } : {}),
  });
}

/** By its bytes: a path could name any file. */
function addPicture(
  slide: PptxGenJS.Slide,
  { box, alt }: PictureElement,
  { picture, name }: { picture: DeckPicture; name: string },
): void {
  const { bytes, mimeType } = picture;
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  slide.addImage({
    ...inches(box),
    data: `${mimeType};base64,${base64}`,
    altText: cleanText(alt),
    objectName: name,
  });
}

/** Only its place: the chart itself is written when the presentation is repacked. */
function addChart(slide: PptxGenJS.Slide, { box, alt }: ChartElement, name: string): void {
  slide.addChart('bar', [{ name: '', labels: [''], values: [0] }], {
    ...inches(box),
    altText: cleanText(alt),
    objectName: name,
  });
}
