import { describe, expect, it } from 'vitest';
import type { Thread } from '#contract/entities.ts';
import type { SkillSummary } from '#contract/skills.ts';
import { suggestionEdit } from '#renderer/panels/composer/insert-suggestion.ts';
import {
  documentSuggestions,
  fileSource,
  findSuggestions,
  type Offers,
  resourceSource,
  type SuggestionSource,
  type SuggestionTarget,
  slashSources,
  taskSource,
} from '#renderer/panels/composer/suggestions.ts';
import { signBefore } from '#renderer/panels/composer/typed-sign.ts';
import { expectLinearWork } from '../setup/growth.ts';

const file = (path: string, modifiedAt = 0) =>
  ({ path, kind: 'file', size: 1, modifiedAt }) as const;
const task = (id: string, title: string, updatedAt = 0): Thread => ({
  ...{ id, title, createdAt: 0, updatedAt, status: 'completed' },
  ...{ pinnedAt: null, archivedAt: null },
});
const titles = (sources: readonly SuggestionSource[], query: string) =>
  findSuggestions(sources, query).map(({ title, from, found }) => [
    title,
    from,
    ...found.map(({ item }) => item.title),
  ]);

describe('what / offers', () => {
  const skill = (id: string, name: string, state = 'ready') =>
    ({ id, name, description: 'What it does', state }) as SkillSummary;
  const sources = (canSave: boolean) =>
    slashSources({
      modes: ['task', 'data'],
      skills: [skill('data_analysis', 'Data analysis'), skill('my_checks', 'My checks')],
      prompts: [{ name: 'Weekly report', text: 'Report on {{topic}}' }],
      offers: [],
      canSave,
    });

  it('is modes, prompts, skills without a mode, and to save what there is to save', () => {
    expect(titles(sources(true), '')).toEqual([
      ['Modes', 0, 'Task', 'Data'],
      ['Your prompts', 2, 'Weekly report'],
      ['Skills', 3, 'My checks'],
      ['Actions', 4, 'Save this message as a prompt', 'Edit your prompts'],
    ]);
    expect(titles(sources(false), 'prompt')).toEqual([['Actions', 0, 'Edit your prompts']]);
    expect(titles(sources(false), 'weekrep')).toEqual([['Your prompts', 0, 'Weekly report']]);
    expect(titles(sources(true), 'usr')).toEqual([]);
  });

  it('puts the kind with the best match first, found by the beginnings of words only', () => {
    const all = slashSources({
      modes: ['task', 'image', 'writing'],
      skills: [skill('one', 'My checks')],
      prompts: [
        { name: 'Weekly', text: 'Sum up {{week}}' },
        { name: 'Credits', text: 'Who made it' },
      ],
      offers: [],
      canSave: false,
    });
    // "Image" is found by "Creates" in what is said of it.
    expect(titles(all, 'cre')).toEqual([
      ['Your prompts', 0, 'Credits'],
      ['Modes', 1, 'Image'],
    ]);
    expect(titles(all, 'we')).toEqual([['Your prompts', 0, 'Weekly']]);
    // Their letters are there, but by chance: what was typed is something else.
    expect(['eekly', 'etc', 'hecks', 'tmp', 'dt'].map((query) => titles(all, query))).toEqual(
      Array(5).fill([]),
    );
    expect(titles(all, 'my')[0]).toEqual(['Skills', 0, 'My checks']);
  });

  it('leaves out skills that cannot be used', () => {
    const skills = [skill('off', 'Off', 'draft')];
    const all = slashSources({ modes: [], skills, prompts: [], offers: [], canSave: false });
    expect(titles(all, '')).toEqual([['Actions', 0, 'Edit your prompts']]);
  });
});

describe('what connectors offer', () => {
  const resource = (uri: string, name: string) => ({
    ...{ uri, name, description: '', mimeType: 'text/plain', size: null, variables: [] },
  });
  const offers: Offers = [
    {
      ...{ connectorId: 'a', connector: 'notes' },
      resources: [resource('notes://today', 'Today'), resource('notes://x', 'A'.repeat(500))],
      prompts: [
        { name: 'daily_plan', title: 'Plan a day', description: 'Hour by hour', arguments: [] },
      ],
    },
    {
      ...{ connectorId: 'b', connector: 'wiki', prompts: [] },
      resources: [
        { ...resource('wiki://{page}', 'Page'), variables: [{ name: 'page', isRequired: true }] },
      ],
    },
  ];

  it('is found by name, and says which connector it is of', () => {
    const source = resourceSource(offers);
    const [group] = findSuggestions([source], 'today');
    expect(group?.title).toBe('Connector resources');
    expect(group?.found.map(({ item }) => [item.title, item.detail])).toEqual([
      ['Today', 'notes: notes://today'],
    ]);
    expect(source.all[1]?.title).toHaveLength(201);
    // It asks for something first.
    expect(source.all[2]?.title).toBe('Page…');
    const sources = slashSources({ modes: [], skills: [], prompts: [], offers, canSave: false });
    expect(findSuggestions(sources, 'plan')[0]?.found.map(({ item }) => item.detail)).toEqual([
      'notes/daily_plan: Hour by hour',
    ]);
    expect(titles(sources, 'daily')).toEqual([['Connector prompts', 0, 'Plan a day']]);
    // Before what does something else.
    expect(titles(sources, '')).toEqual([
      ['Connector prompts', 0, 'Plan a day'],
      ['Actions', 1, 'Edit your prompts'],
    ]);
  });

  it('takes the place of what was typed by nothing: what it gives comes later', () => {
    const [typed] = [signBefore('see @tod', 8)];
    const target = resourceSource(offers).all[0]?.target;
    if (typed === null || typed === undefined || target === undefined) throw new Error('none');
    expect(suggestionEdit('see @tod', typed, target)).toMatchObject({
      from: 4,
      to: 8,
      inserted: '',
    });
  });
});

