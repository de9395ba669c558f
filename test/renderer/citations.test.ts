import { describe, expect, it } from 'vitest';
import { citedAt, isDoubtful, remarkCitations } from '#renderer/formatting/citations.ts';

const citation = (claim: string, sourceIndex: number, supported: boolean, excerptNumber = 1) => ({
  ...{ claim, sourceIndex, excerptNumber, supported },
});
const CITATIONS = [
  citation('Bees see blue.', 1, true),
  citation('Bees do not see red.', 1, false, 2),
  citation('Ants are deaf.', 2, true),
  citation('Bees see blue.', 1, false, 3),
];

/** The addresses of the links made from a text, in order. */
function links(...texts: readonly string[]): (string | undefined)[] {
  const tree = {
    type: 'root',
    children: texts.map((value) => ({
      type: 'paragraph',
      children: [
        { type: 'text', value },
        { type: 'inlineCode', value: 'list[1]' },
      ],
    })),
  };
  remarkCitations({ citations: CITATIONS, known: null })()(tree);
  return tree.children.flatMap(({ children }) =>
    (children as { type: string; url?: string }[])
      .filter(({ type }) => type === 'link')
      .map(({ url }) => url),
  );
}

describe('the numbers of a report', () => {
  it('show each excerpt of a repeated statement once, with its worst verdict', () => {
    const again = [...CITATIONS, citation('Bees see blue', 1, true), CITATIONS[3]].filter(
      (one) => one !== undefined,
    );
    const shown = citedAt('#citation-0', [...again, citation('bees see blue.', 1, false)]);
    expect(
      shown?.citations.map(({ excerptNumber, supported }) => [excerptNumber, supported]),
    ).toEqual([
      [1, false],
      [3, false],
    ]);
  });

  it('refer to the statement before them, in their block', () => {
    expect(
      links('Bees see blue. [1] Bees do not see **red**. [1]', 'Nobody knows. [1] [3]'),
    ).toEqual(['#citation-0', '#citation-1', '#source-1', '#source-3']);
  });

  it('do not refer to the statement of an earlier number of their source', () => {
    expect(links('Bees see blue. [1] Who knows. [1]')).toEqual(['#citation-0', '#source-1']);
  });

  it('are split where several are together, and ignored in code', () => {
    expect(links('Bees see blue, and ants are deaf. [1, 2]')).toEqual([
      '#citation-0',
      '#citation-2',
    ]);
  });

  it('ignore link labels that are numbers', () => {
    const reference = (text: string) => ({
      ...{ type: 'linkReference', identifier: '1' },
      children: [{ type: 'text', value: text }],
    });
    const paragraph = { type: 'paragraph', children: [reference('1'), reference('press')] };
    remarkCitations({ citations: CITATIONS, known: null })()({
      type: 'root',
      children: [paragraph],
    });
    expect(paragraph.children.map(({ type }) => type)).toEqual(['link', 'linkReference']);
  });

  it('have every excerpt of their statement, and are doubtful if one does not support it', () => {
    const cited = ['#citation-0', '#citation-1', '#source-7', '#citation-99', '#citation-x'].map(
      (href) => citedAt(href, CITATIONS),
    );
    expect(
      cited.map((one) => one && [one.sourceIndex, one.citations.length, isDoubtful(one)]),
    ).toEqual([[1, 2, true], [1, 1, true], [7, 0, false], null, null]);
  });
});
