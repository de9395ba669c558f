import { childOf, type XmlElement } from '../../documents/office/read-xml.ts';
import type { Mark } from '../drawing/marks.ts';
import type { VisualRuns } from '../drawing/visual-runs.ts';
import type { SlideFonts } from '../fonts.ts';
import type { Frame, FrameKind, Look, Place } from '../look.ts';
import { contrast, type PageTheme, THEMES } from '../themes.ts';
import {
  type Box,
  type Color,
  type DeckPictures,
  PAGE,
  type PageLayout,
  type ShapeElement,
  type Size,
} from '../types.ts';
import { groundsOf } from './sample-ground.ts';
import { contentBoxes, coverBoxes, numberBox, panelOf, sourcesBox } from './template-boxes.ts';
import { type Colors, colorIn, fillColor, mixed, opacityIn, schemeOf } from './template-colors.ts';
import { measuredAs, type TemplateFonts, templateFonts } from './template-fonts.ts';
import { gradientMarks } from './template-gradient.ts';
import { refused, type TemplateParts } from './template-parts.ts';
import { templatePicture } from './template-picture.ts';
import { type LayoutPlace, masterPlace, placesOf } from './template-places.ts';
import { decorationOf, type Scale } from './template-shapes.ts';

/** A template, ready to lay pages out and to be written. */
export interface Template {
  readonly parts: TemplateParts;
  readonly fonts: TemplateFonts;
  readonly look: Look;
}

interface Tools {
  readonly fonts: SlideFonts;
  readonly pictures: DeckPictures;
  readonly runs: VisualRuns;
}

/** WCAG 2.2 AA: for text, and for large text and shapes. */
const READABLE = 4.5;
const SEEN = 3;
/** The share of a ground that may hide a text before a panel is put behind it. */
const MOST_UNREADABLE = 0.06;

/** Throws `BAD_REQUEST` where no layout has a title. */
export async function templateOf(parts: TemplateParts, tools: Tools): Promise<Template> {
  const reader = new TemplateReader(parts, tools.fonts);
  const fonts = templateFonts(parts.theme);
  const kinds = reader.kinds();
  const [title, section, list, content] = await Promise.all(
    (['title', 'section', 'list', 'content'] as const).map((kind) =>
      frameOf(kind, kinds[kind], { reader, ...tools }),
    ),
  );
  if (!(title && section && list && content)) throw new Error('Each kind has a frame');
  const theme = themeOf(content, reader, fonts);
  const frames = { title, section, closing: title, list, content };
  return { parts, fonts, look: { theme, size: reader.size, frames } };
}

/** A layout of the template, as far as pages use it. */
interface KnownLayout {
  readonly index: number;
  readonly type: string;
  readonly places: readonly LayoutPlace[];
  readonly ground: Color;
  readonly marks: readonly Mark[];
}

class TemplateReader {
  readonly size: Size;
  readonly colors: Colors;
  readonly layouts: readonly KnownLayout[];
  readonly #parts: TemplateParts;
  readonly #fonts: SlideFonts;
  readonly #scale: Scale;

