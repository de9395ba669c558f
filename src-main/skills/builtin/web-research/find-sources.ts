import type { SearchResult } from '#contract/search.ts';
import { rankFound } from '../../../research-text/rank-found.ts';
import { isChinese } from '../../../research-text/terms.ts';
import type { SkillContext } from '../../types.ts';
import { judgeCoverage } from './judge-coverage.ts';
import { planQueries } from './plan-queries.ts';
import { readPages, type TriedPage } from './read-pages.ts';
import { once, settled } from './settled.ts';
import { takeStatements } from './take-statements.ts';
import type { FoundMaterial, Topic, UsedSource } from './types.ts';

const RESULTS_PER_QUERY = 8;
/** Share of the sources that the first round may use, so that the second has some left. */
const FIRST_ROUND = 0.6;
/** How many pages may be tried for each one wanted. */
const TRIES_PER_PAGE = 3;

/** Searches and reads, a second time where the first was not enough. Throws where every search failed. */
export async function findSources(topic: Topic, context: SkillContext): Promise<FoundMaterial> {
  const { mostSources } = topic;
  const first = context.firstSource();
  const queries: string[] = [];
  const lists: (readonly SearchResult[])[] = [];
  const failed: string[] = [];
  const tried: TriedPage[] = [];
  const sources: UsedSource[] = [];
  let gaps: readonly string[] = [];
  let next = await planQueries(topic, context);
  for (const share of [FIRST_ROUND, 1]) {
    if (next.length === 0 || sources.length >= mostSources) break;
    queries.push(...next);
    context.progress(`Searching for: ${next.join('; ')}`);
    const searched = await searchAll(next, context);
    lists.push(...searched.lists);
    failed.push(...searched.failed);
    const wanted = Math.max(1, Math.ceil(mostSources * share) - sources.length);
    const found = rankFound(lists, {
      query: [topic.topic, topic.focus ?? ''].join('\n'),
      seen: tried.map(({ url }) => url),
      most: wanted * TRIES_PER_PAGE,
    });
    const pages = await readPages(found, { wanted, before: tried, context });
    tried.push(...pages);
    for (const page of pages.filter(({ text }) => text !== null)) {
      context.progress(`Taking notes from: ${page.title}`);
      const statements = await takeStatements(topic, page, context);
      if (statements.length === 0) continue;
      const { url, title, snippet, publishedAt, provider: foundBy } = page;
      const index = sources.length + 1;
      sources.push({ index, url, title, snippet, publishedAt, statements });
      const excerpts = statements.map(({ quote: text }, at) => ({ number: at + 1, text }));
      const shown = { index: first + sources.length - 1, url, title, snippet, foundBy, excerpts };
      context.emit({ type: 'source', ...shown });
    }
    if (share === 1) break;
    const coverage = await judgeCoverage(topic, { sources, queries }, context);
    gaps = coverage.gaps;
    next = coverage.queries;
  }
  const pagesRead = tried.filter(({ text, isSnippet }) => text !== null && !isSnippet).length;
  const unread = sources.filter(({ url }) => tried.some((one) => one.url === url && one.isSnippet));
  const problems = [
    ...failed.map((query) => problem(topic, 'search', query)),
    ...unread.map(({ url }) => problem(topic, 'page', url)),
  ];
  return { queries, sources, gaps, pagesRead, problems };
}

function problem({ topic }: Topic, kind: 'search' | 'page', what: string): string {
  const isSearch = kind === 'search';
  if (isChinese(topic))
    return isSearch ? `检索失败：${what}` : `未获准阅读，仅依据搜索结果：${what}`;
  return isSearch
    ? `This search failed: ${what}`
    : `Not read, because that was not allowed; known from the search result only: ${what}`;
}

/** What each query found, and the queries that failed. Throws where all failed. */
async function searchAll(queries: readonly string[], context: SkillContext) {
  const asked = await settled(
    queries.map((query) =>
      once(context, `search ${query}`, () =>
        context.services.search.search(query, { limit: RESULTS_PER_QUERY }),
      ),
    ),
  );
  const lists = asked.flatMap((one): (readonly SearchResult[])[] => (one.ok ? [one.value] : []));
  const failed = queries.filter((_query, at) => asked[at]?.ok === false);
  const [first] = asked;
  if (lists.length === 0 && first?.ok === false) throw first.error;
  return { lists, failed };
}
