import type { Element, ElementContent, Root, RootContent } from 'hast';

/** HTML that models write in answers, and that changes nothing but how their own text looks. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...['sub', 'sup', 'kbd', 'mark', 'u', 's', 'del', 'ins', 'b', 'i', 'em', 'strong', 'small'],
  ...['details', 'summary'],
]);
/** A tag without attributes; `open` is the one that `<details>` may have. */
const TAG = /<(\/?)([a-z]+)( open)?\s*(\/?)>/gi;

/** An element that is still open, and the tag as it was written. */
interface Open {
  readonly tag: string;
  readonly source: string;
  readonly isOpen: boolean;
  readonly children: RootContent[];
}

/** The children of an element, with pairs of allowed tags as elements and all other HTML as text. */
export function readHtml(children: readonly RootContent[]): RootContent[] {
  if (!children.some(({ type }) => type === 'raw')) return [...children];
  const root: RootContent[] = [];
  const stack: Open[] = [];
  const put = (node: RootContent): void => void (stack.at(-1)?.children ?? root).push(node);
  const putText = (value: string): void => {
    if (value !== '') put({ type: 'text', value });
  };
  for (const child of children) {
    if (child.type !== 'raw') {
      put(child);
      continue;
    }
    let from = 0;
    for (const match of child.value.matchAll(TAG)) {
      const [source, slash, name = '', open, selfClosing] = match;
      const tag = name.toLowerCase();
      const isBreak = tag === 'br' && slash === '';
      if (!isBreak && (!ALLOWED.has(tag) || selfClosing !== '')) continue;
      if (slash === '/' && stack.at(-1)?.tag !== tag) continue;
      putText(child.value.slice(from, match.index));
      from = match.index + source.length;
      if (isBreak) put(element('br'));
      else if (slash === '') stack.push({ tag, source, isOpen: open !== undefined, children: [] });
      else {
        const closed = stack.pop();
        if (closed !== undefined) put(element(tag, closed));
      }
    }
    putText(child.value.slice(from));
  }
  // What was never closed is text, and its content stays where it is.
  for (const { source, children: inside } of stack)
    root.push({ type: 'text', value: source }, ...inside);
  return root;
}

function element(tagName: string, from: Partial<Open> = {}): Element {
  const properties = from.isOpen === true ? { open: true } : {};
  const children = (from.children ?? []).filter(isElementContent);
  return { type: 'element', tagName, properties, children };
}

function isElementContent(node: Root['children'][number]): node is ElementContent {
  return node.type !== 'doctype';
}
