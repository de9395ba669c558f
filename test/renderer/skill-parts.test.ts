import { describe, expect, it } from 'vitest';
import type { SkillParameter } from '#contract/skills.ts';
import { hashOf, readRoute } from '#renderer/route.ts';
import type { Route } from '#renderer/store/app-state.ts';
import { membersOf, readDeclarations } from '#renderer/store/declarations.ts';
import {
  type FormValues,
  formFields,
  initialValues,
  readForm,
} from '#renderer/store/skill-form.ts';
import { filterSkills, NO_SKILL_FILTER, offeredModes } from '#renderer/store/skill-list.ts';
import { describeResult, schemaProperties } from '#renderer/store/skill-result.ts';
import { ANALYSIS_OUTPUT } from '../fakes/skill-run.ts';
import {
  ANALYSIS_SCHEMA,
  SKILL_TYPES,
  skillSamples,
  skillSummary,
} from '../fakes/skill-samples.ts';

const SUMMARIES = skillSamples(1_000_000).map(({ summary }) => summary);

describe('the list of skills', () => {
  it.each([
    [{ search: 'chart' }, ['data_analysis']],
    [{ search: 'EXAM fit' }, ['exam-tutor']],
    [{ search: 'exam nothing' }, []],
    [{ category: 'data' }, ['csv_totals', 'data_analysis']],
    [{ source: 'markdown' }, ['exam-tutor', 'release-notes']],
    [{ category: 'data', source: 'dynamic' }, ['csv_totals']],
  ] as const)('fits %j', (filter, ids) => {
    const fits = filterSkills(SUMMARIES, { ...NO_SKILL_FILTER, ...filter });
    expect(fits.map(({ id }) => id)).toEqual(ids);
  });

  it('counts a Markdown skill that ships with the app as built-in', () => {
    const shipped = skillSummary({ id: 'tutor', source: 'markdown', isShipped: true });
    const added = skillSummary({ id: 'added', source: 'markdown' });
    const from = (source: 'builtin' | 'markdown') =>
      filterSkills([shipped, added], { ...NO_SKILL_FILTER, source }).map(({ id }) => id);
    expect([from('builtin'), from('markdown')]).toEqual([['tutor'], ['added']]);
  });

  it('offers a mode only while its skill is ready', () => {
    const data = skillSummary({ id: 'data_analysis' });
    expect([
      offeredModes([]),
      offeredModes([data]),
      offeredModes([{ ...data, state: 'disabled' }]),
      offeredModes([data, skillSummary({ id: 'slide_generation' })]),
    ]).toEqual([
      ['task', 'research'],
      ['task', 'research', 'data'],
      ['task', 'research'],
      ['task', 'research', 'data', 'slide'],
    ]);
  });
});

describe('the address of a page', () => {
  it.each<[string, Route]>([
    ['#/skills', { kind: 'skills', page: { view: 'list' } }],
    ['#/skills/exam-tutor', { kind: 'skills', page: { view: 'detail', skillId: 'exam-tutor' } }],
    ['#/skills/new/review', { kind: 'skills', page: { view: 'review', skillId: 'new' } }],
    ['#/skills/a_b/edit', { kind: 'skills', page: { view: 'editor', skillId: 'a_b' } }],
    ['#/new-skill', { kind: 'skills', page: { view: 'editor', skillId: null } }],
    ['#/artifacts', { kind: 'artifacts' }],
    ['#/task/t-1', { kind: 'task', threadId: 't-1' }],
  ])('%s is read as it was written', (hash, route) => {
    const { threadId, page } = readRoute(hash);
    const read: Route = page ?? { kind: 'task', threadId };
    expect([hashOf(route), read]).toEqual([hash, route]);
  });

  it('names nothing for an address that is none of these', () => {
    expect(readRoute('#/skills/../../x')).toEqual({ threadId: null, page: null });
  });
});

