import { roughTokens } from '#contract/rough-tokens.ts';
import { ToolSearch } from '#main/connectors/tool-search.ts';
import { SEARCH_QUERIES, SEARCHED_TOOLS } from '../fakes/connectors/tool-search.ts';

/**
 * Whether the right one of 200 tools of 10 servers is found by words, on queries that somebody else wrote without
 * knowing the search:
 *
 *   npm run bench mcp-search
 */
/** Where the author says that each kind of query begins, counted from 0. */
const KINDS = [
  ['plain words', 0, 37],
  ['paraphrases', 37, 64],
  ['typing errors', 64, 68],
  ['Chinese', 68, 74],
  ['with the name of the server', 74, 80],
] as const;

const search = new ToolSearch(SEARCHED_TOOLS);
const places = SEARCH_QUERIES.map(({ query, expects }) => {
  const found = search.find(query).map(({ fullName }) => fullName);
  const expected = expects.map((name) => name.replaceAll('.', '_'));
  // The first five are given with their arguments, the others by their names.
  return found.findIndex((name) => expected.includes(name));
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const share = (part: number, all: number): string =>
  `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;
const cost = SEARCHED_TOOLS.reduce(
  (sum, { schema }) => sum + roughTokens(JSON.stringify(schema)),
  0,
);
say(
  `${SEARCHED_TOOLS.length} tools of ${new Set(SEARCHED_TOOLS.map(({ connector }) => connector)).size} servers, ${Math.ceil(cost)} tokens of schemas`,
);
for (const [kind, from, to] of KINDS) {
  const part = places.slice(from, to);
  const named = part.filter((place) => place >= 0).length;
  const full = part.filter((place) => place >= 0 && place < 5).length;
  say(`${kind}: with arguments ${share(full, part.length)}, named ${share(named, part.length)}`);
}
const named = places.filter((place) => place >= 0).length;
const full = places.filter((place) => place >= 0 && place < 5).length;
say(`all: with arguments ${share(full, places.length)}, named ${share(named, places.length)}`);
for (const [i, { query, expects }] of SEARCH_QUERIES.entries()) {
  if ((places[i] ?? -1) < 0) say(`  missed: "${query}" expects ${expects.join(' or ')}`);
}
