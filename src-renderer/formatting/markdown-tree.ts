import type { Nodes } from 'hast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import type { Citation } from '../store/research-view.ts';
import { remarkCitations } from './citations.ts';

/** Markdown as elements: `toJsxRuntime` draws it. Plain data, so that it can come from a worker. */
export type MarkdownTree = Nodes;

/** Deeper or larger trees are not drawn: they would freeze React and the layout of the page. */
const DEEPEST = 100;
const MOST_NODES = 20_000;

const PLAIN = processorFor(null);

/**
 * Parses Markdown; numbers in brackets become links to the citations, where there are any. HTML in the
 * source becomes text. Null for what is too deeply nested or too large to draw. The time grows faster
 * than the source, so long texts belong in a worker.
 */
export function parseMarkdown(
  source: string,
  citations: readonly Citation[] | null = null,
): MarkdownTree | null {
  let tree: MarkdownTree;
  try {
    const processor = citations === null ? PLAIN : processorFor(citations);
    tree = processor.runSync(processor.parse(source));
  } catch (error) {
    // The parser calls itself for each level of quotes and lists.
    if (error instanceof RangeError) return null;
    throw error;
  }
  return tidy(tree) ? tree : null;
}

function processorFor(citations: readonly Citation[] | null) {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(citations === null ? [] : [remarkCitations(citations)])
    .use(remarkRehype, { allowDangerousHtml: true });
}

/** Makes text of HTML and drops places in the source. False where the tree is too large. */
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
      node.children = node.children.map((child) =>
        child.type === 'raw' ? { type: 'text', value: child.value } : child,
      );
      for (const child of node.children) next.push(child);
    }
    level = next;
  }
  return true;
}