  constructor(parts: TemplateParts, fonts: SlideFonts) {
    this.#parts = parts;
    this.#fonts = fonts;
    const points = PAGE.width / parts.width;
    this.size = { width: PAGE.width, height: Math.round(parts.height * points * 100) / 100 };
    this.#scale = { x: points, y: points, left: 0, top: 0 };
    const map = childOf(parts.master, 'p:clrMap')?.attributes ?? new Map<string, string>();
    this.colors = { scheme: schemeOf(parts.theme), map };
    this.layouts = parts.layouts.map((layout, index) => this.#known(layout, index));
  }

  /** The color of texts, or of grounds, that name none. */
  named(name: 'tx1' | 'bg1'): Color {
    const { scheme, map } = this.colors;
    return scheme.get(map.get(name) ?? '') ?? (name === 'tx1' ? '000000' : 'FFFFFF');
  }

  masterPlace(type: string): LayoutPlace | null {
    return masterPlace(type, {
      master: this.#parts.master,
      colors: this.colors,
      scale: this.#scale,
    });
  }

  /** The layout for each kind of page: by its type, or by what it has. */
  kinds(): Readonly<Record<Exclude<FrameKind, 'closing'>, KnownLayout>> {
    const titled = this.layouts.filter(({ places }) => titleIn(places) !== undefined);
    const bodies = ({ places }: KnownLayout): number => places.filter(isBody).length;
    const byType = (...types: string[]) => titled.find(({ type }) => types.includes(type));
    const has = (type: string) =>
      titled.find(({ places }) => places.some((one) => one.type === type));
    const isPlain = ({ places }: KnownLayout): boolean =>
      !places.some(({ type }) => type === 'subTitle');
    const list =
      titled.find((one) => ['obj', 'tx'].includes(one.type) && bodies(one) === 1 && isPlain(one)) ??
      titled.find((one) => bodies(one) === 1 && isPlain(one)) ??
      titled.find((one) => bodies(one) > 0) ??
      titled[0];
    if (list === undefined) {
      throw refused('It has no layout with a title. Add one under "Slide Master" in PowerPoint.');
    }
    const title = byType('title') ?? has('ctrTitle') ?? has('subTitle') ?? list;
    const content =
      byType('titleOnly') ?? titled.find((one) => bodies(one) === 0 && isPlain(one)) ?? list;
    return { title, section: byType('secHead') ?? title, list, content };
  }

  #known(layout: XmlElement, index: number): KnownLayout {
    const { master } = this.#parts;
    const own = childOf(childOf(layout, 'p:clrMapOvr'), 'a:overrideClrMapping')?.attributes;
    const colors = own === undefined ? this.colors : { ...this.colors, map: own };
    const tools = {
      ...{ colors, fonts: this.#fonts, pictureKey: templatePicture, pageScale: this.#scale },
      text: { face: measuredAs(templateFonts(this.#parts.theme).body), color: this.named('tx1') },
    };
    const showsMaster = !/^(?:0|false)$/.test(layout.attributes.get('showMasterSp') ?? '1');
    const [background, ofMaster] = [layout, master].map((one) =>
      childOf(childOf(one, 'p:cSld'), 'p:bg'),
    );
    const ground = groundIn(background ?? ofMaster, colors);
    const picture = pictureIn(background ?? ofMaster);
    const whole: Box = { x: 0, y: 0, ...this.size };
    return {
      ...{ index, type: layout.attributes.get('type') ?? '', ground: ground ?? this.named('bg1') },
      places: placesOf(layout, { master, colors, scale: this.#scale }),
      marks: [
        ...(picture === null
          ? []
          : [{ kind: 'picture' as const, box: whole, path: templatePicture(picture) }]),
        ...gradientMarks(
          childOf(childOf(background ?? ofMaster, 'p:bgPr'), 'a:gradFill'),
          whole,
          colors,
        ),
        ...(showsMaster ? decorationOf(master, tools) : []),
        ...decorationOf(layout, tools),
      ],
    };
  }
}

function titleIn(places: readonly LayoutPlace[]): LayoutPlace | undefined {
  return places.find(({ type }) => type === 'title' || type === 'ctrTitle');
}

function isBody({ type }: LayoutPlace): boolean {
  return type === 'body' || type === 'obj';
}

function groundIn(background: XmlElement | undefined, colors: Colors): Color | null {
  const reference = childOf(background, 'p:bgRef');
  if (reference !== undefined) return colorIn(reference, colors);
  const fill = childOf(background, 'p:bgPr')?.children.find(({ name }) => /Fill$/.test(name));
  const color = fillColor(fill, colors);
  return color === null ? null : mixed('FFFFFF', color, opacityIn(fill));
}

function pictureIn(background: XmlElement | undefined): string | null {
  const fill = childOf(childOf(background, 'p:bgPr'), 'a:blipFill');
  return childOf(fill, 'a:blip')?.attributes.get('r:embed') ?? null;
}

async function frameOf(
  kind: 'title' | 'section' | 'list' | 'content',
  layout: KnownLayout,
  { reader, pictures, runs }: Tools & { readonly reader: TemplateReader },
): Promise<Frame> {
  const isCover = kind === 'title' || kind === 'section';
  const { size } = reader;
  const title = titleIn(layout.places);
  const place =
    layout.places.find(({ type }) => type === 'subTitle') ?? layout.places.find(isBody) ?? null;
  const given = place ?? (isCover ? null : reader.masterPlace('body'));
  const number = numberBox(layout.places.find(({ type }) => type === 'sldNum')?.box ?? null, size);
  const wanted = { title: title?.box ?? null, body: given?.box ?? null, number, size };
  const { titleBox, bodyBox } = isCover ? coverBoxes(wanted) : contentBoxes(wanted);
  const sources = sourcesBox(bodyBox, number);
  const { ground, marks } = layout;
  const boxes = [titleBox, bodyBox, sources, number];
  const page = { ground, marks, size };
  const grounds = await groundsOf(boxes, page, { pictures, runs });
  const [text, back] = [reader.named('tx1'), reader.named('bg1')];
  const panels: ShapeElement[] = [];
  /** The colors of a text in a box; where what is behind it varies too much, a panel is put there. */
  const seen = (at: number, color: Color | null, least: number): { on: Color; color: Color } => {
    const [box, own] = [boxes[at], grounds[at]];
    if (box === undefined || own === undefined) throw new Error('Each place has its ground');
    const read = readableOn(own.mean, [color ?? text, text, back], least);
    if (own.unreadable(read, SEEN) <= MOST_UNREADABLE) return { on: own.mean, color: read };
    if (at < 2)
      panels.push({ kind: 'shape', shape: 'rectangle', box: panelOf(box, size), fill: back });
    return at < 2
      ? { on: back, color: readableOn(back, [color ?? text, text], least) }
      : { on: own.mean, color: read };
  };
  const footer = (at: number, box: Box, align: Place['align']): Place => {
    const { on, color } = seen(at, null, READABLE);
    const muted = mixed(color, on, 0.25);
    return {
      ...{ box, on, align, anchor: 'middle' },
      color: readableOn(on, [muted, color], READABLE),
    };
  };
  const [best, smallest] = isCover ? [kind === 'title' ? 60 : 48, 26] : [40, 20];
  const used: PageLayout = {
    ...{ index: layout.index, behind: marks },
    title: title?.type === 'ctrTitle' ? 'ctrTitle' : 'title',
    body: place === null ? null : { type: place.type, idx: place.idx },
  };
  return {
    ...{ ground, layout: used, decoration: panels },
    title: {
      ...{ box: titleBox, ...seen(0, title?.color ?? null, SEEN) },
      ...{ align: title?.align ?? 'left', anchor: title?.anchor ?? 'bottom' },
      sizes: [Math.max(smallest, Math.min(best, Math.round(title?.size ?? best))), smallest],
    },
    body: {
      ...{ box: bodyBox, ...seen(1, given?.color ?? null, READABLE) },
      ...(isCover && given !== null
        ? { align: given.align, anchor: given.anchor }
        : { align: 'left', anchor: 'top' }),
    },
    sources: footer(2, sources, 'left'),
    number: footer(3, number, number.x > size.width / 2 ? 'right' : 'left'),
  };
}

/** The first of these colors that is read on a ground, else black or white. */
function readableOn(on: Color, colors: readonly Color[], least: number): Color {
  const found = colors.find((color) => contrast(color, on) >= least);
  return found ?? (contrast('000000', on) > contrast('FFFFFF', on) ? '000000' : 'FFFFFF');
}

function themeOf({ body }: Frame, reader: TemplateReader, fonts: TemplateFonts): PageTheme {
  const { color: text, on: ground } = body;
  const accents = [1, 2, 3, 4, 5, 6].flatMap((at) => reader.colors.scheme.get(`accent${at}`) ?? []);
  const card = mixed(ground, text, 0.06);
  const accent =
    accents.find((one) => contrast(one, ground) >= SEEN && contrast(one, card) >= SEEN) ?? text;
  const seen = accents.filter((one) => contrast(one, ground) >= 1.5);
  const muted = mixed(text, ground, 0.3);
  return {
    ...{ headings: measuredAs(fonts.headings), body: measuredAs(fonts.body) },
    ...{ ground, text, accent, card, line: mixed(ground, text, 0.2) },
    muted: Math.min(contrast(muted, ground), contrast(muted, card)) >= READABLE ? muted : text,
    onAccent: readableOn(accent, ['FFFFFF', ground, text], READABLE),
    series: seen.length >= 2 ? seen : THEMES.plain.series,
  };
}
