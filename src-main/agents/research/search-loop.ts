import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { excerptLines } from './analysis.ts';
import { DEPTHS } from './depth.ts';
import { pickPages, rankFound } from './pick-pages.ts';
import { addSources, readPages } from './read-pages.ts';
import { type ResearchSession, shortList } from './research-session.ts';
import { type Found, type Round, SearchFound } from './research-state.ts';
import { allOrFirstFailure } from './settle.ts';
import { numbered, takeNotes } from './take-notes.ts';

const RESULTS_PER_QUERY = 10;
const line = z.string().trim().min(1).max(400);

/** Searches and reads until every sub-question is answered or the limit of the depth is reached. */
export async function searchLoop(session: ResearchSession): Promise<void> {
  await planQuestions(session);
  await takeNotes(session);
  for (let round = openRound(session); round !== null; round = openRound(session)) {
    await searchAll(session, round);
    await pickPages(session, round);
    await readPages(session, round);
    addSources(session, round);
    await takeNotes(session);
    await judgeCoverage(session, round);
  }
}

const Plan = z.object({
  subQuestions: shortList(line, 8),
  queries: shortList(line, 8),
});

async function planQuestions(session: ResearchSession): Promise<void> {
  const { state } = session;
  if (state.subQuestions.length > 0) return;
  const limits = DEPTHS[state.depth];
  const plan = await session.ask({
    ...{ prompt: 'plan', schema: Plan, phase: 'plan', material: [] },
    fixed: [
      `Question: ${state.question}`,
      `Kind of research: ${state.scenario}`,
      `At most ${limits.subQuestions} sub-questions and ${limits.queriesPerRound} queries.`,
    ].join('\n'),
  });
  const subQuestions = unique(plan?.subQuestions ?? []).slice(0, limits.subQuestions);
  const queries = unique(plan?.queries ?? []);
  state.subQuestions = subQuestions.length > 0 ? subQuestions : [state.question];
  state.nextQueries = queries.length > 0 ? queries : queriesOf(session);
  session.commit();
}

/** The question and its parts as queries, if the model proposed none. */
function queriesOf({ state: { question, subQuestions } }: ResearchSession): string[] {
  return unique(
    [question, ...subQuestions].map((text) => text.replace(/[?？]/g, '').slice(0, 200)),
  );
}

/** The current round, or the next one; null if there is nothing left to do. */
function openRound(session: ResearchSession): Round | null {
  const { state, context } = session;
  const last = state.rounds.at(-1);
  if (last !== undefined && !last.isJudged) return last;
  const limits = DEPTHS[state.depth];
  const asked = new Set(state.rounds.flatMap(({ queries }) => queries.map(plain)));
  const queries = unique(state.nextQueries)
    .filter((query) => !asked.has(plain(query)))
    .slice(0, limits.queriesPerRound);
  const isCovered = last !== undefined && state.answered.length >= state.subQuestions.length;
  const pages = state.sources.filter(({ read }) => read !== 'file').length;
  const isOver = state.rounds.length >= limits.rounds || pages >= limits.pages;
  // Without new queries, a round still reads pages that were found earlier.
  const isIdle = queries.length === 0 && rankFound(session, 1).length === 0;
  if (isCovered || isOver || isIdle) return null;
  const number = state.rounds.length + 1;
  const round: Round = {
    ...{ queries, found: queries.map(() => null), searchRound: session.nextRound() },
    ...{ pageRound: null, picked: null, wanted: 0, isTakenIn: false, isJudged: false },
  };
  state.rounds.push(round);
  if (queries.length > 0) {
    context.emit({
      ...{
        type: 'search_plan',
        planId: `${session.id}-plan${number}`,
        queries,
      },
      ...{ scenario: state.scenario, depth: state.depth, subQuestions: state.subQuestions },
    });
  }
  session.commit();
  return round;
}

async function searchAll(session: ResearchSession, round: Round): Promise<void> {
  session.checkPoint();
  await allOrFirstFailure(
    round.queries.map(async (query, index) => {
      if (round.found[index] !== null) return;
      const found = await searchOne(session, query, { round: round.searchRound, index });
      if (found === null) session.state.failedSearches.push(query);
      round.found[index] = found ?? [];
      session.commit();
    }),
  );
}

/** What a search found; null if it failed. */
async function searchOne(
  session: ResearchSession,
  query: string,
  place: { readonly round: number; readonly index: number },
): Promise<Found[] | null> {
  const result = await session.call('web_search', { query, limit: RESULTS_PER_QUERY }, place);
  const parsed = safeParse(SearchFound, result.data);
  if (result.status !== 'ok' || !parsed.success) return null;
  return parsed.data.slice(0, RESULTS_PER_QUERY).map(({ url, title, snippet, provider }) => ({
    url,
    title: oneLine(title ?? '') || url,
    snippet: (snippet ?? '').trim(),
    foundBy: provider ?? 'search',
  }));
}

const Coverage = z.object({
  answered: shortList(z.int(), 20),
  summary: z.string().max(2_000),
  openQuestions: shortList(line, 8),
  followUps: shortList(line, 8),
});

/** Judges what is answered. A sub-question without an excerpt is open, even if the model says otherwise. */
async function judgeCoverage(session: ResearchSession, round: Round): Promise<void> {
  const { state, context } = session;
  const covered = state.subQuestions.flatMap((_question, at) =>
    state.sources.some(({ excerpts }) => excerpts.some(({ about }) => about.includes(at)))
      ? [at]
      : [],
  );
  const judged =
    covered.length === 0
      ? null
      : await session.ask({
          ...{ prompt: 'coverage', schema: Coverage, phase: 'coverage' },
          material: excerptLines(session, null),
          fixed: `Question: ${state.question}\n\nSub-questions:\n${numbered(state.subQuestions)}`,
        });
  const answered = new Set((judged?.answered ?? []).map((number) => number - 1));
  state.answered = judged === null ? covered : covered.filter((at) => answered.has(at));
  const open = state.subQuestions.filter((_question, at) => !state.answered.includes(at));
  state.openQuestions = judged?.openQuestions.length ? judged.openQuestions : open;
  if (open.length === 0) state.openQuestions = [];
  state.nextQueries = unique([...(judged?.followUps ?? []), ...open]);
  state.summary = judged?.summary.trim() || countedSummary(session);
  round.isJudged = true;
  context.emit({
    type: 'knowledge_update',
    updateId: `${session.id}-k${state.rounds.length}`,
    summary: state.summary,
    openQuestions: state.openQuestions,
    coverage: state.answered.length / state.subQuestions.length,
  });
  session.commit();
}

function countedSummary({ state }: ResearchSession): string {
  const { length } = state.sources.filter(({ excerpts }) => excerpts.length > 0);
  const [done, all] = [state.answered.length, state.subQuestions.length];
  return state.language === 'zh'
    ? `${length} 个来源有相关内容；${all} 个子问题中有 ${done} 个找到了材料。`
    : `${length} relevant sources; material for ${done} of ${all} sub-questions.`;
}

function unique(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.map(oneLine).filter((text) => {
    const key = plain(text);
    return key !== '' && !seen.has(key) && seen.add(key) !== undefined;
  });
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 400);
const plain = (text: string): string => oneLine(text).toLowerCase();
