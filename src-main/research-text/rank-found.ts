import { scoreTexts } from './passages.ts';
import { normaliseUrl } from './sketch.ts';

/** A search result. */
export interface FoundSource {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

export interface RankOptions {
  readonly query: string;
  /** URLs to leave out, because they were tried already. */
  readonly seen: readonly string[];
  readonly most: number;
}

/** Factor for the score of each further page of a host. */
const SAME_HOST = 0.6;

/** Merges several result lists: each source once, best first, spread over hosts. */
export function rankFound<Found extends FoundSource>(
  lists: readonly (readonly Found[])[],
  { query, seen, most }: RankOptions,
): Found[] {
  const excluded = new Set(seen.map(normaliseUrl));
  const candidates = new Map<string, { found: Found; rank: number }>();
  for (const results of lists) {
    for (const [at, one] of results.entries()) {
      const key = normaliseUrl(one.url);
      if (excluded.has(key) || !/^(?:https?|library):/i.test(one.url)) continue;
      const known = candidates.get(key);
      const rank = 1 / (10 + at);
      if (known === undefined) candidates.set(key, { found: one, rank });
      else known.rank += rank;
    }
  }
  const all = [...candidates.values()];
  const fits = scoreTexts(
    all.map(({ found }) => `${found.title}\n${found.snippet}`),
    query,
  );
  const best = Math.max(...fits, 1e-9);
  const scored = all.map(({ found, rank }, at) => ({
    found,
    score: (fits[at] ?? 0) / best + rank * 5,
  }));
  return spreadOverHosts(scored, most);
}

function spreadOverHosts<Found extends FoundSource>(
  scored: readonly { readonly found: Found; readonly score: number }[],
  most: number,
): Found[] {
  const left = [...scored];
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
  // Documents of the library have no host, so each counts as its own.
  return url === null || url.host === '' ? address : url.host;
}
