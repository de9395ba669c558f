import { describe, expect, it } from 'vitest';
import { rankResults } from '#main/search/rank.ts';
import { pageKey } from '#main/search/same-page.ts';
import type { SearchResult } from '#main/search/types.ts';

const result = (url: string, more: Partial<SearchResult> = {}): SearchResult => ({
  ...{ url, title: url, snippet: '', publishedAt: null, provider: 'brave' },
  ...more,
});
const urls = (results: readonly SearchResult[]) => results.map(({ url }) => url);

describe('one page by several addresses', () => {
  it.each([
    ['http://example.com/a', 'https://example.com/a'],
    ['https://EXAMPLE.com/a', 'https://example.com:443/a'],
    ['http://example.com:80/a', 'https://example.com/a/'],
    ['https://www.example.com', 'https://example.com/'],
    ['https://example.com/a#part-2', 'https://example.com/a'],
    ['https://example.com/a?utm_source=x&utm_medium=y&gclid=1', 'https://example.com/a'],
    ['https://example.com/a?b=1&fbclid=2&c=3', 'https://example.com/a?c=3&b=1'],
    ['https://example.com./a', 'https://example.com/a'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('%s is %s', (one, other) => {
    expect(pageKey(one)).toBe(pageKey(other));
  });

  it.each([
    ['https://example.com/a', 'https://example.com/A'],
    ['https://example.com/a', 'https://example.com/a?page=2'],
    ['https://example.com/a', 'https://example.com:8443/a'],
    ['https://docs.example.com/', 'https://example.com/'],
    ['https://example.com/#/one', 'https://example.com/#/two'],
    ['https://example.com/?ref=1', 'https://example.com/?ref=2'],
    ['library:1/a.pdf', 'library:1/A.pdf'],
  ])('%s is not %s', (one, other) => {
    expect(pageKey(one)).not.toBe(pageKey(other));
  });

  it('stands once, with what only the worse-placed one knew', () => {
    const found = rankResults(
      [
        [
          result('https://a.example/x?utm_source=q', { title: 'First' }),
          result('https://b.example/'),
          result('http://a.example/x', { snippet: 'Words.', publishedAt: '2026-01-31' }),
        ],
      ],
      'q',
      10,
    );
    expect(found).toMatchObject([
      { title: 'First', snippet: 'Words.', publishedAt: '2026-01-31' },
      { url: 'https://b.example/' },
    ]);
  });
});

describe('copies on other hosts', () => {
  const text = 'The harbour of Lisbon has its high water at noon and its low water after six hours';
  const page = (host: string, snippet: string) =>
    result(`https://${host}/`, { title: 'Tides of Lisbon', snippet });

  it('are left out, the best-placed one stays', () => {
    const list = [page('a.example', text), page('mirror.example', `${text}.`)];
    expect(urls(rankResults([list], 'q', 10))).toEqual(['https://a.example/']);
  });

  it('are no copies where a number differs: who compares sources needs both', () => {
    const list = [page('a.example', `${text} in 2024`), page('b.example', `${text} in 2025`)];
    expect(rankResults([list], 'q', 10)).toHaveLength(2);
  });

  it.each([
    [
      'on one host',
      [page('a.example', text), { ...page('a.example', text), url: 'https://a.example/2' }],
    ],
    ['in few words', [page('a.example', 'High at noon'), page('b.example', 'High at noon')]],
    [
      'in other words',
      [
        page('a.example', text),
        page(
          'b.example',
          'Boats leave the harbour every hour from the second pier of the old town',
        ),
      ],
    ],
  ])('are no copies %s', (_name, list) => {
    expect(rankResults([list], 'q', 10)).toHaveLength(2);
  });
});

describe('order', () => {
  const list = (...hosts: string[]) => hosts.map((host) => result(`https://${host}.example/`));

  it('is that of the provider where there is nothing else to go by', () => {
    expect(urls(rankResults([list('a', 'b', 'c', 'd')], 'q', 3))).toEqual(
      urls(list('a', 'b', 'c')),
    );
  });

  it('what two found goes before what one found, and both lists have their turn', () => {
    const fused = rankResults([list('a', 'b', 'both'), list('x', 'both', 'y')], 'q', 10);
    expect(urls(fused)).toEqual(urls(list('both', 'a', 'x', 'b', 'y')));
  });

  it('a mirror of one provider does not vote', () => {
    const twice = [...list('a', 'b'), result('http://b.example/?utm_source=x')];
    expect(urls(rankResults([twice], 'q', 10))).toEqual(urls(list('a', 'b')));
  });

  it('what holds the words of the query goes up a little, in any language, and not to the top', () => {
    const many = list('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const at = (index: number, snippet: string) =>
      urls(
        rankResults(
          [many.map((one, i) => (i === index ? { ...one, snippet } : one))],
          '里斯本 潮汐',
          10,
        ),
      ).indexOf(many[index]?.url ?? '');
    expect([at(1, '里斯本的潮汐'), at(7, '里斯本的潮汐'), at(1, '别的')]).toEqual([0, 4, 1]);
  });
});
