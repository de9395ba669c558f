import type { ParagraphChild } from 'docx';
import type { MarkedToken, Token } from 'marked';

export type Docx = typeof import('docx');

interface Look {
  readonly bold?: boolean;
  readonly italics?: boolean;
  readonly strike?: boolean;
  readonly isCode?: boolean;
  readonly isLink?: boolean;
}

export const CODE_FONT = 'Courier New';
const CODE_SHADE = { type: 'clear', color: 'auto', fill: 'F2F2F2' } as const;

/** The pieces of a line as Word has them. Pictures are named by their text, addresses that are none are text. */
export function lineOf(docx: Docx, tokens: readonly Token[], look: Look = {}): ParagraphChild[] {
  return tokens.flatMap((token) => pieceOf(docx, token as MarkedToken, look));
}

function pieceOf(docx: Docx, token: MarkedToken, look: Look): ParagraphChild[] {
  switch (token.type) {
    case 'strong':
      return lineOf(docx, token.tokens, { ...look, bold: true });
    case 'em':
      return lineOf(docx, token.tokens, { ...look, italics: true });
    case 'del':
      return lineOf(docx, token.tokens, { ...look, strike: true });
    case 'codespan':
      return [run(docx, token.text, { ...look, isCode: true })];
    case 'br':
      return [new docx.TextRun({ break: 1 })];
    case 'link': {
      const children = lineOf(docx, token.tokens, { ...look, isLink: true });
      if (!/^(?:https?:|mailto:)/i.test(token.href)) return lineOf(docx, token.tokens, look);
      return [new docx.ExternalHyperlink({ link: token.href, children })];
    }
    case 'image':
      return [run(docx, token.text, { ...look, italics: true })];
    case 'html':
      return /^<br\s*\/?>/i.test(token.text) ? [new docx.TextRun({ break: 1 })] : [];
    case 'text':
      if (token.tokens !== undefined) return lineOf(docx, token.tokens, look);
      return [run(docx, decoded(token.text), look)];
    case 'escape':
      return [run(docx, decoded(token.text), look)];
    case 'checkbox':
      return [run(docx, token.checked ? '☑ ' : '☐ ', look)];
    default:
      return 'text' in token && typeof token.text === 'string' ? [run(docx, token.text, look)] : [];
  }
}

function run(docx: Docx, text: string, { isCode, isLink, ...look }: Look): ParagraphChild {
  return new docx.TextRun({
    text: writable(text),
    ...look,
    ...(isCode === true ? { font: CODE_FONT, shading: CODE_SHADE } : {}),
    ...(isLink === true ? { style: 'Hyperlink' } : {}),
  });
}

/** Without what no XML may hold. */
export function writable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(NOT_IN_XML, '').toWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' },
};

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
