/**
 * Cuts growing Markdown at the boundaries of its top-level blocks, so that only the last block is
 * parsed again while an answer streams. It cuts only where rendering the pieces one by one gives
 * what rendering the whole gives; in doubt it does not cut. Joined again, the pieces are the source.
 * Two exceptions: footnotes show where they are written, and only numbers refer to one of another block;
 * a link reference definition counts only behind a blank line or another one.
 */
export interface BlockSplitter {
  /** Whole lines of the block that is still open. */
  lines: string;
  /** The last line while it is incomplete. */
  partial: string;
  /** The fence that the open block is inside of. */
  fence: { mark: string; length: number } | null;
  /** What ends the raw HTML that the open block is inside of. */
  htmlEnd: RegExp | null;
  /** Column at which the content of the current top-level list item begins; null outside lists. */
  listOffset: number | null;
  /** A line at the left edge followed an item: its paragraph went on, or the list ended. */
  afterLazyLine: boolean;
  /** A block certainly ended here, if the next line does not belong to a list. */
  atBoundary: boolean;
  /** The line before was a link reference definition. */
  afterDefinition: boolean;
  /** Only a full parser could tell what this is; no more cuts. */
  inDoubt: boolean;
}

export interface SplitResult {
  readonly finished: readonly string[];
  /** Link reference definitions that were met, as lines of Markdown. */
  readonly definitions: string;
}

/** Of code, or of a formula on lines of its own; `\[` only where its line does not close it. */
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,}|\${2,}(?=[^$]*$)|\\\[(?!.*\\\]))/;
const BRACKET_END = /\\\][ \t]*$/;
const LIST_ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])( +|$)/;
/** Headings and rules: whole blocks of one line. */
const ONE_LINE = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|([-*_])[ \t]*(?:\1[ \t]*){2,}$)/;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S/;
const BLANK = /^[ \t]*$/;
/** Raw HTML that a blank line ends, if it is raw HTML: start conditions 6 and 7. */
const TAG = /^ {0,3}<[a-z/]/i;
/** What blank lines do not end: raw HTML by CommonMark's start conditions 1 to 5, and what `<details>` hides. */
const HTML: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<details(?:[\s>]|$)/i, /<\/details>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
];

export function createSplitter(): BlockSplitter {
  return {
    lines: '',
    partial: '',
    fence: null,
    htmlEnd: null,
    listOffset: null,
    afterLazyLine: false,
    atBoundary: false,
    afterDefinition: false,
    inDoubt: false,
  };
}

/** The source of the open block, with its last, incomplete line. */
export function openBlock(splitter: BlockSplitter): string {
  return splitter.lines + splitter.partial;
}

/** Adds the next piece and returns the blocks that it finished. Linear in the length of the piece. */
export function pushMarkdown(splitter: BlockSplitter, piece: string): SplitResult {
  const finished: string[] = [];
  let definitions = '';
  let from = 0;
  for (;;) {
    const newline = piece.indexOf('\n', from);
    if (newline === -1) break;
    const line = splitter.partial + piece.slice(from, newline + 1);
    splitter.partial = '';
    if (isDefinition(splitter, line)) definitions += line;
    const block = takeLine(splitter, line);
    if (block !== null) finished.push(block);
    from = newline + 1;
  }
  splitter.partial += piece.slice(from);
  return { finished, definitions };
}

/** A definition does not interrupt a paragraph: it follows a boundary or another definition. */
function isDefinition(splitter: BlockSplitter, line: string): boolean {
  const { fence, htmlEnd, inDoubt, lines, atBoundary, afterDefinition } = splitter;
  if (fence !== null || htmlEnd !== null || inDoubt) return false;
  const mayBegin = lines === '' || atBoundary || afterDefinition;
  splitter.afterDefinition = mayBegin && DEFINITION.test(line);
  return splitter.afterDefinition;
}

