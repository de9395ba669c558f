import { readFileSync } from 'node:fs';
import type { MarkedToken, Token } from 'marked';
import { AppError } from '#contract/errors.ts';
import { type Conversation, type ConversationBlock, pauses } from './collect-conversation.ts';
import type { CollectedReport } from './collect-report.ts';
import { SPEAKERS } from './conversation-markdown.ts';
import type { InlinePicture } from './export-conversation.ts';
import { fromMarkdown, plainText } from './markdown-tokens.ts';
import { type FontFile, reportFonts } from './report-fonts.ts';
import { withoutSources } from './report-html.ts';
import { unpackWoff } from './woff.ts';

/** The part of an open PDFKit font that we use. */
interface OpenFont {
  readonly font?: { hasGlyphForCodePoint(code: number): boolean; readonly fonts?: unknown };
}

const MARGIN = 56;
/** Drawn for a letter that no font has. */
const MISSING = '□';
const SIZES = { heading1: 19, heading2: 13.5, heading3: 11.5, text: 10.5, small: 9 } as const;

/**
 * The report as PDF. Each run of text uses the first font that has its letters. Throws `BAD_REQUEST`, which
 * names the letters that no font has.
 */
export async function reportToPdf(
  { report, sources }: CollectedReport,
  fonts: readonly FontFile[] = reportFonts(),
): Promise<Buffer> {
  const { pen, finish } = await openPdf(report.title, fonts);
  const lines = await fromMarkdown(report.markdown, (tokens) => linesOf(withoutSources(tokens)));
  const used = new Set(report.citations.map((one) => `${one.sourceIndex}.${one.excerptNumber}`));
  pen.check([
    ...lines.map(({ text }) => text),
    ...sources.flatMap(({ title, url, excerpts = [] }) => [
      title,
      url,
      ...excerpts.map(({ text }) => text),
    ]),
  ]);
  for (const { text, level, ...style } of lines) {
    if (level === undefined) pen.text(text, style);
    else pen.heading(text, level);
  }
  if (sources.length > 0) {
    pen.heading(/\p{Script=Han}/u.test(report.title) ? '来源' : 'Sources', 2);
    for (const { index, title, url, excerpts = [] } of sources) {
      pen.text(`[${index}] ${title}`, { gap: 0.1 });
      pen.text(url, { size: SIZES.small, gap: 0.1, indent: 14 });
      for (const { number, text } of excerpts) {
        if (!used.has(`${index}.${number}`)) continue;
        pen.text(`“${text.replace(/\s+/g, ' ')}”`, { size: SIZES.small, indent: 14, gap: 0.2 });
      }
      pen.space(0.4);
    }
  }
  return await finish();
}

/** The conversation as PDF. A letter that no font has is drawn as a box: most are emoji. */
export async function conversationToPdf(
  { title, blocks }: Conversation,
  pictures: ReadonlyMap<string, InlinePicture>,
  fonts: readonly FontFile[] = reportFonts(),
): Promise<Buffer> {
  const { pen, finish } = await openPdf(title, fonts);
  pen.heading(title, 1);
  const pause = pauses();
  let speaker: string | null = null;
  for (const block of blocks) {
    await pause();
    const next = block.kind === 'user' ? SPEAKERS.user : SPEAKERS.model;
    if (next !== speaker || block.kind === 'user') pen.heading(next, 3);
    speaker = next;
    const picture = block.kind === 'picture' ? pictures.get(block.path) : undefined;
    if (picture !== undefined) pen.picture(picture.data);
    for (const { text, level, ...style } of await linesOfBlock(block)) {
      if (level === undefined) pen.text(text, style);
      else pen.heading(text, level);
    }
  }
  return await finish();
}

async function linesOfBlock(block: ConversationBlock): Promise<Line[]> {
  const { small: size } = SIZES;
  switch (block.kind) {
    case 'user':
      return [
        ...block.text
          .trim()
          .split('\n')
          .map((text) => ({ text, indent: INDENT, gap: 0.1 })),
        ...block.files.map((text) => ({ text, size, indent: INDENT })),
      ];
    case 'answer':
      return await fromMarkdown(block.markdown, (tokens) => linesOf(tokens));
    case 'call':
      return [{ text: `${block.name}: ${block.subject.slice(0, 300)}`, size, indent: INDENT }];
    case 'picture':
      return [{ text: `${block.alt} (${block.name})`, size, indent: INDENT }];
    case 'problem':
      return [{ text: block.text, indent: INDENT }];
  }
}

