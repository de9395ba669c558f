import type { Citation } from '../store/research-view.ts';

/** Numbers in brackets of a report, as parts of its Markdown tree. Only what is needed of mdast. */
interface MarkdownNode {
  type: string;
  value?: string;
  url?: string;
  identifier?: string;
  children?: MarkdownNode[];
}

/** An internal address of the report: `#citation-12` or `#source-3`. No text can make it lead outside. */
const CITED = /^#(citation|source)-(\d{1,4})$/;
const NUMBERS = /\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]/g;

/** What a number in a report stands for. */
export interface Cited {
  readonly sourceIndex: number;
  /** One excerpt per statement. Empty if no statement is tied to the number. */
  readonly citations: readonly Citation[];
}

/** Whether one of its citations does not support the statement. */
export function isDoubtful({ citations }: Cited): boolean {
  return citations.some(({ supported }) => !supported);
}

/** What an address that `remarkCitations` made refers to; null for any other. */
export function citedAt(href: string, citations: readonly Citation[]): Cited | null {
  const match = CITED.exec(href);
  if (match === null) return null;
  const number = Number(match[2]);
  if (match[1] === 'source') return { sourceIndex: number, citations: [] };
  const first = citations[number];
  if (first === undefined) return null;
  const claim = plain(first.claim);
  const { sourceIndex } = first;
  const ofClaim = citations.filter(
    (one) => one.sourceIndex === sourceIndex && plain(one.claim) === claim,
  );
  // A report may repeat a statement; each excerpt is shown once, with its worst verdict.
  const byExcerpt = new Map<number, Citation>();
  for (const one of ofClaim) {
    const there = byExcerpt.get(one.excerptNumber);
    if (there === undefined || !one.supported) byExcerpt.set(one.excerptNumber, one);
  }
  return { sourceIndex, citations: [...byExcerpt.values()] };
}

/** What numbers in brackets refer to: the citations of a report, or the sources of a run, by number. */
export interface CitedWorks {
  readonly citations: readonly Citation[];
  /** Numbers that are sources, all others being plain text; null for a report, in which all are. */
  readonly known: readonly number[] | null;
}

/**
 * Makes links of `[1]` and `[1, 2]` in text (not in code), each to the citations of that source whose
 * statement stands before it: not further away than the number before of the same source.
 */
export function remarkCitations(works: CitedWorks): () => (tree: MarkdownNode) => void {
  return () => (tree) => visit(tree, works, newBlock());
}

function isKnown({ known }: CitedWorks, number: number): boolean {
  return known === null || known.includes(number);
}

/** The text of a block so far, and where the last number of each source was in it. */
interface Block {
  text: string;
  readonly cited: Map<number, string>;
}

function newBlock(): Block {
  return { text: '', cited: new Map() };
}

const BLOCKS: ReadonlySet<string> = new Set(['paragraph', 'heading', 'tableCell', 'listItem']);

function visit(node: MarkdownNode, works: CitedWorks, before: Block): void {
  if (node.children === undefined) return;
  const block = BLOCKS.has(node.type) ? newBlock() : before;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return splitText(child.value ?? '', works, block);
    const number = referenceNumber(child);
    if (number !== null && isKnown(works, number)) {
      return [linkTo(number, works.citations, block)];
    }
    visit(child, works, block);
    if (child.type === 'inlineCode') block.text += child.value ?? '';
    return [child];
  });
}

/** The number of `[1]` where the text defines an address for it; null for words with a number as their label. */
function referenceNumber({ type, identifier = '', children = [] }: MarkdownNode): number | null {
  const isNumber = type === 'linkReference' && /^\d{1,3}$/.test(identifier);
  return isNumber && children[0]?.value === identifier ? Number(identifier) : null;
}

function splitText(text: string, works: CitedWorks, block: Block): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  let from = 0;
  for (const match of text.matchAll(NUMBERS)) {
    const numbers = (match[1] ?? '').split(/[,;]/).map(Number);
    if (!numbers.every((number) => isKnown(works, number))) continue;
    const before = text.slice(from, match.index);
    if (before !== '') nodes.push({ type: 'text', value: before });
    block.text += before;
    for (const number of numbers) nodes.push(linkTo(number, works.citations, block));
    from = match.index + match[0].length;
  }
  const rest = text.slice(from);
  block.text += rest;
  if (rest !== '') nodes.push({ type: 'text', value: rest });
  return nodes;
}

function linkTo(sourceIndex: number, citations: readonly Citation[], block: Block): MarkdownNode {
  const earlier = block.cited.get(sourceIndex) ?? '';
  const index = nearest(sourceIndex, citations, plain(block.text.slice(earlier.length)));
  block.cited.set(sourceIndex, block.text);
  const url = index === null ? `#source-${sourceIndex}` : `#citation-${index}`;
  return { type: 'link', url, children: [{ type: 'text', value: String(sourceIndex) }] };
}

/** The citation of this source whose statement ends last in the text so far; else its only one. */
function nearest(sourceIndex: number, citations: readonly Citation[], text: string): number | null {
  let best: { index: number; end: number } | null = null;
  const ofSource: number[] = [];
  for (const [index, citation] of citations.entries()) {
    if (citation.sourceIndex !== sourceIndex) continue;
    ofSource.push(index);
    const claim = plain(citation.claim);
    const at = claim === '' ? -1 : text.lastIndexOf(claim);
    if (at === -1) continue;
    const end = at + claim.length;
    if (best === null || end > best.end) best = { index, end };
  }
  const [only = null] = ofSource.length === 1 ? ofSource : [];
  return best?.index ?? only;
}

/** The words alone, without Markdown and numbers in brackets. */
function plain(text: string): string {
  return text
    .replace(NUMBERS, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
