import { describe, expect, it } from 'vitest';
import type { OfferedResource } from '#contract/connectors.ts';
import { filledIn } from '#main/connectors/resource-templates.ts';
import { offersIn } from '#main/connectors/server-offers.ts';

const templatesOf = (...resourceTemplates: unknown[]) => offersIn({ resourceTemplates }).resources;
const variablesOf = (uriTemplate: string) =>
  templatesOf({ uriTemplate, name: 'x' }).map(({ variables }) =>
    variables.map(({ name, isRequired }) => `${name}${isRequired ? '' : '?'}`).join(' '),
  );

function filled(uriTemplate: string, given: Readonly<Record<string, string>>): string {
  const [template] = templatesOf({ uriTemplate, name: 'x' });
  if (template === undefined) throw new Error('It is no template');
  return filledIn(template, given).uri;
}

describe('a template of resources', () => {
  it('is a resource with variables', () => {
    const given = { uriTemplate: 'demo://text/{id}', name: 'Text', title: 'A text', size: 7 };
    expect(templatesOf({ ...given, description: 'Any', mimeType: 'text/plain' })).toEqual([
      {
        ...{ uri: 'demo://text/{id}', name: 'A text', description: 'Any', mimeType: 'text/plain' },
        ...{ size: null, variables: [{ name: 'id', isRequired: true }] },
      },
    ]);
  });

  it.each([
    ['repo://{owner}/{repo}/{+path}', 'owner repo path'],
    ['search://notes{?query,limit}', 'query? limit?'],
    ['a://{x}{?x}{&y}', 'x y?'],
    ['a://{x,y}/{.z}/{/rest*}', 'x y z rest'],
    ['a://{ x }', 'x'],
  ])('%s has the variables %s', (template, variables) => {
    expect(variablesOf(template)).toEqual([variables]);
  });

  it.each([
    ...['a://b', '', '{', 'a://{', 'a://}', 'a://{}', 'a://{x}{', 'a://{x}}', 'a://{{x}}'],
    ...['a://{;x}', 'a://{=x}', 'a://{x|y}', 'a://{x:3}', 'a://{1}', 'a://{x y}', 'a://{x\u202e}'],
    ...[`a://{${'x'.repeat(101)}}`, `a://${'{x}'.repeat(2_000)}`],
    `a://${Array.from({ length: 31 }, (_, at) => `{x${at}}`).join('')}`,
  ])('%j is left out', (template) => {
    expect(variablesOf(template)).toEqual([]);
  });

  it.each([null, 5, [], {}, { uriTemplate: 5 }, { uriTemplate: ['{x}'] }, { uri: 'a://{x}' }])(
    '%j is none',
    (given) => {
      expect(templatesOf(given)).toEqual([]);
    },
  );

  it('stands behind the resources, and is dropped where one has its address', () => {
    const { resources } = offersIn({
      resources: [{ uri: 'a://1' }, { uri: 'a://{x}' }],
      resourceTemplates: ['b://{y}', 'b://{y}', 'a://{x}'].map((uriTemplate) => ({ uriTemplate })),
    });
    expect(resources.map(({ uri }) => uri)).toEqual(['a://1', 'a://{x}', 'b://{y}']);
  });
});

describe('its address', () => {
  it.each([
    ['demo://text/{id}', { id: '5' }, 'demo://text/5'],
    ['repo://{owner}/{+path}', { owner: 'a/b', path: 'src/x.ts' }, 'repo://a%2Fb/src/x.ts'],
    ['n://s{?query,limit}', { query: 'a b&c' }, 'n://s?query=a%20b%26c'],
    ['n://s{?query}', {}, 'n://s'],
    ['n://s{?query}', { query: '' }, 'n://s'],
    ['a://{constructor}', { constructor: 'x' }, 'a://x'],
    ['a://{x}', { x: '{y}', y: 'no' }, 'a://%7By%7D'],
  ] as [string, Record<string, string>, string][])(
    '%s with %j is %s',
    (...[template, given, uri]) => {
      expect(filled(template, given)).toBe(uri);
    },
  );

  it.each([
    ['a://{x}', {}],
    ['a://{x}', { x: '' }],
    ['a://{x}{?y}', { y: '1' }],
    ['a://{constructor}', {}],
    ['a://{x}', { x: 'y'.repeat(100_000) }],
  ] as [string, Record<string, string>][])('%s with %j is refused', (template, given) => {
    expect(() => filled(template, given)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
  });

  it('has its values in the name of the file', () => {
    const [template] = templatesOf({ uriTemplate: 'demo://text/{id}', name: 'Text' });
    expect(filledIn(template as OfferedResource, { id: '5' })).toMatchObject({
      ...{ uri: 'demo://text/5', name: 'Text 5', variables: [] },
    });
  });
});
