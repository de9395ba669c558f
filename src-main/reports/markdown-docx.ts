import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileChild, ILevelsOptions, IParagraphOptions, Paragraph } from 'docx';
import type { MarkedToken, Token, Tokens } from 'marked';
import { CODE_FONT, type Docx, lineOf, writable } from './docx-text.ts';
import { fromMarkdown } from './markdown-tokens.ts';

/** In twentieths of a point. */
const INDENT = 360;
const MAX_LEVEL = 8;

/**
 * Markdown as a Word document (docx): headings, paragraphs, lists, tables, code, quotations, bold,
 * italic and links. Pictures become their alternative text, raw HTML is left out. A text that cannot be parsed in
 * time is written line by line as it is.
 */
export async function markdownToDocx(
  markdown: string,
  { title }: { readonly title: string },
): Promise<Uint8Array> {
  const docx = await import('docx');
  const { writer, children } = await fromMarkdown(markdown, (tokens) => {
    const made = new DocxWriter(docx);
    return { writer: made, children: made.blocks(tokens, {}) };
  });
  // Parsing, building and packing each take a while: the event loop runs in between.
  await nextTurn();
  const document = new docx.Document({
    title: writable(title),
    creator: 'HyperAgent',
    numbering: { config: writer.numberings() },
    sections: [{ children }],
  });
  await nextTurn();
  return await docx.Packer.toBuffer(document);
}

type Place = Pick<IParagraphOptions, 'bullet' | 'numbering' | 'indent' | 'border'>;

class DocxWriter {
  readonly #docx: Docx;
  /** The first number of each numbered list. */
  readonly #starts: number[] = [];

  constructor(docx: Docx) {
    this.#docx = docx;
  }

  blocks(tokens: readonly Token[], place: Place, depth = 0): FileChild[] {
    return tokens.flatMap((token) => this.#block(token as MarkedToken, place, depth));
  }

  /** A numbering for each list, so that every list counts from its own start. */
  numberings(): { readonly reference: string; readonly levels: ILevelsOptions[] }[] {
    const { AlignmentType, LevelFormat } = this.#docx;
    return this.#starts.map((start, index) => ({
      reference: `list-${index}`,
      levels: Array.from({ length: MAX_LEVEL + 1 }, (_, level) => ({
        level,
        start,
        format: LevelFormat.DECIMAL,
        text: `%${level + 1}.`,
        alignment: AlignmentType.START,
        style: { paragraph: { indent: { left: (level + 1) * 2 * INDENT, hanging: INDENT } } },
      })),
    }));
  }

  #block(token: MarkedToken, place: Place, depth: number): FileChild[] {
    switch (token.type) {
      case 'heading':
        return [this.#heading(token)];
      case 'paragraph':
      case 'text':
        return [this.#paragraph(token.tokens ?? [token], place)];
      case 'list':
        return this.#list(token as Tokens.List, depth);
      case 'table':
        return [this.#table(token as Tokens.Table), this.#paragraph([], {})];
      case 'blockquote':
        return this.blocks(token.tokens, this.#quotation(), depth);
      case 'code':
        return [this.#code(token.text)];
      case 'hr':
        return [new this.#docx.Paragraph({ thematicBreak: true })];
      default:
        return [];
    }
  }

  #heading({ depth, tokens }: Tokens.Heading): Paragraph {
    const { HeadingLevel, Paragraph } = this.#docx;
    const levels = [
      ...[HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3],
      ...[HeadingLevel.HEADING_4, HeadingLevel.HEADING_5, HeadingLevel.HEADING_6],
    ];
    const heading = levels[depth - 1] ?? HeadingLevel.HEADING_6;
    return new Paragraph({ heading, children: lineOf(this.#docx, tokens) });
  }

  #paragraph(tokens: readonly Token[], place: Place): Paragraph {
    const children = lineOf(this.#docx, tokens);
    return new this.#docx.Paragraph({ children, spacing: { after: 120 }, ...place });
  }

  #list({ ordered, start, items }: Tokens.List, depth: number): FileChild[] {
    const level = Math.min(depth, MAX_LEVEL);
    const reference = `list-${this.#starts.length}`;
    if (ordered) this.#starts.push(typeof start === 'number' ? start : 1);
    const mark: Place = ordered ? { numbering: { reference, level } } : { bullet: { level } };
    const below: Place = { indent: { left: (level + 1) * 2 * INDENT } };
    return items.flatMap(({ tokens }) => {
      // Only the first line of an item has the bullet or number.
      const [first, ...rest] = joinedCheckbox(tokens);
      if (first === undefined) return [this.#paragraph([], mark)];
      const opens = first.type === 'text' || first.type === 'paragraph';
      const head = opens ? this.blocks([first], mark, depth + 1) : [this.#paragraph([], mark)];
      return [...head, ...this.blocks(opens ? rest : [first, ...rest], below, depth + 1)];
    });
  }

  #table({ header, rows }: Tokens.Table): FileChild {
    const { AlignmentType, Paragraph, Table, TableCell, TableRow, WidthType } = this.#docx;
    const alignments = {
      left: AlignmentType.LEFT,
      center: AlignmentType.CENTER,
      right: AlignmentType.RIGHT,
    };
    const cells = (row: readonly Tokens.TableCell[], bold: boolean) =>
      row.map(({ tokens, align }) => {
        const children = lineOf(this.#docx, tokens, { bold });
        const alignment = alignments[align ?? 'left'];
        return new TableCell({ children: [new Paragraph({ children, alignment })] });
      });
    return new Table({
      width: { size: 100, type: WidthType.PERCENTAGE },
      rows: [
        new TableRow({ tableHeader: true, children: cells(header, true) }),
        ...rows.map((row) => new TableRow({ children: cells(row, false) })),
      ],
    });
  }

  #quotation(): Place {
    const left = { style: this.#docx.BorderStyle.SINGLE, size: 12, color: 'BFBFBF', space: 8 };
    return { indent: { left: INDENT }, border: { left } };
  }

  #code(text: string): Paragraph {
    const { Paragraph, TextRun } = this.#docx;
    const lines = writable(text).split('\n');
    return new Paragraph({
      children: lines.map(
        (line, index) =>
          new TextRun({ text: line, font: CODE_FONT, ...(index === 0 ? {} : { break: 1 }) }),
      ),
      shading: { type: 'clear', color: 'auto', fill: 'F2F2F2' },
      spacing: { after: 120 },
    });
  }
}

/** Moves the checkbox of a task into the line that it belongs to. */
function joinedCheckbox(tokens: readonly Token[]): readonly Token[] {
  const [box, line, ...rest] = tokens;
  if (box?.type !== 'checkbox' || line === undefined) return tokens;
  const inner = 'tokens' in line && Array.isArray(line.tokens) ? line.tokens : [line];
  return [{ type: 'text', raw: '', text: '', tokens: [box, ...inner] } as Tokens.Text, ...rest];
}
