import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkPageSafety } from './page-safety.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('nothing in the window turns a string into elements, code or a page', () => {
  const files = globSync('{src-renderer,src-preload}/**/*.{ts,tsx}', { cwd: root }).map((file) =>
    file.split(path.sep).join('/'),
  );
  const found = files.flatMap((file) =>
    checkPageSafety(file, readFileSync(path.join(root, file), 'utf8')),
  );
  expect(found).toEqual([]);
  // An empty result proves nothing if nothing was read.
  expect(files.length).toBeGreaterThan(100);
  expect(files).toContain('src-renderer/components/markdown/markdown.tsx');
});

describe('the checker', () => {
  const rulesOf = (source: string, file = 'src-renderer/panels/a.tsx') =>
    checkPageSafety(file, source).map(({ rule }) => rule);

  test.each([
    ['markup', 'export const a = <p dangerouslySetInnerHTML={{ __html: x }} />;'],
    ['markup', `createElement('p', { dangerouslySetInnerHTML: { __html: x } });`],
    ['markup', 'node.innerHTML = x;'],
    ['markup', `node['outerHTML'] = x;`],
    ['markup', `node.insertAdjacentHTML('beforeend', x);`],
    ['markup', 'document.write(x);'],
    ['markup', 'document.writeln(x);'],
    ['markup', 'range.createContextualFragment(x);'],
    ['markup', 'const parser = new DOMParser();'],
    ['markup', 'node.setHTMLUnsafe(x);'],
    ['markup', `import raw from 'rehype-raw';`],
    ['markup', `import Markdown from 'react-markdown';`],
    ['markup', `import { toJsxRuntime } from 'hast-util-to-jsx-runtime';`],
    ['code', 'eval(x);'],
    ['code', 'window.eval(x);'],
    ['code', 'new Function(x)();'],
    ['code', 'Function(x)();'],
    ['code', `setTimeout('pwned()', 1);`],
    ['navigate', 'window.open(x);'],
    ['navigate', 'location.href = x;'],
    ['navigate', 'location = x;'],
    ['address', 'export const a = <a href={x}>x</a>;'],
    ['address', 'export const a = <img src={x} />;'],
    ['frame', 'export const a = <iframe title="x" />;'],
  ])('reports %s: %s', (rule, source) => {
    expect(rulesOf(source)).toContain(rule);
  });

  test.each([
    'export const a = <a href="#top">{x}</a>;',
    'setTimeout(() => undefined, 1);',
    `location.hash = '#/task/1';`,
    'node.textContent = x;',
    'file.write(x);',
  ])('accepts: %s', (source) => {
    expect(rulesOf(source)).toEqual([]);
  });

  test('accepts the files that check addresses', () => {
    const anchor = 'export const a = <a href={x}>x</a>;';
    expect(rulesOf(anchor, 'src-renderer/components/markdown/chat-link.tsx')).toEqual([]);
  });
});
