import { rankFound as rankSources } from '../../research-text/rank-found.ts';
import { DEPTHS } from './depth.ts';
import { settleAccess } from './page-access.ts';
import type { ResearchSession } from './research-session.ts';
import type { Found, Round } from './research-state.ts';

/** For each page that is wanted, how many stand by for those that cannot be read. */
const STAND_BY = 3;

/** Chooses what to read of what was found, best first, from several hosts, and settles whether it may be. */
export async function pickPages(session: ResearchSession, round: Round): Promise<void> {
  const { state } = session;
  if (round.picked === null) {
    const limits = DEPTHS[state.depth];
    const read = state.sources.filter((source) => source.read !== 'file').length;
    const roundsLeft = Math.max(1, limits.rounds - state.rounds.length + 1);
    round.wanted = Math.max(1, Math.ceil((limits.pages - read) / roundsLeft));
    round.picked = rankFound(session, round.wanted * STAND_BY);
    round.pageRound = session.nextRound();
    session.commit();
  }
  await settleAccess(session, round.picked);
}

/** What was found and not looked at yet, best first, spread over hosts. */
export function rankFound({ state }: ResearchSession, most: number): Found[] {
  const open = state.subQuestions.filter((_question, at) => !state.answered.includes(at));
  const lists = state.rounds.flatMap(({ found }) => found.map((results) => results ?? []));
  return rankSources(lists, {
    query: [state.question, ...open].join('\n'),
    seen: [...state.sources, ...state.skipped].map(({ url }) => url),
    most,
  });
}
