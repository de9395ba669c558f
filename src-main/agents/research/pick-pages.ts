import { rankFound as rankSources } from '../../research-text/rank-found.ts';
import { DEPTHS } from './depth.ts';
import { decideAccess } from './page-access.ts';
import type { ResearchSession } from './research-session.ts';
import type { Found, Round } from './research-state.ts';

/** Pages picked for each page wanted, because some cannot be read. */
const CANDIDATES_EACH = 3;

/** Picks the best found pages, spread over hosts, and asks for access to them if needed. */
export async function pickPages(session: ResearchSession, round: Round): Promise<void> {
  const { state } = session;
  if (round.picked === null) {
    const limits = DEPTHS[state.depth];
    const read = state.sources.filter((source) => source.read !== 'file').length;
    const roundsLeft = Math.max(1, limits.rounds - state.rounds.length + 1);
    round.wanted = Math.max(1, Math.ceil((limits.pages - read) / roundsLeft));
    round.picked = rankFound(session, round.wanted * CANDIDATES_EACH);
    round.pageRound = session.nextRound();
    session.commit();
  }
  await decideAccess(session, round.picked);
}

/** Found pages that were not tried yet, best first, spread over hosts. */
export function rankFound({ state }: ResearchSession, most: number): Found[] {
  const open = state.subQuestions.filter((_question, at) => !state.answered.includes(at));
  const lists = state.rounds.flatMap(({ found }) => found.map((results) => results ?? []));
  return rankSources(lists, {
    query: [state.question, ...open].join('\n'),
    seen: [...state.sources, ...state.skipped].map(({ url }) => url),
    most,
  });
}
