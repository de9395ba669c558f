import type { SlideFonts } from '../fonts.ts';
import { type Color, type DeckPictures, PAGE, type Page, type Size } from '../types.ts';
import { type Mark, marksOf, type Point, type TextMark } from './marks.ts';
import type { VisualRun, VisualRuns } from './visual-runs.ts';

interface SvgTools {
  readonly pictures: DeckPictures;
  readonly fonts: SlideFonts;
  readonly runs: VisualRuns;
}

/** A page as SVG with nothing outside of it: pictures are inside, and letters are shapes. */
export function pageSvg(page: Page, { pictures, fonts, runs }: SvgTools): string {
  const { background: ground, size = PAGE } = page;
  return marksSvg({ ground, size, marks: marksOf(page, fonts) }, { pictures, runs });
}

/** Marks as SVG. */
export function marksSvg(
  page: { readonly ground: Color; readonly size: Size; readonly marks: readonly Mark[] },
  { pictures, runs }: Omit<SvgTools, 'fonts'>,
): string {
  const { width, height } = page.size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="#${page.ground}"/>`,
    ...page.marks.map((mark) => draw(mark, pictures, runs)),
    '</svg>',
  ].join('\n');
}

function draw(mark: Mark, pictures: DeckPictures, runs: VisualRuns): string {
  switch (mark.kind) {
    case 'rectangle': {
      const { x, y, width, height } = mark.box;
      return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="${mark.radius}" fill="#${mark.fill}"/>`;
    }
    case 'ellipse': {
      const { x, y, width, height } = mark.box;
      return `<ellipse cx="${n(x + width / 2)}" cy="${n(y + height / 2)}" rx="${n(width / 2)}" ry="${n(height / 2)}" fill="#${mark.fill}"/>`;
    }
    case 'polygon':
      return `<polygon points="${list(mark.points)}" fill="#${mark.fill}" fill-opacity="${mark.opacity ?? 1}"/>`;
    case 'line':
      return `<polyline points="${list(mark.points)}" fill="none" stroke="#${mark.color}" stroke-width="${mark.width}" stroke-linejoin="round"/>`;
    case 'picture': {
      const picture = pictures.get(mark.path);
      if (picture === undefined) return '';
      const { x, y, width, height } = mark.box;
      const data = Buffer.from(picture.bytes).toString('base64');
      return `<image x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" preserveAspectRatio="none" xlink:href="data:${picture.mimeType};base64,${data}"/>`;
    }
    case 'text':
      return drawText(mark, runs.of(mark));
  }
}

/** Letters as shapes: a renderer of SVG picks other fonts than those that were measured. */
function drawText({ x, y, style, align, turned }: TextMark, runs: readonly VisualRun[]): string {
  const shapes: string[] = [];
  let width = 0;
  for (const { text, font } of runs) {
    const scale = style.size / font.kit.unitsPerEm;
    const { glyphs, positions } = font.kit.layout(text);
    for (const [at, glyph] of glyphs.entries()) {
      const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[at] ?? {};
      const outline = glyph.path.toSVG();
      if (outline !== '') {
        const left = n(width + xOffset * scale);
        shapes.push(
          `<path transform="translate(${left} ${n(-yOffset * scale)}) scale(${scale} ${-scale})" d="${outline}"/>`,
        );
      }
      width += xAdvance * scale;
    }
  }
  const from = { left: 0, center: width / 2, right: width }[align];
  const turn = turned === undefined ? '' : ` rotate(${turned})`;
  return `<g transform="translate(${n(x)} ${n(y)})${turn} translate(${n(-from)} 0)" fill="#${style.color}">${shapes.join('')}</g>`;
}

function list(points: readonly Point[]): string {
  return points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ');
}

function n(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : '0';
}