/** An empty document; `finish` numbers the pages and gives all of its bytes. */
async function openPdf(
  title: string,
  fonts: readonly FontFile[],
): Promise<{ readonly pen: Pen; readonly finish: () => Promise<Buffer> }> {
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    autoFirstPage: true,
    info: { Title: title, Creator: 'HyperAgent' },
  });
  const pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve, reject) => {
    doc.once('end', resolve);
    doc.once('error', reject);
  });
  const pen = new Pen(doc, fonts);
  return {
    pen,
    finish: async () => {
      pen.numberPages();
      doc.end();
      await ended;
      return Buffer.concat(pieces);
    },
  };
}

/** A line of the report, or a heading of it. */
interface Line extends TextStyle {
  readonly text: string;
  readonly level?: 1 | 2 | 3;
}

const INDENT = 14;

/** The lines of the tokens, in order; what is within a list or a quotation is indented. */
function linesOf(tokens: readonly Token[], indent = 0): Line[] {
  return tokens.flatMap((token) => linesOfToken(token as MarkedToken, indent));
}

function linesOfToken(token: MarkedToken, indent: number): Line[] {
  const { small: size } = SIZES;
  switch (token.type) {
    case 'heading':
      return [{ text: plainText(token.tokens), level: Math.min(token.depth, 3) as 1 | 2 | 3 }];
    case 'list':
      return token.items.flatMap(({ tokens }, at) => {
        const [first, ...rest] = linesOf(tokens, indent + INDENT);
        const mark = token.ordered ? `${Number(token.start) + at}.` : '•';
        const head = { text: `${mark} ${first?.text ?? ''}`, indent: indent + 10, gap: 0.25 };
        return [head, ...rest];
      });
    case 'blockquote':
      return linesOf(token.tokens, indent + INDENT).map((line) => ({ ...line, size, gap: 0.25 }));
    case 'table':
      return [token.header, ...token.rows].map((row) => {
        const cells = row.map(({ tokens }) => plainText(tokens));
        return { text: cells.join(' | '), indent, gap: 0.25 };
      });
    case 'code':
      return token.text
        .split('\n')
        .map((text) => ({ text, size, indent: indent + INDENT, gap: 0 }));
    case 'paragraph':
    case 'text':
    case 'html':
      return [{ text: plainText([token]).trim(), indent, gap: 0.5 }];
    default:
      return [];
  }
}

interface TextStyle {
  readonly size?: number;
  readonly indent?: number;
  /** Space after the text, in lines. */
  readonly gap?: number;
}

/** Draws text with the fonts that have its letters. */
class Pen {
  readonly #doc: PDFKit.PDFDocument;
  readonly #fonts: readonly PenFont[];
  /** The name of the first font that has the code point; null if none has. */
  readonly #fontOfCode = new Map<number, string | null>();

  constructor(doc: PDFKit.PDFDocument, files: readonly FontFile[]) {
    this.#doc = doc;
    this.#fonts = files.map((file, at) => new PenFont(doc, file, `font-${at}`));
    if (this.#fonts.every((font) => !font.has(0x41))) {
      throw new AppError(
        'BAD_REQUEST',
        'No usable font for a PDF was found. Install one such as Noto Sans or DejaVu Sans, or export as HTML.',
      );
    }
  }

