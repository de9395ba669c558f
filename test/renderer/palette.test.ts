import { describe, expect, it } from 'vitest';
import { findEntries } from '#renderer/panels/palette/find-entries.ts';
import type { PaletteEntry } from '#renderer/panels/palette/palette-entries.ts';
import { recentChoices, rememberChoice } from '#renderer/store/recent-choices.ts';
import { expectLinearWork } from '../setup/growth.ts';

const task = (id: string, title: string, detail = ''): PaletteEntry => ({
  ...{ key: `task ${id}`, title, detail, target: { kind: 'task', threadId: id } },
});
const TASKS = [
  task('prime', 'Largest prime below ten million'),
  task('photos', 'Clean up the photo archive'),
  task('sales', '整理销售数据并绘制图表'),
  task('zurich', 'Müller in Zürich'),
  task('theme', 'Theme', 'Appearance'),
];
/** The titles that a query finds, with the letters that matched in brackets. */
const search = (query: string, recent: readonly string[] = [], entries = TASKS): string[] =>
  findEntries(
    entries,
    recent,
  )(query).groups.flatMap(({ found }) =>
    found.map(({ pieces }) =>
      pieces.map(({ text, matched }) => (matched ? `[${text}]` : text)).join(''),
    ),
  );

describe('the search of the command palette', () => {
  it('finds letters in their order, and marks them', () => {
    expect(search('lapri')).toEqual(['[La]rgest [pri]me below ten million']);
    expect(search('PHOTO arch')).toEqual(['Clean up the [photo arch]ive']);
    expect(search('qqq')).toEqual([]);
  });

  it('finds Chinese letters, and letters with accents by the plain ones', () => {
    expect(search('销售')).toEqual(['整理[销售]数据并绘制图表']);
    expect(search('销图')).toEqual(['整理[销]售数据并绘制[图]表']);
    expect(search('zurich')).toEqual(['Müller in [Zürich]']);
  });

  it('finds words of the title and of what is said about it', () => {
    expect(search('appearance theme')).toEqual(['[Theme]']);
    const pages = [task('a', 'Pictures', 'Models'), task('b', 'Models', 'Settings')];
    expect(search('mo', [], pages)).toEqual(['[Mo]dels', 'Pictures']);
  });

  it('shows first what was used last', () => {
    const twins = [task('a', 'Photo of March'), task('b', 'Photo of April')];
    const [first] = search('photo of', [], twins);
    const other = first === '[Photo] [of] March' ? 'b' : 'a';
    expect(search('photo of', [`task ${other}`], twins)[0]).not.toBe(first);
    const groups = findEntries(TASKS, ['task theme', 'task gone'])('').groups;
    expect(groups.map(({ title, from, found }) => [title, from, found[0]?.item.key])).toEqual([
      ['Recently used', 0, 'task theme'],
      ['Newest tasks', 1, 'task prime'],
    ]);
  });

  it('does work that grows as the number of tasks does, and hands out the best 50', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => task(`${at}`, `Sort photo album ${at} 整理相册`));
    const result = findEntries(many(10_000), [])('photo 相册');
    expect([result.groups[0]?.found.length, result.total]).toEqual([50, 10_000]);
    expectLinearWork(
      (count) => 'x'.repeat(count),
      ({ length }) => findEntries(many(length), [])('sortalbum'),
      1_250,
    );
  });
});

describe('what was chosen in the palette', () => {
  it('is kept, the last first, and what another version wrote is no harm', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    for (const key of ['a', 'b', 'a', ...Array.from({ length: 19 }, (_, at) => `${at}`)]) {
      rememberChoice(storage, key);
    }
    expect(recentChoices(storage).slice(0, 2)).toEqual(['18', '17']);
    expect(recentChoices(storage)).toHaveLength(20);
    expect(recentChoices({ getItem: () => '{"not": "a list"}' })).toEqual([]);
    expect(recentChoices({ getItem: () => 'broken' })).toEqual([]);
  });
});
