import { expect, it } from 'vitest';
import { parseMarkdown } from '#renderer/formatting/markdown-tree.ts';

/** The formulas of a text, with "display" for those on lines of their own. */
function formulas(source: string): string[] {
  const found: string[] = [];
  const visit = (node: NonNullable<ReturnType<typeof parseMarkdown>>): void => {
    if (node.type === 'element' && node.tagName === 'code') {
      const classes = (node.properties.className ?? []) as string[];
      const text = node.children.map((child) => ('value' in child ? child.value : '')).join('');
      if (classes.includes('math-inline')) found.push(text);
      if (classes.includes('math-display')) found.push(`display: ${text.trim()}`);
    }
    if ('children' in node) for (const child of node.children) visit(child);
  };
  const tree = parseMarkdown(source);
  if (tree === null) throw new Error('Too large');
  visit(tree);
  return found;
}

it.each([
  ['brackets in a line', 'So \\(a_1 * b_2\\) and \\(c\\).', ['a_1 * b_2', 'c']],
  ['square brackets in a line', 'So \\[x^2\\] holds.', ['x^2']],
  [
    'square brackets on lines of their own',
    'So\n\\[\n\\frac{a}{b}\n\\]\nholds',
    ['display: \\frac{a}{b}'],
  ],
  ['the same within an item', '- so\n  \\[\n  x\n  \\]\n- next', ['display: x']],
  ['dollar signs', 'So $x$, $y_1$ and $$z$$.', ['x', 'y_1', 'z']],
  ['a block of dollar signs', '$$\na\n\nb\n$$\n\nafter', ['display: a\n\nb']],
  [
    'a bracket that starts a line of text',
    '\\[x\\] holds.\n\n\\[note\\] and $y$.',
    ['x', 'note', 'y'],
  ],
  [
    'a formula over lines that look like a list',
    '\\[\na\n- b\n+ c\n\\]\nafter',
    ['display: a\n- b\n+ c'],
  ],
  ['money', 'From $5 to $10, or US$3 and $ 4, and $7.', []],
  ['money beside a formula', 'It costs $5 where $n$ is 3.', ['n']],
  ['code', '`$x$ \\(y\\)` and ``a ` $z$``\n\n```\n$x$ \\(y\\)\n```', []],
  ['what does not close', 'Open \\(x and $y and \\[z', []],
  ['an escaped dollar sign', 'Pay \\$5 or \\$6$', []],
])('reads %s', (_name, source, wanted) => {
  expect(formulas(source)).toEqual(wanted);
});
