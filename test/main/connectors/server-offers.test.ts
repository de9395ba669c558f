import { describe, expect, it } from 'vitest';
import { ConnectorOffers } from '#contract/connectors.ts';
import { OFFER_NAME_CHARS, OFFER_URI_CHARS } from '#contract/limits.ts';
import { offersIn } from '#main/connectors/server-offers.ts';
import {
  DEEP,
  forEach,
  HIDDEN,
  LONG,
  NOTHINGS,
  numbered,
  promptsOf,
  resourcesOf,
  SERVER_EVERYTHING,
  UNMEASURABLE,
} from '../../fakes/connectors/offers.ts';

describe('what a server offers', () => {
  it('is nothing where it lists nothing', () => {
    const nothing = { resources: [], prompts: [] };
    expect(offersIn(nothing)).toEqual(nothing);
  });

  it('is read from the lists of server-everything', () => {
    const [document] = SERVER_EVERYTHING.resources;
    const [simple, withArguments] = SERVER_EVERYTHING.prompts;
    expect(offersIn(SERVER_EVERYTHING)).toEqual({
      resources: [{ ...document, size: null, variables: [] }],
      prompts: [
        { ...simple, arguments: [] },
        {
          ...withArguments,
          arguments: [
            { name: 'city', description: 'Name of the city', isRequired: true },
            { name: 'state', description: 'Name of the state', isRequired: false },
          ],
        },
      ],
    });
  });

  it('is read from the lists of others', () => {
    const offers = offersIn({
      resources: [
        {
          uri: 'postgres://reader@db.example/shop/users/schema',
          mimeType: 'application/json',
          name: '"users" database schema',
        },
        {
          uri: 'file:///home/me/notes.txt',
          name: 'notes.txt',
          title: 'My notes',
          mimeType: 'text/plain',
          size: 120,
          annotations: { audience: ['user'], priority: 0.5 },
          icons: [{ src: 'https://example.com/icon.png' }],
          _meta: { a: 1 },
        },
        { uri: 'memo://insights' },
      ],
      prompts: [
        {
          name: 'AssignCodingAgent',
          description: 'Assign GitHub Coding Agent to multiple tasks in a GitHub repository.',
          arguments: [{ name: 'repo', description: 'The repository (owner/repo)', required: true }],
        },
        { name: 'generate-commit-message', arguments: null, _meta: {} },
      ],
    });
    expect(offers).toEqual({
      resources: [
        {
          uri: 'postgres://reader@db.example/shop/users/schema',
          name: '"users" database schema',
          ...{ description: '', mimeType: 'application/json', size: null, variables: [] },
        },
        {
          uri: 'file:///home/me/notes.txt',
          name: 'My notes',
          ...{ description: '', mimeType: 'text/plain', size: 120, variables: [] },
        },
        {
          uri: 'memo://insights',
          name: 'memo://insights',
          ...{ description: '', mimeType: '', size: null, variables: [] },
        },
      ],
      prompts: [
        {
          name: 'AssignCodingAgent',
          title: 'AssignCodingAgent',
          description: 'Assign GitHub Coding Agent to multiple tasks in a GitHub repository.',
          arguments: [
            { name: 'repo', description: 'The repository (owner/repo)', isRequired: true },
          ],
        },
        {
          name: 'generate-commit-message',
          title: 'generate-commit-message',
          ...{ description: '', arguments: [] },
        },
      ],
    });
  });

  it('has no more than 500 resources and 100 prompts, the first ones', () => {
    const offers = offersIn({
      resources: numbered(700, (at) => ({ uri: `a://${at}` })),
      prompts: numbered(200, (at) => ({ name: `p${at}` })),
    });
    expect(offers.resources.map(({ uri }) => uri)).toEqual(numbered(500, (at) => `a://${at}`));
    expect(offers.prompts.map(({ name }) => name)).toEqual(numbered(100, (at) => `p${at}`));
  });

  it('is not hidden by any number of broken items', () => {
    const broken = numbered(1_000, (at) => NOTHINGS[at % NOTHINGS.length]);
    const same = numbered(1_000, () => ({ uri: 'a://1', name: 'one' }));
    expect(
      resourcesOf(...broken, { uri: 'a://1' }, ...same, { uri: 'a://2' }).map(({ uri }) => uri),
    ).toEqual(['a://1', 'a://2']);
    expect(
      promptsOf(...broken, { name: 'one' }, ...same, { name: 'two' }).map(({ name }) => name),
    ).toEqual(['one', 'two']);
  });

  it('is not hidden by items with words or lists that only look as if they had a length', () => {
    for (const odd of [UNMEASURABLE, { length: [UNMEASURABLE] }, { length: 1 }]) {
      const resources = [{ uri: odd }, { uri: 'a://1', name: odd, title: odd, mimeType: odd }];
      expect(() => resourcesOf(...resources)).not.toThrow();
      expect(resourcesOf(...resources).map(({ name }) => name)).toEqual(['a://1']);
      for (const broken of [
        { name: odd },
        { name: 'p', arguments: odd },
        { name: 'p', arguments: [{ name: odd }] },
      ]) {
        expect(() => promptsOf(broken)).not.toThrow();
        expect(promptsOf(broken, { name: 'q', title: odd }).map(({ title }) => title)) //
          .toEqual(['q']);
      }
    }
  });

  it('has the first of several with one address or name', () => {
    expect(
      resourcesOf(
        ...[{ uri: 'a://1', name: 'first' }, { uri: 'a://2' }, { uri: 'a://1', name: 'second' }],
        { uri: 'A://1', name: 'another address' },
      ).map(({ name }) => name),
    ).toEqual(['first', 'a://2', 'another address']);
    expect(
      promptsOf({ name: 'p', title: 'first' }, { name: 'p', title: 'second' }, { name: 'P' }).map(
        ({ title }) => title,
      ),
    ).toEqual(['first', 'P']);
  });

  it('has the first usable one where another with its name is broken', () => {
    const broken = { name: 'p', title: 'broken', arguments: [null] };
    expect(promptsOf(broken, { name: 'p', title: 'whole' }).map(({ title }) => title)).toEqual([
      'whole',
    ]);
  });

  it('has names of the prototype like any others', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '../x'];
    expect(resourcesOf(...names.map((uri) => ({ uri }))).map(({ uri }) => uri)).toEqual(names);
    const prompts = promptsOf(
      ...names.map((name) => ({ name, arguments: names.map((one) => ({ name: one })) })),
    );
    expect(prompts.map(({ name }) => name)).toEqual(names);
    for (const prompt of prompts) {
      expect(prompt.arguments.map(({ name }) => name)).toEqual(names);
    }
  });

  it('is nothing of what an item has as its prototype', () => {
    const item: unknown = JSON.parse('{"__proto__":{"uri":"a://1","name":"p","size":5}}');
    expect(offersIn({ resources: [item], prompts: [item] })).toEqual({
      resources: [],
      prompts: [],
    });
    const polluting: unknown = JSON.parse('{"uri":"a://1","name":"p","__proto__":{"size":5}}');
    expect(resourcesOf(polluting)).toEqual([
      { uri: 'a://1', name: 'p', description: '', mimeType: '', size: null, variables: [] },
    ]);
    expect('size' in {}).toBe(false);
  });

  it('is JSON of bounded size', () => {
    for (const unit of ['x', '\0', '\ud800', '😀', '"']) {
      const words = unit.repeat(10_000);
      const texts = { title: words, description: words, mimeType: words, more: words };
      const offers = offersIn({
        resources: numbered(600, (at) => ({
          ...{ ...texts, uri: `${at}${words.slice(0, OFFER_URI_CHARS - 4)}`, name: words },
        })),
        prompts: numbered(120, (at) => ({
          ...{ ...texts, name: `${at}${words.slice(0, OFFER_NAME_CHARS - 4)}` },
          arguments: numbered(30, (one) => ({
            ...{ name: `${one}${words.slice(0, OFFER_NAME_CHARS - 4)}`, description: words },
          })),
        })),
      });
      expect([offers.resources.length, offers.prompts.length]).toEqual([500, 100]);
      // Up to six characters of JSON stand for one.
      expect(JSON.stringify(offers).length).toBeLessThan(20_000_000);
      expect(ConnectorOffers.safeParse(offers).success).toBe(true);
    }
  });
});

