import type { Nodes, Parents } from 'mdast';
import { Watchdog, WatchdogTimeout } from '../guardrails/watchdog.ts';

/** For one conversation; most need no parsing at all. */
const PARSE_MS = 2_000;
/** Tags that change how text looks, and load nothing. */
const HARMLESS = /<(?!\/?(?:br|b|i|u|s|em|strong|del|ins|mark|small|sub|sup|kbd)\s*\/?>)/i;
const MAY_LOAD = /!\[|<[a-z!?/]/i;

interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The same Markdown, which loads nothing when it is shown: pictures are links, and HTML is text. Code stays as it
 * is, unless the text takes too long to parse.
 */
export async function withoutPictures(markdown: string): Promise<string> {
  if (!MAY_LOAD.test(markdown)) return markdown;
  const [{ unified }, { default: remarkParse }, { default: remarkGfm }] = await Promise.all([
    import('unified'),
    import('remark-parse'),
    import('remark-gfm'),
  ]);
  const processor = unified().use(remarkParse).use(remarkGfm);
  try {
    return new Watchdog().run(PARSE_MS, () => changed(markdown, processor.parse(markdown)));
  } catch (error) {
    // The parser calls itself for each level of quotes and lists.
    if (!(error instanceof WatchdogTimeout || error instanceof RangeError)) throw error;
    return markdown.replace(/<(?=[a-z!?/])/gi, '&lt;').replaceAll('![', '! [');
  }
}

function changed(markdown: string, tree: Nodes): string {
  const changes: Change[] = [];
  const urls = new Map<string, string>();
  visit(tree, null, (node) => {
    if (node.type === 'definition' && !urls.has(node.identifier)) {
      urls.set(node.identifier, node.url);
    }
  });
  visit(tree, null, (node, parent) => {
    const from = node.position?.start.offset ?? 0;
    const to = node.position?.end.offset ?? 0;
    if (node.type === 'image' || node.type === 'imageReference') {
      const url = node.type === 'image' ? node.url : (urls.get(node.identifier) ?? '');
      const label = escaped((node.alt || url).replaceAll(/\s+/g, ' '));
      const isInLink = parent?.type === 'link' || parent?.type === 'linkReference';
      const text = isInLink ? label : `[${label}](<${addressOf(url)}>)`;
      // With an exclamation mark before it, the link would be a picture again.
      changes.push({ from, to, text: markdown[from - 1] === '!' ? ` ${text}` : text });
    } else if (node.type === 'html' && HARMLESS.test(node.value)) {
      changes.push({ from, to, text: escaped(markdown.slice(from, to)) });
    }
  });
  let text = '';
  let end = 0;
  for (const { from, to, text: instead } of changes) {
    text += markdown.slice(end, from) + instead;
    end = to;
  }
  return text + markdown.slice(end);
}

function visit(
  node: Nodes,
  parent: Parents | null,
  look: (node: Nodes, parent: Parents | null) => void,
): void {
  look(node, parent);
  if ('children' in node) for (const child of node.children) visit(child, node, look);
}

/**
 * Whatever could begin something in Markdown. `>` stays: it begins the lines of a quote. A backslash before `<` could
 * belong to an address.
 */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]!|~$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}

function addressOf(url: string): string {
  return url.replaceAll(/[\s<>\\|]/g, encodeURIComponent);
}
