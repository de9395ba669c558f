import type { Element, Page, TextStyle } from '../types.ts';

/** How Office names the fonts of a theme: for headings, and for all else. */
const THEME_FONTS = { headings: '+mj-lt', body: '+mn-lt' } as const;

/** A page as it is written on a template: in its size, and in the fonts of its theme. */
export function onTemplate(page: Page, by: number): Page {
  return { ...page, elements: page.elements.map((element) => scaled(element, by)) };
}

function scaled(element: Element, by: number): Element {
  const { x, y, width, height } = element.box;
  const box = { x: x * by, y: y * by, width: width * by, height: height * by };
  const isHeading = element.kind === 'text' && /^(?:title|number)$/.test(element.role);
  const typeface = isHeading ? THEME_FONTS.headings : THEME_FONTS.body;
  const styled = (style: TextStyle): TextStyle => ({
    ...{ ...style, typeface, size: tenths(style.size * by) },
  });
  switch (element.kind) {
    case 'shape':
    case 'picture':
      return { ...element, box };
    case 'chart':
      return { ...element, box, style: styled(element.style) };
    case 'text':
      return {
        ...{ ...element, box, style: styled(element.style) },
        ...{ lineHeight: element.lineHeight * by, paragraphGap: element.paragraphGap * by },
        indent: element.indent * by,
      };
    case 'table':
      return {
        ...{ ...element, box, style: styled(element.style) },
        columnWidths: element.columnWidths.map((own) => own * by),
        rows: element.rows.map(({ height: own, cells }) => ({ cells, height: own * by })),
        ...{ lineHeight: element.lineHeight * by, padding: element.padding * by },
      };
  }
}

/** Office has sizes of text in hundredths; in tenths they look as if they were meant. Never larger than measured. */
function tenths(size: number): number {
  return Math.floor(size * 10) / 10;
}