describe('a resource that is offered', () => {
  it('is called by its title, else its name, else its address', () => {
    const names: [item: object, name: string][] = [
      [{ title: 'T', name: 'n' }, 'T'],
      [{ name: 'n' }, 'n'],
      [{ title: null, name: 'n' }, 'n'],
      [{ title: 5, name: 'n' }, 'n'],
      [{ title: '', name: 'n' }, 'n'],
      [{ title: 'T', name: 5 }, 'T'],
      [{}, 'a://1'],
      [{ title: [], name: {} }, 'a://1'],
      [{ title: '', name: '' }, 'a://1'],
    ];
    expect(names.map(([item]) => resourcesOf({ uri: 'a://1', ...item })[0]?.name)).toEqual(
      names.map(([, name]) => name),
    );
  });

  it('has a size that is a whole number, or none', () => {
    const sizeOf = (size: unknown) => resourcesOf({ uri: 'a://1', size })[0]?.size;
    const sizes = [0, 1, 120, Number.MAX_SAFE_INTEGER];
    expect(sizes.map(sizeOf)).toEqual(sizes);
    const others = [-1, 1.5, 1e300, 2 ** 53, '5', '', true, null, undefined, [], [5], {}, DEEP];
    expect(others.map(sizeOf)).toEqual(others.map(() => null));
  });

  it('keeps its address as it is, up to a length', () => {
    const uris = [HIDDEN, ' a://1 ', 'A://%2e%2e/\ud800', 'x'.repeat(OFFER_URI_CHARS)];
    expect(resourcesOf(...uris.map((uri) => ({ uri }))).map(({ uri }) => uri)).toEqual(uris);
  });

  it('is left out where it has no usable address', () => {
    const items = [
      ...[undefined, null, '', 5, true, [], ['a://1'], {}, DEEP].map((uri) => ({ uri, name: 'n' })),
      { uri: 'x'.repeat(OFFER_URI_CHARS + 1), name: 'n' },
      { URI: 'a://1', name: 'n' },
    ];
    forEach([...NOTHINGS, ...items], (item, label) => {
      const uris = resourcesOf(item, { uri: 'a://2' }).map(({ uri }) => uri);
      expect(uris, label).toEqual(['a://2']);
    });
  });

  it('has words that are cut, or none', () => {
    const words = { name: LONG, description: LONG, mimeType: LONG };
    const [cut] = resourcesOf({ uri: 'a://1', ...words });
    expect(LONG.startsWith(cut?.name ?? '?')).toBe(true);
    expect(cut?.name.length).toBeLessThanOrEqual(300);
    expect([cut?.description, cut?.mimeType]).toEqual(['x'.repeat(300), 'x'.repeat(100)]);
    const uri = 'a'.repeat(OFFER_URI_CHARS);
    const [unnamed] = resourcesOf({ uri, description: 5, mimeType: { a: 1 } });
    expect(uri.startsWith(unnamed?.name || '?')).toBe(true);
    expect([unnamed?.uri, unnamed?.description, unnamed?.mimeType]).toEqual([uri, '', '']);
  });
});

