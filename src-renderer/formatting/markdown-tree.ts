import type { Nodes } from 'hast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { type CitedWorks, remarkCitations } from './citations.ts';
import { remarkFootnotes } from './footnotes.ts';
import { parseWithFormulas, remarkFormulas } from './formulas.ts';
import { readHtml } from './html-subset.ts';

/** Markdown as elements: `toJsxRuntime` draws it. Plain data, so that it can come from a worker. */
export type MarkdownTree = Nodes;

/** Deeper or larger trees are not drawn: they would freeze React and the layout of the page. */
const DEEPEST = 100;
const MOST_NODES = 20_000;

const PLAIN = processorFor(null);

/**
 * Parses Markdown; numbers in brackets become links to what they refer to, where that is known. A few tags
 * of HTML that only change how text looks are read, all others become text. Null for what is too deeply nested or too large
 * to draw. The time grows faster than the source, so long texts belong in a worker.
 */
export function parseMarkdown(
  source: string,
  works: CitedWorks | null = null,
): MarkdownTree | null {
  let tree: MarkdownTree;
  try {
    const processor = works === null ? PLAIN : processorFor(works);
    tree = processor.runSync(parseWithFormulas(source, (text) => processor.parse(text)));
  } catch (error) {
    // The parser calls itself for each level of quotes and lists.
    if (error instanceof RangeError) return null;
    throw error;
  }
  return tidy(tree) ? tree : null;
}

function processorFor(works: CitedWorks | null) {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkFormulas)
    .use(remarkFootnotes)
    .use(works === null ? [] : [remarkCitations(works)])
    .use(remarkRehype, { allowDangerousHtml: true });
}

/** What is written from right to left is shown so, block by block. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...[
    'p',
    'li',
    'ul',
    'ol',
    'blockquote',
    'td',
    'th',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'summary',
  ],
]);

/** Reads or shows HTML, and drops places in the source. False where the tree is too large. */
function tidy(tree: MarkdownTree): boolean {
  let level: MarkdownTree[] = [tree];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length;
    if (depth > DEEPEST || nodes > MOST_NODES) return false;
    const next: MarkdownTree[] = [];
    for (const node of level) {
      delete node.position;
      if (!('children' in node)) continue;
      node.children = readHtml(node.children) as typeof node.children;
      if (node.type === 'element' && BLOCKS.has(node.tagName)) node.properties.dir = 'auto';
      for (const child of node.children) next.push(child);
    }
    level = next;
  }
  return true;
}