describe('what @ offers', () => {
  it('is at most eight of each, the newest first, without the task itself', () => {
    const files = fileSource(
      Array.from({ length: 20 }, (_, at) => file(`a/f${at}.txt`, at)),
      'name',
    );
    const tasks = taskSource([task('own', 'This one'), task('b', '', 1), task('c', 'Old')], 'own');
    const [first, second] = titles([files, tasks], '');
    expect(first).toHaveLength(10);
    expect(first?.[2]).toBe('f19.txt');
    expect(second).toEqual(['Conversations of other tasks', 8, 'Untitled task', 'Old']);
  });

  it('finds files by name, or by path where a slash is typed; no folders', () => {
    const entries = [
      file('docs/total.py'),
      file('src/total.py'),
      { path: 'src', kind: 'directory', size: 0, modifiedAt: 0 } as const,
    ];
    expect(titles([fileSource(entries, 'name')], 'total')[0]).toHaveLength(4);
    expect(titles([fileSource(entries, 'path')], 'src/to')).toEqual([
      ['Files of this task', 0, 'src/total.py'],
    ]);
    expect(titles([fileSource(entries, 'name')], 'src')).toEqual([
      ['Files of this task', 0, 'total.py'],
    ]);
  });

  it('clips long names, between characters', () => {
    const [long] = documentSuggestions([
      {
        ...{ url: 'library:0/x', title: `a${'😀'.repeat(5_000)}`, path: '/x', snippet: '' },
        modifiedAt: 0,
      },
    ]);
    expect(long?.title).toBe(`a${'😀'.repeat(99)}…`);
  });

  it('does work that grows as the number of tasks does', () => {
    expectLinearWork(
      (count) => 'x'.repeat(count),
      ({ length }) => {
        const threads = Array.from({ length }, (_, at) => task(`${at}`, `Sort album ${at} 相册`));
        return findSuggestions([taskSource(threads, null)], 'sortalb');
      },
      1_250,
    );
  });
});

describe('a chosen suggestion', () => {
  /** The message after the choice, with what is selected in brackets; a bar is the caret before. */
  const chosen = (typed: string, target: SuggestionTarget): string => {
    const caret = typed.indexOf('|');
    const text = typed.replace('|', '');
    const sign = signBefore(text, caret);
    if (sign === null) throw new Error('No sign');
    const { from, to, inserted, selected } = suggestionEdit(text, sign, target);
    const after = text.slice(0, from) + inserted + text.slice(to);
    return `${after.slice(0, selected[0])}[${after.slice(...selected)}]${after.slice(selected[1])}`;
  };
  const path = (name: string) => ({ kind: 'file', path: name }) as const;
  const prompt = (text: string) => ({ kind: 'prompt', text }) as const;

  it.each<readonly [string, SuggestionTarget, string]>([
    ['/mo|', { kind: 'mode', mode: 'data' }, '[]'],
    ['Now /da| then', { kind: 'mode', mode: 'data' }, 'Now [] then'],
    ['/we|', prompt('Report on {{topic}} and {{time}}'), 'Report on [{{topic}}] and {{time}}'],
    ['Hi /we| there', prompt('all {} {{}} done'), 'Hi all {} {{}} done[] there'],
    ['/ch|', { kind: 'skill', skillId: 'my_checks' }, '/my_checks []'],
    [' /ch| a.txt', { kind: 'skill', skillId: 'my_checks' }, ' /my_checks []a.txt'],
    ['Go. /ch|', { kind: 'skill', skillId: 'my_checks' }, 'Go. Use the my_checks skill: []'],
    ['Run @to| now', path('src/total.py'), 'Run `src/total.py` []now'],
    ['请看@to|', path('销售.csv'), '请看`销售.csv` []'],
    ['@x|', path('a`b'), '`` a`b `` []'],
    ['@x|', path('``'), '``` `` ``` []'],
    ['@x|', path('a\u202eb\nc\td'), '`a⟨U+202E⟩b⟨U+000A⟩c⟨U+0009⟩d` []'],
    ['@x|', { kind: 'task', threadId: 't', title: 'T' }, '[]'],
    ['@x|', { kind: 'document', url: 'library:0f/%E9%94%80.md' }, '`library:0f/销.md` []'],
    ['@x|', { kind: 'document', url: 'library:0f/a%60%0Ab' }, '`library:0f/a%60%0Ab` []'],
    ['@x|', { kind: 'document', url: 'library:0f/%' }, '`library:0f/%` []'],
  ])('%j', (typed, target, wanted) => {
    expect(chosen(typed, target)).toBe(wanted);
  });
});