/** Adds one whole line; returns the block before it if the line starts another. */
function takeLine(splitter: BlockSplitter, line: string): string | null {
  const text = line.replace(/\r?\n$/, '');
  if (splitter.fence !== null) {
    if (closesFence(text, splitter.fence)) {
      splitter.fence = null;
      splitter.atBoundary = true;
    }
    return append(splitter, line);
  }
  if (splitter.inDoubt) return append(splitter, line);
  if (splitter.htmlEnd !== null) return takeHtml(splitter, { line, text, end: splitter.htmlEnd });
  if (BLANK.test(text)) {
    splitter.atBoundary = true;
    return append(splitter, line);
  }
  const fence = topLevelFence(splitter, text);
  const finished = fence !== null || startsBlock(splitter, text) ? cut(splitter) : null;
  splitter.atBoundary = false;
  splitter.fence = fence;
  if (fence === null) enterContainer(splitter, text);
  append(splitter, line);
  return finished;
}

function takeHtml(
  splitter: BlockSplitter,
  { line, text, end }: { readonly line: string; readonly text: string; readonly end: RegExp },
): null {
  if (end.test(text)) {
    splitter.htmlEnd = null;
    splitter.atBoundary = end === BLANK;
  } else if (end === BLANK && (FENCE.test(text) || LIST_ITEM.test(text))) {
    // A fence if the tag only began a paragraph, plain text if it began raw HTML.
    splitter.inDoubt = true;
  }
  return append(splitter, line);
}

function append(splitter: BlockSplitter, line: string): null {
  splitter.lines += line;
  return null;
}

function cut(splitter: BlockSplitter): string | null {
  splitter.listOffset = null;
  splitter.afterLazyLine = false;
  // Blank lines before the first block belong to it.
  if (splitter.lines.trim() === '') return null;
  const block = splitter.lines;
  splitter.lines = '';
  return block;
}

/** A line at the left edge that does not continue a list starts a block of its own. */
function startsBlock({ atBoundary, listOffset }: BlockSplitter, text: string): boolean {
  if (!atBoundary || /^[ \t]/.test(text)) return false;
  return listOffset === null || !LIST_ITEM.test(text);
}

/** The fence that this line opens outside of any list item. */
function topLevelFence(splitter: BlockSplitter, text: string): BlockSplitter['fence'] {
  const match = FENCE.exec(text);
  if (match === null) return null;
  const [, indent = '', marks = ''] = match;
  if (splitter.listOffset !== null && indent.length >= splitter.listOffset) {
    // Inside the item, unless the list ended before.
    splitter.inDoubt ||= splitter.afterLazyLine;
    return null;
  }
  return { mark: marks.charAt(0), length: marks.length };
}

function closesFence(text: string, fence: { mark: string; length: number }): boolean {
  if (fence.mark === '\\') return BRACKET_END.test(text);
  const match = /^ {0,3}(`{3,}|~{3,}|\${2,})[ \t]*$/.exec(text);
  const marks = match?.[1];
  return marks?.charAt(0) === fence.mark && marks.length >= fence.length;
}

function enterContainer(splitter: BlockSplitter, text: string): void {
  const item = LIST_ITEM.exec(text);
  const indent = /^ */.exec(text)?.[0].length ?? 0;
  const inItem = splitter.listOffset !== null && indent >= splitter.listOffset;
  if (!inItem && ONE_LINE.test(text)) {
    splitter.listOffset = null;
    splitter.afterLazyLine = false;
    splitter.atBoundary = true;
    return;
  }
  if (item !== null && !inItem) {
    const [, before = '', marker = '', after = ''] = item;
    const gap = after.length >= 1 && after.length <= 4 ? after.length : 1;
    splitter.listOffset = before.length + marker.length + gap;
    splitter.afterLazyLine = false;
    return;
  }
  if (inItem) return;
  splitter.afterLazyLine = splitter.listOffset !== null;
  const html = HTML.find(([start]) => start.test(text));
  if (html === undefined) {
    if (TAG.test(text)) splitter.htmlEnd = BLANK;
  } else if (!html[1].test(text)) splitter.htmlEnd = html[1];
}
