import type { SlideFont, SlideFonts } from '../fonts.ts';
import { type DeckPictures, type LaidOutDeck, PAGE } from '../types.ts';
import { type Mark, marksOf, type TextMark } from './marks.ts';
import { VisualRuns } from './visual-runs.ts';

interface Tools {
  readonly pictures: DeckPictures;
  readonly fonts: SlideFonts;
}

/** The pages as PDF, with text that can be searched and copied. The same deck gives the same bytes. */
export async function deckPdf(deck: LaidOutDeck, tools: Tools): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    ...{ margin: 0, autoFirstPage: false, lang: deck.language },
    info: { Title: deck.title, Creator: 'HyperAgent', CreationDate: new Date(0) },
    displayTitle: true,
  });
  const pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve, reject) => {
    doc.once('end', resolve);
    doc.once('error', reject);
  });
  const pen = new PdfPen(doc, await VisualRuns.load(tools.fonts), tools.pictures);
  for (const page of deck.pages) {
    const { size = PAGE } = page;
    doc.addPage({ size: [size.width, size.height], margin: 0 });
    doc.rect(0, 0, size.width, size.height).fill(`#${page.background}`);
    for (const mark of marksOf(page, tools.fonts)) pen.draw(mark);
  }
  doc.end();
  await ended;
  return Buffer.concat(pieces);
}

class PdfPen {
  readonly #doc: PDFKit.PDFDocument;
  readonly #runs: VisualRuns;
  readonly #given: DeckPictures;
  readonly #registered = new Set<string>();
  readonly #pictures = new Map<string, Buffer>();

  constructor(doc: PDFKit.PDFDocument, runs: VisualRuns, pictures: DeckPictures) {
    this.#doc = doc;
    this.#runs = runs;
    this.#given = pictures;
  }

  draw(mark: Mark): void {
    const doc = this.#doc;
    switch (mark.kind) {
      case 'rectangle': {
        const { x, y, width, height } = mark.box;
        const radius = Math.min(mark.radius, width / 2, height / 2);
        if (radius > 0) doc.roundedRect(x, y, width, height, radius);
        else doc.rect(x, y, width, height);
        doc.fill(`#${mark.fill}`);
        return;
      }
      case 'ellipse': {
        const { x, y, width, height } = mark.box;
        doc.ellipse(x + width / 2, y + height / 2, width / 2, height / 2).fill(`#${mark.fill}`);
        return;
      }
      case 'polygon':
        doc.save().fillOpacity(mark.opacity ?? 1);
        doc.polygon(...mark.points.map(([x, y]) => [x, y])).fill(`#${mark.fill}`);
        doc.restore();
        return;
      case 'line': {
        const [first, ...others] = mark.points;
        if (first === undefined) return;
        doc.moveTo(first[0], first[1]);
        for (const [x, y] of others) doc.lineTo(x, y);
        doc.lineWidth(mark.width).lineJoin('round').stroke(`#${mark.color}`);
        return;
      }
      case 'picture':
        this.#picture(mark);
        return;
      case 'text':
        this.#text(mark);
    }
  }

  #picture({ path, box: { x, y, width, height } }: Extract<Mark, { kind: 'picture' }>): void {
    const picture = this.#given.get(path);
    if (picture === undefined) return;
    const data = this.#pictures.get(path) ?? Buffer.from(picture.bytes);
    this.#pictures.set(path, data);
    this.#doc.image(data, x, y, { width, height });
  }

  #text(mark: TextMark): void {
    const { x, y, style, align, turned } = mark;
    const doc = this.#doc;
    const runs = this.#runs.of(mark);
    const widths = runs.map(({ text, font }) => {
      this.#use(font).fontSize(style.size);
      return doc.widthOfString(text);
    });
    const total = widths.reduce((sum, width) => sum + width, 0);
    let left = x - { left: 0, center: total / 2, right: total }[align];
    doc.save();
    if (turned !== undefined) doc.rotate(turned, { origin: [x, y] });
    for (const [at, { text, font }] of runs.entries()) {
      this.#use(font).fontSize(style.size).fillColor(`#${style.color}`);
      doc.text(text, left, y, { lineBreak: false, baseline: 'alphabetic' });
      left += widths[at] ?? 0;
    }
    doc.restore();
  }

  #use({ file, data }: SlideFont): PDFKit.PDFDocument {
    if (!this.#registered.has(file)) {
      this.#doc.registerFont(file, data);
      this.#registered.add(file);
    }
    return this.#doc.font(file);
  }
}
