/** What is needed of mdast here. */
interface MarkdownNode {
  type: string;
  value?: string;
  label?: string | null;
  identifier?: string;
  data?: { readonly hName: string; readonly hProperties: Readonly<Record<string, unknown>> };
  children?: MarkdownNode[];
}

/** A reference whose note is in another block of the answer: only a number, as regular expressions look like others. */
const REFERENCE = /\[\^(\d{1,3})\]/g;

/**
 * Shows footnotes where they stand, under the numbers that they are written with: an answer is parsed block by block, so
 * that notes cannot be counted and gathered at its end.
 */
export function remarkFootnotes(): (tree: MarkdownNode) => void {
  return visit;
}

function visit(node: MarkdownNode): void {
  if (node.children === undefined) return;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return splitText(child.value ?? '');
    if (child.type === 'footnoteReference') return [mark(labelOf(child))];
    visit(child);
    return [child.type === 'footnoteDefinition' ? note(child) : child];
  });
}

function splitText(text: string): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  let from = 0;
  for (const match of text.matchAll(REFERENCE)) {
    if (match.index > from) nodes.push({ type: 'text', value: text.slice(from, match.index) });
    nodes.push(mark(match[1] ?? ''));
    from = match.index + match[0].length;
  }
  const rest = text.slice(from);
  return rest === '' && nodes.length > 0 ? nodes : [...nodes, { type: 'text', value: rest }];
}

function labelOf({ label, identifier }: MarkdownNode): string {
  return label ?? identifier ?? '';
}

function mark(label: string): MarkdownNode {
  return {
    type: 'emphasis',
    data: { hName: 'sup', hProperties: { className: ['footnote-mark'] } },
    children: [{ type: 'text', value: label }],
  };
}

function note(node: MarkdownNode): MarkdownNode {
  const [first, ...rest] = node.children ?? [];
  const lead = [mark(labelOf(node)), { type: 'text', value: ' ' }];
  const begun: MarkdownNode[] =
    first?.type === 'paragraph'
      ? [{ ...first, children: [...lead, ...(first.children ?? [])] }, ...rest]
      : [{ type: 'paragraph', children: lead }, ...(first === undefined ? [] : [first]), ...rest];
  return {
    type: 'blockquote',
    data: { hName: 'div', hProperties: { className: ['footnote'] } },
    children: begun,
  };
}
