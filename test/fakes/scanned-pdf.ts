import PDFDocument from 'pdfkit';
import { once } from '#main/base/once.ts';
import { svgRendering } from '#main/pictures/render-svg.ts';
import { PICTURE_LIMITS } from '#main/pictures/types.ts';

/** A4 at 150 dots an inch, as office scanners make it. */
const PAGE = { width: 1_240, height: 1_754 };
const PAGE_POINTS = { width: 595, height: 842 };

/** A page of a scanned document. */
export interface ScannedPage {
  /** Printed on the picture. */
  readonly printed: readonly string[];
  /** In the text of the PDF itself, above the picture. */
  readonly typed?: string;
  /** Degrees by which the sheet lay turned in the scanner. */
  readonly turned?: 0 | 90 | 180 | 270;
  /** What the PDF says the page must be turned by when it is shown. */
  readonly rotate?: 0 | 90 | 180 | 270;
  /** The share of the page that the picture takes, from below. */
  readonly share?: number;
  /** 0 is clean; 1 is a bad copy of a bad copy. */
  readonly noise?: number;
  readonly fontSize?: number;
}

const rendering = once(() => svgRendering(PICTURE_LIMITS));

/** A PDF as scanners make it: its pages are pictures. */
export async function scannedPdf(
  pages: readonly ScannedPage[],
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new PDFDocument({ ...options, autoFirstPage: false, margin: 0 });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.on('end', resolve));
  const pictures = new Map<string, object>();
  for (const page of pages) {
    const { typed, turned = 0, rotate = 0, share = 1 } = page;
    const { width, height } = PAGE_POINTS;
    document.addPage({ size: [width, height], margin: 0 });
    if (rotate !== 0) Object.assign(document.page.dictionary.data, { Rotate: rotate });
    document.save();
    if (turned !== 0) document.rotate(turned, { origin: [width / 2, height / 2] });
    // A sheet that lay sideways is as wide as the page is high.
    const scale = turned % 180 === 0 ? 1 : width / height;
    const drawn = { width: width * scale * share, height: height * scale * share };
    const x = (width - drawn.width) / 2;
    const y = share === 1 ? (height - drawn.height) / 2 : height - drawn.height;
    const key = JSON.stringify([page.printed, page.noise, page.fontSize]);
    const picture =
      pictures.get(key) ??
      (document as unknown as { openImage(data: Buffer): object }).openImage(
        await picturePage(page),
      );
    pictures.set(key, picture);
    document.image(picture as Buffer, x, y, drawn);
    document.restore();
    if (typed !== undefined) document.fontSize(11).text(typed, 40, 40, { width: width - 80 });
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

/** Printed lines as a PNG. */
export async function picturePage({
  printed,
  noise = 0,
  fontSize = 34,
}: Pick<ScannedPage, 'printed' | 'noise' | 'fontSize'>): Promise<Buffer> {
  const lines = printed.map(
    (line, index) =>
      `<text x="110" y="${150 + index * fontSize * 1.6}" font-size="${fontSize}" font-family="Noto Sans SC">${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PAGE.width}" height="${PAGE.height}"><rect width="100%" height="100%" fill="${noise > 0 ? '#e4e2da' : 'white'}"/><g transform="rotate(${noise * 1.5})" fill="${noise > 0 ? '#3a3a40' : 'black'}">${lines.join('')}</g>${specks(noise)}</svg>`;
  const render = await rendering();
  return Buffer.from(render(Buffer.from(svg), PAGE).png);
}

function specks(noise: number): string {
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  return Array.from(
    { length: Math.round(noise * 6_000) },
    () =>
      `<circle cx="${next(PAGE.width)}" cy="${next(PAGE.height)}" r="${1 + next(2)}" fill="#55555a"/>`,
  ).join('');
}
