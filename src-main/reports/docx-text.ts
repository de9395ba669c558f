import type { ParagraphChild } from 'docx';
import type { MarkedToken, Token } from 'marked';
import { decoded } from './markdown-tokens.ts';

export type Docx = typeof import('docx');

interface TextStyle {
  readonly bold?: boolean;
  readonly italics?: boolean;
  readonly strike?: boolean;
  readonly isCode?: boolean;
  readonly isLink?: boolean;
}

export const CODE_FONT = 'Courier New';
const CODE_SHADE = { type: 'clear', color: 'auto', fill: 'F2F2F2' } as const;

/** The runs of a line in Word. A picture becomes its alternative text, an unsafe or invalid link its text. */
export function lineOf(
  docx: Docx,
  tokens: readonly Token[],
  style: TextStyle = {},
): ParagraphChild[] {
  return tokens.flatMap((token) => runOf(docx, token as MarkedToken, style));
}

function runOf(docx: Docx, token: MarkedToken, style: TextStyle): ParagraphChild[] {
  switch (token.type) {
    case 'strong':
      return lineOf(docx, token.tokens, { ...style, bold: true });
    case 'em':
      return lineOf(docx, token.tokens, { ...style, italics: true });
    case 'del':
      return lineOf(docx, token.tokens, { ...style, strike: true });
    case 'codespan':
      return [run(docx, token.text, { ...style, isCode: true })];
    case 'br':
      return [new docx.TextRun({ break: 1 })];
    case 'link': {
      const children = lineOf(docx, token.tokens, { ...style, isLink: true });
      if (!/^(?:https?:|mailto:)/i.test(token.href)) return lineOf(docx, token.tokens, style);
      return [new docx.ExternalHyperlink({ link: token.href, children })];
    }
    case 'image':
      return [run(docx, token.text, { ...style, italics: true })];
    case 'html':
      return /^<br\s*\/?>/i.test(token.text) ? [new docx.TextRun({ break: 1 })] : [];
    case 'text':
      if (token.tokens !== undefined) return lineOf(docx, token.tokens, style);
      return [run(docx, decoded(token.text), style)];
    case 'escape':
      return [run(docx, decoded(token.text), style)];
    case 'checkbox':
      return [run(docx, token.checked ? '☑ ' : '☐ ', style)];
    default:
      return 'text' in token && typeof token.text === 'string'
        ? [run(docx, token.text, style)]
        : [];
  }
}

function run(docx: Docx, text: string, { isCode, isLink, ...style }: TextStyle): ParagraphChild {
  return new docx.TextRun({
    text: writable(text),
    ...style,
    ...(isCode === true ? { font: CODE_FONT, shading: CODE_SHADE } : {}),
    ...(isLink === true ? { style: 'Hyperlink' } : {}),
  });
}

/** Removes characters that XML does not allow. */
export function writable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(NOT_IN_XML, '').toWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
