import type { Bases, FixturePage } from './pages.ts';

const RESULTS = 20;

/** What a SearXNG server answers: pages by the words that they share with the query, rare ones first. */
export function searchAnswer(pages: readonly FixturePage[], bases: Bases, query: string): unknown {
  const wanted = new Set(wordsOf(query));
  const known = pages.map((page) => ({
    page,
    words: new Set(wordsOf(`${page.title} ${page.title} ${page.text.slice(0, 4_000)}`)),
    title: new Set(wordsOf(page.title)),
  }));
  const weight = (word: string): number =>
    Math.log(1 + known.length / (1 + known.filter(({ words }) => words.has(word)).length));
  const results = known
    .map(({ page, words, title }, at) => {
      const hits = [...wanted].filter((word) => words.has(word));
      const score = hits.reduce((sum, word) => sum + weight(word) * (title.has(word) ? 2 : 1), 0);
      return { page, at, score };
    })
    .filter(({ score }) => score > 1.5)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, RESULTS)
    .map(({ page, score }) => ({
      url: `${bases[page.host]}${page.path}`,
      title: page.title,
      content: page.text.replace(/\s+/g, ' ').slice(0, 160),
      engine: 'fixture',
      score,
      category: 'general',
    }));
  return {
    query,
    number_of_results: results.length,
    results,
    answers: [],
    suggestions: [],
    unresponsive_engines: [],
  };
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]{2,}|[\u4e00-\u9fff]+/g) ?? [];
  return words.flatMap((word) =>
    /[\u4e00-\u9fff]/.test(word)
      ? [...word].slice(1).map((letter, at) => `${[...word][at]}${letter}`)
      : [word.replace(/s$/, '')],
  );
}