describe('the form of a skill', () => {
  const parameter = (more: Partial<SkillParameter> & Pick<SkillParameter, 'name' | 'type'>) => ({
    ...{ description: 'd', required: false },
    ...more,
  });
  const ALL: readonly SkillParameter[] = [
    parameter({ name: 'prompt', type: 'string', required: true }),
    parameter({ name: 'name', type: 'string' }),
    parameter({ name: 'tone', type: 'string', options: ['dry', 'warm'], default: 'dry' }),
    parameter({ name: 'count', type: 'number', default: 3 }),
    parameter({ name: 'draft', type: 'boolean', required: true }),
    parameter({ name: 'tags', type: 'array', default: ['a'] }),
    parameter({ name: 'more', type: 'object' }),
  ];

  it('has a field of the right kind for each parameter, filled with its default', () => {
    const rows = parameter({ name: 'max_rows', type: 'array', default: [[1, 2]] });
    expect(formFields([rows])).toMatchObject([{ label: 'Max rows', kind: 'json' }]);
    expect(formFields(ALL).map(({ name, kind, initial }) => [name, kind, initial])).toEqual([
      ['prompt', 'long_text', ''],
      ['name', 'text', ''],
      ['tone', 'choice', 'dry'],
      ['count', 'number', '3'],
      ['draft', 'boolean', ''],
      ['tags', 'list', 'a'],
      ['more', 'json', ''],
    ]);
  });

  it('gives parameters of their types, and leaves out what is empty', () => {
    const values = { ...initialValues(formFields(ALL)), prompt: ' Go ', more: '{"a":[1]}' };
    expect(readForm(ALL, values)).toEqual({
      ok: true,
      params: {
        ...{ prompt: ' Go ', tone: 'dry', count: 3, draft: false },
        ...{ tags: ['a'], more: { a: [1] } },
      },
    });
  });

  it('takes a list one item per line, or as JSON', () => {
    const tags = (text: string) => readForm(ALL, { prompt: 'x', tags: text });
    const params = { prompt: 'x', draft: false };
    expect([tags(' red \n\n绿色\n'), tags('["a b", 1]')]).toEqual([
      { ok: true, params: { ...params, tags: ['red', '绿色'] } },
      { ok: true, params: { ...params, tags: ['a b', 1] } },
    ]);
  });

  it('reports the problem of each field', () => {
    const values = {
      ...{ prompt: '  ', tone: 'cold', count: '3 pieces', tags: '{"a":1}', more: '[1]' },
      ...{ draft: 'true', name: '' },
    };
    expect(readForm(ALL, values)).toEqual({
      ok: false,
      problems: {
        ...{ prompt: 'missing', tone: 'option', count: 'number', tags: 'array', more: 'object' },
      },
    });
    expect(readForm(ALL, { prompt: 'x', tags: '[1,' })).toEqual({
      ok: false,
      problems: { tags: 'json' },
    });
  });
});

