import { parseSync, Visitor } from 'oxc-parser';
import type { Violation } from './import-table.ts';

/**
 * Only `components/markdown` turns text of a model into elements: it builds React nodes and checks every
 * address with `safe-url.ts`. No other code may do that.
 */
const MARKDOWN_FILE = 'src-renderer/components/markdown/markdown.tsx';

/** Files that may set a computed address on an element; each checks the address, or created it. */
const ADDRESS_FILES = new Set([
  'src-renderer/components/markdown/chat-link.tsx',
  // A picture, of what the page in the frame drew.
  'src-renderer/components/markdown/diagram.tsx',
  'src-renderer/components/markdown/markdown.tsx',
  'src-renderer/components/markdown/workspace-image.tsx',
  // The preview of an app: `AppTab` passes on nothing but such an address.
  'src-renderer/panels/app/app-page.tsx',
  'src-renderer/panels/app/app-toolbar.tsx',
  // Small pictures that main made; the contract holds them to that.
  'src-renderer/panels/app/state-picture.tsx',
  'src-renderer/panels/artifacts/artifact-thumbnail.tsx',
  'src-renderer/panels/chat/image-progress-line.tsx',
  'src-renderer/panels/composer/attachment-chips.tsx',
  // An object URL that the window created.
  'src-renderer/panels/computer/file-viewer.tsx',
  'src-renderer/panels/images/image-file.tsx',
  'src-renderer/panels/images/mask-canvas.tsx',
]);

/** The one place that frames another page: the preview of an app, at an origin of its own, in a sandbox. */
const PREVIEW_FILE = 'src-renderer/panels/app/app-page.tsx';

/** A page of its own, in a frame without an origin. */
const DIAGRAM_PAGE = 'src-renderer/diagram-page/';

/** APIs that turn a string into elements or a page. */
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

/** All code in a source of the window that could turn untrusted text into elements, code or a page. */
export function checkPageSafety(file: string, source: string): Violation[] {
  const found: Violation[] = [];
  const report = (rule: string, text: string, { start }: { start: number }): void => {
    if (rule === 'markup' && file.startsWith(DIAGRAM_PAGE)) return;
    if (rule === 'frame' && file === PREVIEW_FILE) return;
    found.push({ file, line: source.slice(0, start).split('\n').length, rule, text });
  };
  const named = (name: unknown, node: { start: number }): void => {
    if (typeof name !== 'string') return;
    if (MARKUP_NAMES.has(name)) report('markup', `${name} creates elements from a string`, node);
  };
  const { program, module } = parseSync(file, source);
  for (const { moduleRequest, start } of module.staticImports) {
    const { value } = moduleRequest;
    if (HTML_PACKAGES.test(value))
      report('markup', `${value} creates elements from a string`, { start });
    if (TREE_PACKAGES.test(value) && file !== MARKDOWN_FILE) {
      report('markup', `only ${MARKDOWN_FILE} creates elements from a tree`, { start });
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
        report('markup', `document.${text} creates elements from a string`, node);
      }
      if (CODE_NAMES.has(String(text)) && /^(?:window|globalThis|self)$/.test(owner)) {
        report('code', `${text} runs a string`, node);
      }
      if (owner === 'window' && text === 'open')
        report('navigate', 'use an anchor for links', node);
    },
    Property: (node) => {
      if (node.key.type === 'Identifier' || node.key.type === 'Literal') {
        named(node.key.type === 'Identifier' ? node.key.name : node.key.value, node);
      }
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type !== 'Identifier') return;
      if (CODE_NAMES.has(callee.name)) report('code', `${callee.name} runs a string`, node);
      const [first] = node.arguments;
      const isText = first?.type === 'Literal' || first?.type === 'TemplateLiteral';
      if (TIMERS.has(callee.name) && isText) report('code', `${callee.name} runs a string`, node);
    },
    NewExpression: ({ callee, start }) => {
      if (callee.type !== 'Identifier') return;
      if (callee.name === 'Function') report('code', 'new Function runs a string', { start });
      if (callee.name === 'DOMParser') {
        report('markup', 'DOMParser creates elements from a string', { start });
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
        // The window routes by the fragment, which loads nothing.
        if (name !== 'hash') report('navigate', 'the window must stay on its page', node);
      }
    },
    JSXAttribute: (node) => {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : '';
      named(name, node);
      const isComputed = node.value?.type === 'JSXExpressionContainer';
      if (ADDRESSES.has(name) && isComputed && !ADDRESS_FILES.has(file)) {
        report('address', `an unchecked address: ${name}`, node);
      }
    },
    JSXOpeningElement: ({ name, start }) => {
      if (name.type === 'JSXIdentifier' && FRAMES.has(name.name)) {
        report('frame', `<${name.name}> embeds another page`, { start });
      }
    },
  }).visit(program);
  return found;
}
