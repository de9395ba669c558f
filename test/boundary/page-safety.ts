import { parseSync, Visitor } from 'oxc-parser';
import type { Violation } from './import-table.ts';

/**
 * The window has one way from text of a model to elements: `components/markdown`, which builds React
 * nodes and judges every address by `safe-url.ts`. What could be a second way is not written anywhere.
 */
const MARKDOWN_FILE = 'src-renderer/components/markdown/markdown.tsx';

/** Where an address that is not a literal may be put on an element; each gets it judged, or made it. */
const ADDRESS_FILES = new Set([
  'src-renderer/components/markdown/chat-link.tsx',
  'src-renderer/components/markdown/markdown.tsx',
  'src-renderer/components/markdown/workspace-image.tsx',
  // An object URL of the window's own making.
  'src-renderer/panels/computer/file-viewer.tsx',
]);

/** Each turns a string into elements, or into a page. */
const MARKUP_NAMES = new Set([
  'dangerouslySetInnerHTML',
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'createContextualFragment',
  'parseFromString',
  'setHTML',
  'setHTMLUnsafe',
  'parseHTMLUnsafe',
  'srcdoc',
  'srcDoc',
]);
const CODE_NAMES = new Set(['eval', 'Function', 'execScript']);
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate']);
const HTML_PACKAGES = /^(?:rehype-raw|dompurify|html-react-parser|hast-util-raw|sanitize-html)$/;
const TREE_PACKAGES = /^(?:react-markdown|rehype-react|hast-util-to-(?:jsx-runtime|html|dom))$/;
const FRAMES = new Set(['iframe', 'frame', 'object', 'embed', 'webview', 'script', 'base', 'meta']);
const ADDRESSES = new Set(
  ['href', 'src', 'srcSet', 'xlinkHref', 'action', 'formAction', 'poster', 'data', 'ping'].flatMap(
    (name) => [name, name.toLowerCase()],
  ),
);

/** Everything in a source of the window that could make a page of what somebody else wrote. */
export function checkPageSafety(file: string, source: string): Violation[] {
  const found: Violation[] = [];
  const say = (rule: string, text: string, { start }: { start: number }): void => {
    found.push({ file, line: source.slice(0, start).split('\n').length, rule, text });
  };
  const named = (name: unknown, node: { start: number }): void => {
    if (typeof name !== 'string') return;
    if (MARKUP_NAMES.has(name)) say('markup', `${name} makes elements of a string`, node);
  };
  const { program, module } = parseSync(file, source);
  for (const { moduleRequest, start } of module.staticImports) {
    const { value } = moduleRequest;
    if (HTML_PACKAGES.test(value)) say('markup', `${value} makes elements of a string`, { start });
    if (TREE_PACKAGES.test(value) && file !== MARKDOWN_FILE) {
      say('markup', `only ${MARKDOWN_FILE} makes elements of a tree`, { start });
    }
  }
  new Visitor({
    MemberExpression: (node) => {
      const { property, object } = node;
      const name = property.type === 'Identifier' && !node.computed ? property.name : null;
      const text = property.type === 'Literal' ? property.value : name;
      named(text, node);
      const owner = object.type === 'Identifier' ? object.name : '';
      if (owner === 'document' && (text === 'write' || text === 'writeln')) {
        say('markup', `document.${text} makes elements of a string`, node);
      }
      if (CODE_NAMES.has(String(text)) && /^(?:window|globalThis|self)$/.test(owner)) {
        say('code', `${text} runs a string`, node);
      }
      if (owner === 'window' && text === 'open') say('navigate', 'links are anchors', node);
    },
    Property: (node) => {
      if (node.key.type === 'Identifier' || node.key.type === 'Literal') {
        named(node.key.type === 'Identifier' ? node.key.name : node.key.value, node);
      }
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type !== 'Identifier') return;
      if (CODE_NAMES.has(callee.name)) say('code', `${callee.name} runs a string`, node);
      const [first] = node.arguments;
      const isText = first?.type === 'Literal' || first?.type === 'TemplateLiteral';
      if (TIMERS.has(callee.name) && isText) say('code', `${callee.name} runs a string`, node);
    },
    NewExpression: ({ callee, start }) => {
      if (callee.type !== 'Identifier') return;
      if (callee.name === 'Function') say('code', 'new Function runs a string', { start });
      if (callee.name === 'DOMParser') {
        say('markup', 'DOMParser makes elements of a string', { start });
      }
    },
    AssignmentExpression: (node) => {
      const { left } = node;
      const target = left.type === 'MemberExpression' ? left.object : left;
      if (target.type === 'Identifier' && target.name === 'location') {
        const name =
          left.type === 'MemberExpression' && left.property.type === 'Identifier'
            ? left.property.name
            : '';
        // The window finds its way by the part behind the `#`, which loads nothing.
        if (name !== 'hash') say('navigate', 'the window stays on its page', node);
      }
    },
    JSXAttribute: (node) => {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : '';
      named(name, node);
      const isComputed = node.value?.type === 'JSXExpressionContainer';
      if (ADDRESSES.has(name) && isComputed && !ADDRESS_FILES.has(file)) {
        say('address', `an address that nobody judged: ${name}`, node);
      }
    },
    JSXOpeningElement: ({ name, start }) => {
      if (name.type === 'JSXIdentifier' && FRAMES.has(name.name)) {
        say('frame', `<${name.name}> holds another page`, { start });
      }
    },
  }).visit(program);
  return found;
}