describe('a result by its schema', () => {
  it('is rendered by the type of each field, in the order of the schema', () => {
    const node = describeResult(ANALYSIS_OUTPUT, ANALYSIS_SCHEMA);
    const kinds = node.kind === 'fields' ? node.fields.map((one) => [one.name, one.node.kind]) : [];
    expect(kinds).toEqual([
      ['summary', 'markdown'],
      ['row_count', 'number'],
      ['checked', 'flag'],
      ['totals', 'table'],
      ['charts', 'list'],
      ['notes', 'list'],
      ['code', 'code'],
      ['sources', 'sources'],
      ['warning', 'none'],
    ]);
  });

  it.each([
    ['chart', '/workspace/out/a.png', { kind: 'image', path: 'out/a.png' }],
    ['path', 'reports/end.docx', { kind: 'file', path: 'reports/end.docx' }],
    ['title', 'Nothing.', { kind: 'text', text: 'Nothing.' }],
    ['home', 'https://example.org/a', { kind: 'link', address: 'https://example.org/a' }],
    ['odd', 'javascript:alert(1)', { kind: 'text', text: 'javascript:alert(1)' }],
    ['empty', [], { kind: 'list', items: [], more: 0 }],
    [
      'deep',
      { a: { b: { c: { d: 1 } } } },
      {
        kind: 'fields',
        fields: [
          {
            ...{ name: 'a', description: '' },
            node: {
              kind: 'fields',
              fields: [
                {
                  ...{ name: 'b', description: '' },
                  node: {
                    kind: 'fields',
                    fields: [
                      {
                        name: 'c',
                        description: '',
                        node: { kind: 'json', text: '{\n  "d": 1\n}' },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    ],
  ])('%s: %j', (name, value, expected) => {
    const node = describeResult({ [name]: value }, {});
    expect(node.kind === 'fields' ? node.fields[0]?.node : null).toEqual(expected);
  });

  it('cuts a list that is too long, and counts the rest', () => {
    const node = describeResult({ all: Array.from({ length: 1_000 }, (_, n) => n) }, {});
    const list = node.kind === 'fields' ? node.fields[0]?.node : null;
    expect(list?.kind === 'list' ? [list.items.length, list.more] : null).toEqual([200, 800]);
  });

  it('describes a schema in words', () => {
    const properties = schemaProperties({
      required: ['a'],
      properties: {
        a: { type: 'array', items: { type: 'string' }, description: 'Names.' },
        b: { enum: ['x', 'y'] },
        c: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      },
    });
    expect(properties.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['a', 'array of string', true],
      ['b', '"x" | "y"', false],
      ['c', 'number | null', false],
    ]);
  });
});

describe('declarations for the editor', () => {
  const declarations = readDeclarations(SKILL_TYPES);
  const names = (...path: string[]) => membersOf(declarations, path).map(({ name }) => name);

  it('know what an app has, however deep', () => {
    expect([names('app'), names('app', 'llm'), names('app', 'sandbox'), names('nobody')]).toEqual([
      ['llm', 'sandbox', 'emit'],
      ['ask'],
      ['readFile', 'run'],
      [],
    ]);
  });

  it('keep the signature and the comment of a member', () => {
    expect(membersOf(declarations, ['app', 'sandbox'])[0]).toEqual({
      ...{ name: 'readFile', signature: 'readFile(path: string): Promise<string>' },
      ...{ doc: 'Text of a file of the workspace.', isFunction: true, type: null },
    });
  });

  it('read constants, arrows and types with braces in strings, and skip what they do not know', () => {
    const { globals, values } = readDeclarations(`
      // A constant.
      declare const app: App;
      interface App { readonly on: (name: "a}b") => void; readonly deep: { /** X. */ a: number } }
      enum Odd { A }
      type Alias = string | number;
      export declare function defineSkill(meta: Meta): void;
    `);
    expect([globals.map(({ name, doc }) => [name, doc]), [...values]]).toEqual([
      [
        ['app', 'A constant.'],
        ['defineSkill', ''],
      ],
      [['app', 'App']],
    ]);
    const nested = readDeclarations(
      'declare const app: App;\ninterface App { readonly on: (name: "a}b") => void; deep: { a: number } }',
    );
    expect(membersOf(nested, ['app', 'deep']).map(({ name }) => name)).toEqual(['a']);
  });
});

it('reads parameters named like members of Object.prototype', () => {
  const parameters = ['constructor', 'toString', 'valueOf'].map((name) => ({
    ...({ name, type: 'string', description: '', required: true } as const),
  }));
  const read = readForm(parameters, {});
  expect(read.ok ? {} : Object.entries(read.problems)).toEqual(
    parameters.map(({ name }) => [name, 'missing']),
  );
  expect(readForm(parameters, initialValues(formFields(parameters))).ok).toBe(false);
  const values = { constructor: 'a', toString: 'b', valueOf: 'c' } as unknown as FormValues;
  expect(readForm(parameters, values)).toEqual({ ok: true, params: values });
});