describe('a prompt that is offered', () => {
  it('is left out where it or an argument has no usable name, or there are too many', () => {
    const names = [undefined, null, '', 5, true, [], ['p'], {}, 'x'.repeat(OFFER_NAME_CHARS + 1)];
    const items = [
      ...names.map((name) => ({ name, title: 't' })),
      ...names.map((name) => ({ name: 'p', arguments: [{ name: 'a' }, { name }] })),
      ...NOTHINGS.map((one) => ({ name: 'p', arguments: [{ name: 'a' }, one] })),
      { name: 'p', arguments: numbered(31, (at) => ({ name: `a${at}` })) },
      ...[5, 'a', true, {}, { 0: { name: 'a' } }].map((some) => ({ name: 'p', arguments: some })),
    ];
    forEach([...NOTHINGS, ...items], (item, label) => {
      expect(
        promptsOf(item, { name: 'q' }).map(({ name }) => name),
        label,
      ).toEqual(['q']);
    });
  });

  it('keeps names as they are, up to a length, and 30 arguments', () => {
    const names = [HIDDEN, ' p ', 'x'.repeat(OFFER_NAME_CHARS), '\ud800', 'Größe'];
    const many = numbered(30, (at) => `a${at}`);
    const prompts = promptsOf(
      ...names.map((name) => ({ name, arguments: [{ name }] })),
      ...[{ name: 'many', arguments: many.map((name) => ({ name })) }],
    );
    expect(prompts.map((prompt) => [prompt.name, ...prompt.arguments.map(({ name }) => name)])) //
      .toEqual([...names.map((name) => [name, name]), ['many', ...many]]);
  });

  it('has an argument that is required where the server says true', () => {
    const isRequired = (required: unknown) =>
      promptsOf({ name: 'p', arguments: [{ name: 'a', required }] })[0]?.arguments[0]?.isRequired;
    expect([true, false].map(isRequired)).toEqual([true, false]);
    const others = ['true', 'yes', 1, 0, null, undefined, {}, [], DEEP];
    expect(others.map(isRequired)).toEqual(others.map(() => false));
  });

  it('has words that are cut, or none', () => {
    const [cut, none] = promptsOf(
      { name: 'p', title: LONG, description: LONG, arguments: [{ name: 'a', description: LONG }] },
      { name: 'q', title: 5, description: [], arguments: [{ name: 'a', description: null }] },
    );
    expect(LONG.startsWith(cut?.title ?? '?')).toBe(true);
    expect(cut?.title.length).toBeLessThanOrEqual(300);
    expect([cut?.description, cut?.arguments[0]?.description]).toEqual([
      'x'.repeat(300),
      'x'.repeat(300),
    ]);
    expect(none).toEqual({
      ...{ name: 'q', title: 'q', description: '' },
      arguments: [{ name: 'a', description: '', isRequired: false }],
    });
  });
});
