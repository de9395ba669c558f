import fc from 'fast-check';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '#renderer/formatting/markdown-tree.ts';
import { createSplitter, openBlock, pushMarkdown } from '#renderer/store/markdown-blocks.ts';
import { trials } from '../setup/sampling.ts';

function split(text: string, piece = text.length || 1): { blocks: string[]; definitions: string } {
  const splitter = createSplitter();
  const blocks: string[] = [];
  let definitions = '';
  for (let from = 0; from < text.length; from += piece) {
    const result = pushMarkdown(splitter, text.slice(from, from + piece));
    blocks.push(...result.finished);
    definitions += result.definitions;
  }
  if (openBlock(splitter) !== '') blocks.push(openBlock(splitter));
  return { blocks, definitions };
}

function render(source: string): string {
  const tree = parseMarkdown(source);
  if (tree === null) throw new Error('Too large');
  return renderToStaticMarkup(toJsxRuntime(tree, { Fragment, jsx, jsxs }));
}

/** White space between blocks is not shown, nor that at the end of code. */
function normalize(html: string): string {
  const flat = html.replace(/\n/g, ' ').replace(/ +/g, ' ');
  return flat
    .replace(/> </g, '><')
    .replace(/ (?=<\/code>)/g, '')
    .trim();
}

function renderBlocks(text: string): string {
  const { blocks, definitions } = split(text);
  return normalize(
    blocks
      .map((block) => render(definitions === '' ? block : `${definitions}\n${block}`))
      .join('\n'),
  );
}

describe('Markdown cut at its blocks', () => {
  it.each([
    ['paragraphs', 'one\n\ntwo\nthree\n\nfour', 3],
    ['headings', '# a\n\nb\n\n## c\n\nd', 4],
    ['a loose list stays whole', '1. a\n\n2. b\n\n   still b\n\n3. c\n\nafter', 2],
    ['nested lists with code', '- a\n\n  ```js\n  x\n\n  y\n  ```\n\n- b\n\nafter', 2],
    ['a fence with blank lines', '```py\na\n\n\nb\n```\n\nafter', 2],
    ['a fence right after a paragraph', 'see:\n```\ncode\n\nmore\n```\nafter', 3],
    ['a fence that a shorter one does not close', '````\n```\n\nx\n```\n````\n\nafter', 2],
    ['tables', '| a | b |\n|---|---|\n| 1 | 2 |\n\nafter', 2],
    ['quotes', '> a\n> b\n\n> c\n\nafter', 3],
    ['a fence that is not in the item above it', '1. a\n  ```\nx\n\ny\n  ```\n\nafter', 3],
    ['a formula with blank lines', 'see\n$$\na\n\nb\n$$\nafter', 3],
    ['raw HTML', '<pre>\na\n\nb\n</pre>\n\nafter', 2],
    ['an indented continuation', '- a\n\n    code\n\nafter', 2],
  ])('%s', (_name, text, count) => {
    // The last line counts once it is complete.
    expect(split(`${text}\n\nend\n`).blocks).toHaveLength(count + 1);
    expect(renderBlocks(text)).toBe(normalize(render(text)));
  });

  it('finds a definition after the text that refers to it', () => {
    const text = 'See [the guide][1] and [this].\n\n[1]: https://example.org/guide\n[this]: a.md\n';
    expect(renderBlocks(text)).toBe(normalize(render(text)));
  });

  it('gives the same blocks however the text is split', () => {
    const text = 'a\r\n\r\n- b\n\n- c\n\n```\nd\n\n```\ne\n\n[f]: g\n\nh';
    const whole = split(text);
    for (let piece = 1; piece < 9; piece++) expect(split(text, piece)).toEqual(whole);
  });

  it('loses nothing, and renders like the whole, for any mixture of constructs', () => {
    const line = fc.constantFrom(
      ...['', '', '', 'text', 'more *text*', '# head', '- item', '  inside', '1. one', '   cont'],
      ...['```', '```js', '  ```', '~~~', '> quote', '| a | b |', '|---|---|', '    indented'],
      ...['---', '***', '* star', '1) one', '    four', '<!-- c', '-->', '\tx', '`` ` ``', '- - x'],
      ...['===', '   ```', '- ```', '<div>', '</div>', '\n[a]: b'],
      ...['$$', '  $$', '$$ x', '- $$', '$a$ or $5', '\\[', '\\]', '\\[x\\]', '   \\(y\\)', '$'],
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const text = lines.join('\n');
        const { blocks } = split(text);
        expect(blocks.join('')).toBe(text);
        expect(renderBlocks(text)).toBe(normalize(render(text)));
      }),
      trials(4000, { name: 'Markdown in blocks', size: 800 }),
    );
  });
});