  /** Throws if a letter is in no font. */
  check(texts: readonly string[]): void {
    const missing = new Set<string>();
    for (const text of texts) {
      for (const letter of drawable(text)) if (this.#fontFor(letter) === null) missing.add(letter);
    }
    if (missing.size === 0) return;
    const isChinese = [...missing].some((letter) => /\p{Script=Han}/u.test(letter));
    const shown = [...missing].slice(0, 12).join(' ');
    throw new AppError(
      'BAD_REQUEST',
      `No font on this computer has these letters of the report: ${shown}. Install ${isChinese ? 'Noto Sans CJK SC' : 'a font that has them, such as a Noto font'}, or export as HTML.`,
      { details: { missing: [...missing].join('') } },
    );
  }

  heading(text: string, level: 1 | 2 | 3): void {
    this.space(level === 1 ? 0 : 0.6);
    this.text(text, { size: SIZES[`heading${level}`], gap: 0.4 });
  }

  text(text: string, { size = SIZES.text, indent = 0, gap = 0.3 }: TextStyle = {}): void {
    const doc = this.#doc;
    doc.fontSize(size);
    const runs = this.#runs(text);
    const width = doc.page.width - MARGIN * 2 - indent;
    for (const [at, run] of runs.entries()) {
      doc.font(run.font);
      const continued = at < runs.length - 1;
      if (at === 0) doc.text(run.text, MARGIN + indent, doc.y, { width, continued });
      else doc.text(run.text, { width, continued });
    }
    doc.x = MARGIN;
    doc.moveDown(gap);
  }

  /** As wide as the text at most, and at most half a page high. */
  picture(data: Uint8Array): void {
    const doc = this.#doc;
    const width = doc.page.width - MARGIN * 2;
    const height = doc.page.height / 2;
    if (doc.y + height > doc.page.height - MARGIN) doc.addPage();
    doc.image(Buffer.from(data), MARGIN, doc.y, { fit: [width, height] });
    doc.x = MARGIN;
    doc.moveDown(0.3);
  }

  space(lines: number): void {
    this.#doc.fontSize(SIZES.text).moveDown(lines);
  }

  numberPages(): void {
    const doc = this.#doc;
    const { start, count } = doc.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      doc.switchToPage(page);
      // Below the margin, text would otherwise start a new page.
      doc.page.margins.bottom = 0;
      doc.font(this.#fonts[0]?.name ?? '').fontSize(SIZES.small);
      const options = {
        align: 'center',
        width: doc.page.width - MARGIN * 2,
        lineBreak: false,
      } as const;
      doc.text(`${page + 1} / ${count}`, MARGIN, doc.page.height - MARGIN / 1.5, options);
    }
  }

  #runs(text: string): { font: string; text: string }[] {
    const runs: { font: string; text: string }[] = [];
    for (const drawn of drawable(text)) {
      const last = runs.at(-1);
      const known = this.#fontFor(drawn, last?.font);
      const letter = known === null ? MISSING : drawn;
      const font = known ?? this.#fontFor(MISSING) ?? this.#fonts[0]?.name ?? '';
      if (last !== undefined && last.font === font) last.text += letter;
      else runs.push({ font, text: letter });
    }
    return runs;
  }

  /** The current font if it should keep the letter, else the first font that has it. */
  #fontFor(letter: string, current?: string): string | null {
    const code = letter.codePointAt(0) ?? 0;
    const same = this.#fonts.find(({ name }) => name === current);
    if (/\s/.test(letter)) return same?.name ?? this.#fonts[0]?.name ?? null;
    // Chinese punctuation stays in the Chinese font; Latin letters return to the first font.
    if (same !== undefined && code > 0x2e7f && same.has(code)) return same.name;
    const known = this.#fontOfCode.get(code);
    if (known !== undefined) return known;
    const found = this.#fonts.find((font) => font.has(code))?.name ?? null;
    this.#fontOfCode.set(code, found);
    return found;
  }
}

/** A font of the document, opened on first use. */
class PenFont {
  readonly name: string;
  readonly #doc: PDFKit.PDFDocument;
  readonly #file: FontFile;
  /** Null if it cannot be opened; undefined until tried. */
  #open: OpenFont['font'] | null | undefined;

  constructor(doc: PDFKit.PDFDocument, file: FontFile, name: string) {
    this.#doc = doc;
    this.#file = file;
    this.name = name;
  }

  has(code: number): boolean {
    if (this.#file.covers?.(code) === false) return false;
    if (this.#open === undefined) this.#open = this.#read();
    return this.#open?.hasGlyphForCodePoint(code) === true;
  }

  #read(): OpenFont['font'] | null {
    try {
      // Read here: `unpackWoff` needs the bytes, and PDFKit then does not open the file itself.
      const data = unpackWoff(readFileSync(this.#file.file));
      this.#doc.registerFont(this.name, data, this.#file.name);
      this.#doc.font(this.name);
      return (this.#doc as unknown as { _font: OpenFont })._font.font ?? null;
    } catch {
      // A collection without that name, or a damaged file: another font may work.
      return null;
    }
  }
}

/** The letters to draw, without control and format characters. */
function drawable(text: string): string[] {
  return [...text.replace(/\p{Cf}|\p{Variation_Selector}/gu, '').replace(/[\p{Cc}]/gu, ' ')];
}
