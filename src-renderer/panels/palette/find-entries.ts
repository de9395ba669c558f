import { type Found, fuzzySearch, searchIndex } from '../../store/fuzzy-search.ts';
import { paletteStrings as words } from '../../strings/palette.ts';
import type { PaletteEntry } from './palette-entries.ts';

export interface ResultGroup {
  readonly title: string;
  /** Place of its first entry among all. */
  readonly from: number;
  readonly found: readonly Found<PaletteEntry>[];
}

export interface Results {
  readonly groups: readonly ResultGroup[];
  /** Matches, of which only the best are shown. */
  readonly total: number;
}

const MOST_SHOWN = 50;
const RECENT_SHOWN = 6;
const TASKS_SHOWN = 8;
/** How much the last choice moves up; earlier ones less. */
const RECENT_BONUS = 0.1;

/** A search over entries that are prepared once. Without a query: what was used last, actions and the newest tasks. */
export function findEntries(
  entries: readonly PaletteEntry[],
  recent: readonly string[],
): (query: string) => Results {
  const index = searchIndex(entries);
  const bonuses = new Map(
    recent.map((key, place) => [key, RECENT_BONUS * (1 - place / recent.length)]),
  );
  return (query) => {
    const wanted = query.trim();
    if (wanted === '') return { groups: suggestions(entries, recent), total: 0 };
    const { found, total } = fuzzySearch(index, wanted, {
      limit: MOST_SHOWN,
      bonus: ({ key }) => bonuses.get(key) ?? 0,
    });
    return { groups: found.length === 0 ? [] : [{ title: words.results, from: 0, found }], total };
  };
}

function suggestions(
  entries: readonly PaletteEntry[],
  recent: readonly string[],
): readonly ResultGroup[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const used = recent.flatMap((key) => byKey.get(key) ?? []).slice(0, RECENT_SHOWN);
  const others = entries.filter((entry) => !used.includes(entry));
  const ofKind = (kind: PaletteEntry['target']['kind']): PaletteEntry[] =>
    others.filter(({ target }) => target.kind === kind);
  let from = 0;
  return (
    [
      [words.groups.recent, used],
      [words.groups.action, ofKind('action')],
      [words.groups.task, ofKind('task').slice(0, TASKS_SHOWN)],
    ] as const
  ).flatMap(([title, members]) => {
    if (members.length === 0) return [];
    const found = members.map((item) => ({
      item,
      pieces: [{ text: item.title, matched: false }],
      score: 1,
    }));
    const group = { title, from, found };
    from += members.length;
    return [group];
  });
}
