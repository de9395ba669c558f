import { DEPTHS } from './depth.ts';
import { settleAccess } from './page-access.ts';
import { scoreTexts } from './passages.ts';
import type { ResearchSession } from './research-session.ts';
import type { Found, Round } from './research-state.ts';
import { normaliseUrl } from './sketch.ts';

/** For each page that is wanted, how many stand by for those that cannot be read. */
const STAND_BY = 3;
/** What each further page of one host counts less. */
const SAME_HOST = 0.6;

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
  const seen = new Set([
    ...state.sources.map(({ url }) => normaliseUrl(url)),
    ...state.skipped.map(({ url }) => normaliseUrl(url)),
  ]);
  const candidates = new Map<string, { found: Found; rank: number }>();
  for (const { found } of state.rounds) {
    for (const results of found) {
      for (const [at, one] of (results ?? []).entries()) {
        const key = normaliseUrl(one.url);
        if (seen.has(key) || !/^(?:https?|library):/i.test(one.url)) continue;
        const known = candidates.get(key);
        const rank = 1 / (10 + at);
        if (known === undefined) candidates.set(key, { found: one, rank });
        else known.rank += rank;
      }
    }
  }
  const all = [...candidates.values()];
  const open = state.subQuestions.filter((_question, at) => !state.answered.includes(at));
  const fits = scoreTexts(
    all.map(({ found }) => `${found.title}\n${found.snippet}`),
    [state.question, ...open].join('\n'),
  );
  const best = Math.max(...fits, 1e-9);
  const left = all.map(({ found, rank }, at) => ({
    found,
    score: (fits[at] ?? 0) / best + rank * 5,
  }));
  const picked: Found[] = [];
  const ofHost = new Map<string, number>();
  while (picked.length < most && left.length > 0) {
    const worth = ({ found, score }: (typeof left)[number]): number =>
      score * SAME_HOST ** (ofHost.get(hostOf(found.url)) ?? 0);
    let top = 0;
    for (let at = 1; at < left.length; at += 1) {
      if (worthAt(left, at, worth) > worthAt(left, top, worth)) top = at;
    }
    const [taken] = left.splice(top, 1);
    if (taken === undefined) break;
    const host = hostOf(taken.found.url);
    ofHost.set(host, (ofHost.get(host) ?? 0) + 1);
    picked.push(taken.found);
  }
  return picked;
}

function worthAt<Item>(items: readonly Item[], at: number, worth: (item: Item) => number): number {
  const item = items[at];
  return item === undefined ? 0 : worth(item);
}

function hostOf(address: string): string {
  const url = URL.parse(address);
  // Documents of the library have no host; each is one of its own.
  return url === null || url.host === '' ? address : url.host;
}
