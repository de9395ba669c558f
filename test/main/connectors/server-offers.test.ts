import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectorOffers } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { OFFER_NAME_CHARS, OFFER_URI_CHARS } from '#contract/limits.ts';
import { hasHidden, makeVisible } from '#contract/visible-text.ts';
import { offersIn, promptText, resourceFile } from '#main/connectors/server-offers.ts';
import { trials } from '../../setup/sampling.ts';

const HIDDEN = 'a\u202eb\u200b\0\u{e0041}';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const LONG = 'x'.repeat(1_000_000);
/** A list in a list in a list, as a server can send it. */
const DEEP: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
/** Measured or joined to a text it throws: zod measures whatever has a length, also where it wants a string. */
const UNMEASURABLE: unknown = JSON.parse('{"length":{"toString":0}}');
/** What is no object of any form. */
const NOTHINGS: readonly unknown[] = [null, undefined, 5, true, '', 'text', [], {}, [null], DEEP];

const resourcesOf = (...resources: unknown[]) => offersIn({ resources, prompts: [] }).resources;
const promptsOf = (...prompts: unknown[]) => offersIn({ resources: [], prompts }).prompts;
const numbered = <Made>(count: number, make: (at: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Runs the same for each of many values; an error says which one it was. */
function forEach<Value>(values: readonly Value[], check: (value: Value, label: string) => void) {
  for (const [at, value] of values.entries()) {
    const label = `at ${at}: ${value === DEEP ? 'deep' : inspect(value, { depth: 4 }).slice(0, 300)}`;
    check(value, label);
  }
}

/** The error that a call ends with, which is one that a user can be told. */
function failureOf(run: () => unknown, label = ''): AppError {
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('CONNECTOR_FAILED');
    expect((error as AppError).message.length).toBeLessThan(5_000);
    return error as AppError;
  }
  throw new Error(
    `Nothing was thrown, but this came ${label}: ${JSON.stringify(result)?.slice(0, 200)}`,
  );
}

const SERVER_EVERYTHING = {
  resources: [
    {
      name: 'architecture.md',
      uri: 'demo://resource/static/document/architecture.md',
      mimeType: 'text/markdown',
      description: 'Static document file exposed from /docs: architecture.md',
    },
  ],
  prompts: [
    { name: 'simple-prompt', title: 'Simple Prompt', description: 'A prompt with no arguments' },
    {
      name: 'args-prompt',
      title: 'Arguments Prompt',
      description: 'A prompt with two arguments, one required and one optional',
      arguments: [
        { name: 'city', description: 'Name of the city', required: true },
        { name: 'state', description: 'Name of the state', required: false },
      ],
    },
  ],
};

describe('what a server offers', () => {
  it('is nothing where it lists nothing', () => {
    const nothing = { resources: [], prompts: [] };
    expect(offersIn(nothing)).toEqual(nothing);
  });

  it('is read from the lists of server-everything', () => {
    const [document] = SERVER_EVERYTHING.resources;
    const [simple, withArguments] = SERVER_EVERYTHING.prompts;
    expect(offersIn(SERVER_EVERYTHING)).toEqual({
      resources: [{ ...document, size: null }],
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
          ...{ description: '', mimeType: 'application/json', size: null },
        },
        {
          uri: 'file:///home/me/notes.txt',
          name: 'My notes',
          ...{ description: '', mimeType: 'text/plain', size: 120 },
        },
        {
          uri: 'memo://insights',
          name: 'memo://insights',
          ...{ description: '', mimeType: '', size: null },
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
      { uri: 'a://1', name: 'p', description: '', mimeType: '', size: null },
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

const RESOURCE = { uri: 'a://host/one', name: 'one', mimeType: '' };
const fileOf = (result: unknown, resource: Partial<typeof RESOURCE> = {}) =>
  resourceFile('files', { ...RESOURCE, ...resource }, result);
const contentOf = (...contents: unknown[]) => Buffer.from(fileOf({ contents }).bytes).toString();
const nameOf = (resource: Partial<typeof RESOURCE>, piece: object = { text: 'x' }) =>
  fileOf({ contents: [{ uri: 'a://host/one', ...piece }] }, resource).name;
const blob = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64');

/** What is wrong with the name of a file. */
function faultsOf(name: string): string[] {
  const faults = {
    'is empty': name === '',
    'is long': name.length > 115,
    'has hidden characters': /\p{Cc}/u.test(name) || hasHidden(name.replaceAll('⟨U+', '')),
    'has reserved characters': /[<>:"|?*/\\]/.test(name),
    'begins or ends with a dot or space': /^[. ]|[. ]$/.test(name),
    'has half of a pair': !name.isWellFormed(),
  };
  return Object.entries(faults).flatMap(([fault, isSo]) => (isSo ? [fault] : []));
}

describe('the content of a resource', () => {
  it('of text is its UTF-8', () => {
    const texts = ['', 'one\r\n two\n', HIDDEN, '\ufeffGrüße 😀\u2028', ' ', LONG];
    forEach(texts, (text, label) => {
      const { bytes } = fileOf({ contents: [{ uri: 'a://1', mimeType: 'text/plain', text }] });
      expect(bytes, label).toBeInstanceOf(Uint8Array);
      expect(Buffer.from(bytes).equals(Buffer.from(text)), label).toBe(true);
    });
  });

  it('of data is what it was before base64', () => {
    const every = Uint8Array.from(numbered(256, (at) => at));
    for (const length of [1, 2, 3, 255, 256]) {
      const sent = every.slice(0, length);
      const { bytes } = fileOf({ contents: [{ uri: 'a://1', blob: blob(sent) }] });
      expect([...bytes]).toEqual([...sent]);
    }
  });

  it('may be of many megabytes', () => {
    const data = 'AAAA'.repeat(4_000_000);
    expect(fileOf({ contents: [{ uri: 'a://1', blob: data }] }).bytes.length).toBe(12_000_000);
    failureOf(() => fileOf({ contents: [{ uri: 'a://1', blob: `${data}!` }] }));
  });

  it('is the text where there is both', () => {
    expect(contentOf({ uri: 'a://1', text: 'text', blob: blob('data') })).toBe('text');
    expect(contentOf({ uri: 'a://1', text: '', blob: blob('data') })).toBe('');
    for (const text of [null, 5, {}, []]) {
      expect(contentOf({ uri: 'a://1', text, blob: blob('data') })).toBe('data');
    }
  });

  it('is the one piece that can be used', () => {
    const broken = [...NOTHINGS, { uri: 'a://2' }, { uri: 'a://3', blob: '!!!!' }];
    expect(contentOf(...broken, { uri: 'a://1', text: 'only' }, ...broken)).toBe('only');
    expect(contentOf(...broken, { uri: 'a://1', blob: blob('only') })).toBe('only');
  });

  it('of several pieces is one text', () => {
    const pieces = [
      { uri: 'a://1', text: 'one\n' },
      null,
      { uri: 'a://2', mimeType: 'image/png', blob: blob(PNG) },
      { uri: 'a://3', text: 'three' },
    ];
    expect(contentOf(...pieces)).toBe('a://1:\none\n\n\n(data of a://2)\n\na://3:\nthree');
    expect(fileOf({ contents: pieces }, { name: 'folder' }).name).toBe('folder.txt');
  });

  it('of very many pieces is one text', () => {
    const text = contentOf(...numbered(20_000, (at) => ({ uri: `a://${at}`, text: `${at}` })));
    expect(text.split('\n\n').length).toBe(20_000);
    expect(text.endsWith('\n\na://19999:\n19999')).toBe(true);
  });

  it.each<[string, readonly unknown[]]>([
    ['no result', NOTHINGS],
    ['no contents', [...NOTHINGS.map((contents) => ({ contents })), { content: [{ text: 'x' }] }]],
    ['no list', [{ contents: { 0: { uri: 'a://1', text: 'x' }, length: 1 } }]],
    ['no piece', [...NOTHINGS, { uri: 'a://1' }].map((piece) => ({ contents: [piece] }))],
    [
      'no text',
      [5, null, true, [], {}, DEEP].map((text) => ({ contents: [{ uri: 'a://1', text }] })),
    ],
    [
      'no data',
      [5, null, [65], {}, DEEP].map((data) => ({ contents: [{ uri: 'a://1', blob: data }] })),
    ],
    [
      'no base64',
      ['!!!!', 'not base64', 'A', 'AAAA$AAA', 'QUJD=QUJ', '====', '\u200bQUJD', 'é'].map(
        (data) => ({
          contents: [{ uri: 'a://1', blob: data }],
        }),
      ),
    ],
  ])('is missing: %s', (_, results) => {
    forEach(results, (result, label) => {
      const { message } = failureOf(() => fileOf(result, { uri: 'a://host/gone' }), label);
      expect(message, label).toContain('files');
      expect(message, label).toContain('a://host/gone');
    });
  });

  it('is missing or found where something only looks as if it had a length', () => {
    const odd = UNMEASURABLE;
    for (const result of [odd, { contents: odd }, { contents: [odd] }]) {
      failureOf(() => fileOf(result));
    }
    failureOf(() => fileOf({ contents: [{ uri: 'a://1', text: odd, blob: odd }] }));
    expect(contentOf({ uri: 'a://1', mimeType: odd, text: 'x', blob: odd })).toBe('x');
  });

  it('is missing with an error of bounded length', () => {
    failureOf(() => fileOf(null, { uri: LONG, name: LONG, mimeType: LONG }));
    failureOf(() => fileOf({ contents: [{ uri: LONG, mimeType: LONG, blob: `${LONG}!` }] }));
  });
});

describe('the name of a file from a resource', () => {
  it.each([
    ['src/main/app.ts', 'app.ts'],
    ['Meeting notes.md', 'Meeting notes.md'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['README', 'README.txt'],
    ['v1.2', 'v1.2'],
    ['PHOTO.JPEG', 'PHOTO.JPEG'],
    ['a.abcdefgh', 'a.abcdefgh'],
    ['a.abcdefghi', 'a.abcdefghi.txt'],
    ['a.größe', 'a.größe.txt'],
    ['Plan. The rest', 'Plan. The rest.txt'],
    ['notes.', 'notes.txt'],
    ['.gitignore', 'gitignore.txt'],
    ['日本語/計画', '計画.txt'],
    ['__proto__', '__proto__.txt'],
    ['constructor', 'constructor.txt'],
  ])('%j is %j', (name, expected) => {
    expect(nameOf({ name })).toBe(expected);
  });

  it('is "resource" where nothing is left', () => {
    const names = ['', '.', '..', '...', '. . .', ' ', '/', '//', 'a/..', '../..', '../../.'];
    const blank = { blob: blob(PNG) };
    expect(names.map((name) => [nameOf({ name }), nameOf({ name }, blank)])).toEqual(
      names.map(() => ['resource.txt', 'resource']),
    );
  });

  it('is the end of the address where there is no other', () => {
    const ends = {
      'file:///home/me/report.pdf': 'report.pdf',
      'https://example.com/files/plan.md?version=/2.0#top': 'plan.md',
      'https://example.com/files/plan.md#a/b?c': 'plan.md',
      'memo://insights': 'insights.txt',
      'repo://octocat/hello/refs/heads/main/contents/README': 'README.txt',
    };
    expect(Object.keys(ends).map((uri) => nameOf({ uri, name: uri }))).toEqual(Object.values(ends));
  });

  it('is none with reserved characters of what postgres says', () => {
    const name = nameOf({ name: '"users" database schema', mimeType: 'application/json' });
    expect(name).toMatch(/^[_-]?users[_-]? database schema\.json$/);
  });

  it.each([
    ['text/markdown', '.md'],
    ['application/json', '.json'],
    ['image/png', '.png'],
    ['application/pdf', '.pdf'],
    ['Application/JSON; charset=utf-8', '.json'],
    ['text/markdown;charset=utf-8;variant=GFM', '.md'],
    ['text/plain', '.txt'],
  ])('ends as %s does', (mimeType, extension) => {
    for (const piece of [{ text: 'x' }, { blob: blob(PNG) }]) {
      expect(nameOf({}, { ...piece, mimeType })).toBe(`one${extension}`);
      expect(nameOf({ mimeType }, piece)).toBe(`one${extension}`);
      expect(nameOf({ mimeType: 'image/gif' }, { ...piece, mimeType })).toBe(`one${extension}`);
      expect(nameOf({ mimeType }, { ...piece, mimeType: 'a/unknown' })).toBe(`one${extension}`);
      expect(nameOf({ name: 'one.abc', mimeType }, { ...piece, mimeType })).toBe('one.abc');
    }
  });

  it('ends as text or not at all where the type is unknown', () => {
    const types = ['', 'application/octet-stream', 'constructor', '__proto__', 'toString', ';'];
    const data = { blob: blob(PNG) };
    forEach([...types, 'image/../x', LONG, 5, null, [], {}, DEEP], (mimeType, label) => {
      const names = [nameOf({}, { text: 'x', mimeType }), nameOf({}, { ...data, mimeType })];
      expect(names, label).toEqual(['one.txt', 'one']);
    });
    forEach([...types, 'image/../x', LONG], (mimeType, label) => {
      const names = [nameOf({ mimeType }, { text: 'x' }), nameOf({ mimeType }, data)];
      expect(names, label).toEqual(['one.txt', 'one']);
    });
  });

  it.each<[string, readonly string[]]>([
    [
      'paths',
      [
        ...['../../etc/passwd', '..\\..\\windows\\system32', 'C:\\Users\\me\\notes.md', '/etc/x'],
        ...['%2e%2e', '..%2f..%2fetc%2fpasswd', '%00', '%', '%ff%fe', 'a%E2%80%AEb', 'docs/'],
      ],
    ],
    [
      'dots and hidden characters',
      [
        ...['\u200b..\u200b', '.\u202e.', '..\0', '\0', '\u200b\u202e', '.\ud800.', '\ud800'],
        ...['a. \u200b', '\u200b .a', 'a\u202egpj.exe', 'a\nb\tc\rd', 'a\u00a0b\u2800', '\u00a0'],
        ...['⟨U+202E⟩', 'a.\u200bpdf', 'a.pdf\u200b', '\u3000.\u3000', '\u2028', '\u{e0041}'],
      ],
    ],
    [
      'reserved characters',
      ['<>:"|?*', '?', '.<.', 'a.p:df', 'a.pdf.', 'a.pdf. .', '.txt', '..md', 'a: b', '* *', '.*'],
    ],
    [
      'long ones',
      [
        ...['x'.repeat(5_000), '😀'.repeat(500), `x${'😀'.repeat(500)}`, '.'.repeat(5_000)],
        ...[`${'x'.repeat(5_000)}.md`, `a.${'b'.repeat(5_000)}`, 'é\u0301'.repeat(300)],
        ...[' .'.repeat(2_500), `${' '.repeat(2_000)}x`, `x${'. '.repeat(2_000)}y`],
      ],
    ],
    [
      'long ones of hidden characters',
      ['\u202e', '\0', '\ud800', '\u{e0041}', '\u00a0', '⟨U+'].map((one) => one.repeat(300)),
    ],
  ])('is a single plain one whatever the server says: %s', (_, names) => {
    forEach(names, (name, label) => {
      for (const resource of [{ name }, { name, uri: name }]) {
        for (const piece of [{ text: 'x' }, { blob: blob(PNG) }]) {
          const made = nameOf(resource, piece);
          expect(faultsOf(made), `${label} became ${made}`).toEqual([]);
        }
      }
    });
  });

  it('is plain wherever it is cut', () => {
    for (let at = 80; at < 130; at += 1) {
      for (const middle of ['😀', ' ', '.', '. .', '\u200b.', '.md']) {
        const name = `${'x'.repeat(at)}${middle}${'y'.repeat(100)}`;
        expect(faultsOf(nameOf({ name }))).toEqual([]);
        expect(faultsOf(nameOf({ name }, { blob: blob(PNG) }))).toEqual([]);
      }
    }
  });

  it('keeps the extension of a long one', () => {
    expect(nameOf({ name: `${'x'.repeat(300)}.md` })).toMatch(/^x{80,}\.md$/);
    expect(nameOf({ name: 'x'.repeat(300), mimeType: 'application/pdf' })).toMatch(/^x{80,}\.pdf$/);
  });
});

const text = (words: unknown) => ({ type: 'text', text: words });
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const promptOf = (...messages: unknown[]) => promptText('github', 'triage', { messages });

describe('the text of a prompt', () => {
  it('is what server-everything says', () => {
    const simple = 'This is a simple prompt without arguments.';
    expect(promptText('everything', 'simple-prompt', { messages: [user(text(simple))] })).toBe(
      simple,
    );
    const uri = 'demo://resource/dynamic/text/1';
    const embedded = (resource: object) =>
      promptText('everything', 'resource-prompt', {
        description: 'A prompt that includes an embedded resource reference',
        messages: [
          user(text('Please analyze the following resource:')),
          user({ type: 'resource', resource: { uri, mimeType: 'text/plain', ...resource } }),
        ],
      });
    expect(embedded({ text: 'Resource 1' })).toBe(
      `Please analyze the following resource:\n\n${uri}:\nResource 1`,
    );
    expect(embedded({ blob: blob('Resource 1') })).toBe(
      `Please analyze the following resource:\n\n(data of ${uri})`,
    );
  });

  it('says who speaks where one of the messages is of the assistant', () => {
    expect(
      promptOf(
        user(text('Get the last 10 issues of octocat/hello.')),
        assistant(text('Sure! I will get them.')),
        user([text('Thanks.')]),
      ),
    ).toBe(
      'User: Get the last 10 issues of octocat/hello.\n\nAssistant: Sure! I will get them.\n\nUser: Thanks.',
    );
    expect(promptOf(assistant(text('Hello')))).toBe('Assistant: Hello');
    expect(promptOf(user(text('one')), user(text('two')))).toBe('one\n\ntwo');
  });

  it('knows no other speakers', () => {
    const roles = ['system', 'ASSISTANT', '', 'constructor', '__proto__', 5, null, undefined, {}];
    forEach([...roles, [], ['assistant'], DEEP], (role, label) => {
      const odd = { role, content: text('two') };
      expect(promptOf(user(text('one')), odd), label).toBe('one\n\ntwo');
      expect(promptOf(assistant(text('one')), odd), label).toMatch(
        /^Assistant: one\n\n(?:User|Assistant): two$/,
      );
    });
  });

  it('shows or names parts of every kind', () => {
    const parts: readonly (readonly [part: object, shown: string])[] = [
      [
        { type: 'image', data: blob(PNG), mimeType: 'image/png' },
        '(a picture that cannot be shown: image/png)',
      ],
      [
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        '(a sound that cannot be played: audio/wav)',
      ],
      [{ type: 'resource_link', uri: 'file:///a.md', name: 'A' }, '(a link to file:///a.md: A)'],
      [{ type: 'resource', resource: { uri: 'a://b', text: 'inside' } }, 'a://b:\ninside'],
      [{ type: 'resource', resource: { uri: 'a://b', blob: 'AAAA' } }, '(data of a://b)'],
      [{ type: 'video' }, '(a part of an unknown kind: video)'],
    ];
    forEach(parts, ([part, shown], label) => {
      expect([promptOf(user(part)), promptOf(user([part]))], label).toEqual([shown, shown]);
      expect(promptOf(user(text('before')), user(part)), label).toBe(`before\n\n${shown}`);
      const between = promptOf(user([text('before'), part, text('after')]));
      expect(between.replaceAll(/\n+/g, '\n'), label).toBe(`before\n${shown}\nafter`);
    });
  });

  it('is trimmed, and keeps the lines between', () => {
    expect(promptOf(user(text('\n  one\n\n  two \n')))).toBe('one\n\n  two');
    expect(promptOf(user(text('  one')), user(text('two  ')))).toBe('one\n\ntwo');
  });

  it('shows hidden characters of every part', () => {
    expect(promptOf(user(text(`x${HIDDEN}`)))).toBe(`x${makeVisible(HIDDEN)}`);
    const made = promptOf(
      user(text(HIDDEN)),
      assistant([
        { type: 'image', mimeType: HIDDEN, data: 'AAAA' },
        { type: 'resource_link', uri: HIDDEN, name: HIDDEN },
        { type: 'resource', resource: { uri: HIDDEN, text: HIDDEN } },
        { type: HIDDEN },
      ]),
    );
    expect(hasHidden(made.replaceAll('⟨U+', ''))).toBe(false);
    expect(made.startsWith(`User: ${makeVisible(HIDDEN)}\n\nAssistant: (`)).toBe(true);
  });

  it.each(['x', '\u200b', '\u{e0041}', '😀', '\ud800'])('is bounded: %j', (unit) => {
    const words = unit.repeat(250_000);
    const embedded = { type: 'resource', resource: { uri: words, text: words } };
    for (const made of [
      promptOf(user(text(words))),
      promptOf(...numbered(2_500, () => assistant(text(unit.repeat(100))))),
      promptOf(user(numbered(2_500, () => text(unit.repeat(100))))),
      promptOf(...numbered(5, () => user([embedded, embedded]))),
    ]) {
      expect(made.length).toBeGreaterThan(190_000);
      expect(made.length).toBeLessThan(201_000);
    }
  });

  it.each<[string, readonly unknown[]]>([
    ['no result', [...NOTHINGS, { contents: [{ uri: 'a://1', text: 'x' }] }]],
    [
      'no messages',
      NOTHINGS.filter((one) => !Array.isArray(one)).map((messages) => ({ messages })),
    ],
    ['an empty list', [{ messages: [] }]],
    ['no parts', [{ messages: [user([])] }, { messages: [user([]), assistant([])] }]],
    [
      'only empty texts',
      ['', ' ', '\n\n \t'].flatMap((words) => [
        { messages: [user(text(words))] },
        { messages: [user([text(words), text(words)]), user(text(words))] },
        { messages: [user(text(words)), assistant(text(words))] },
      ]),
    ],
  ])('is missing: %s', (_, results) => {
    forEach(results, (result, label) => {
      const { message } = failureOf(() => promptText('github', 'triage', result), label);
      expect(message, label).toContain('github');
      expect(message, label).toContain('triage');
    });
  });

  it('is missing with an error of bounded length', () => {
    failureOf(() => promptText('github', LONG, null));
    failureOf(() => promptText('github', LONG, { messages: [], description: LONG }));
  });

  it('is not hidden by broken messages or parts', () => {
    const odd = [...NOTHINGS, { type: 'text' }, { type: 'text', text: 5 }, { type: 'resource' }];
    forEach(odd, (broken, label) => {
      for (const made of [
        promptOf(user(text('one')), broken, user(text('two'))),
        promptOf(user([text('one'), broken, text('two')])),
        promptOf(user(text('one')), user(broken), user(text('two'))),
      ]) {
        expect(made, label).toMatch(/^one\n[\s\S]*two$/);
      }
    });
  });
});

describe('whatever a server says', () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      ...['a://1', 'file:///a/b.md?x#y', 'user', 'assistant', 'text', 'image', 'resource', '..'],
      ...['QUJD', 'QUJD!', 'text/markdown', '__proto__', 'constructor', HIDDEN, '', '/', '. .'],
      'x'.repeat(3_000),
    ),
  );
  const KEYS = [
    ...['uri', 'name', 'title', 'description', 'mimeType', 'size', 'arguments', 'required'],
    ...['contents', 'text', 'blob', 'messages', 'role', 'content', 'type', 'resource', 'data'],
    ...['__proto__', 'constructor', 'toString', 'length'],
  ];
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      words,
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...KEYS), tie('any'), { maxKeys: 6 }),
    ),
  }));
  const some = { requiredKeys: [] };
  /** Mostly words, where the protocol has words. */
  const said = fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: any });
  const part = fc.record(
    {
      ...{ type: said, text: said, data: said, mimeType: said, uri: said, name: said },
      resource: fc.oneof(fc.record({ uri: said, text: said, blob: said }, some), any),
    },
    some,
  );
  const resource = fc.record(
    { uri: said, name: said, title: said, description: said, mimeType: said, size: any },
    some,
  );
  const argument = fc.record({ name: said, description: said, required: any }, some);
  const prompt = fc.record(
    {
      ...{ name: said, title: said, description: said },
      arguments: fc.oneof(fc.array(argument, { maxLength: 3 }), any),
    },
    some,
  );
  const content = fc.oneof(part, fc.array(part, { maxLength: 3 }), any);
  const message = fc.record({ role: said, content }, some);
  const piece = fc.record({ uri: said, mimeType: said, text: said, blob: said }, some);
  const list = (item: fc.Arbitrary<unknown>) => fc.array(fc.oneof(item, any), { maxLength: 5 });
  const onWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

  /** What comes of a call; null where it fails as it may. */
  function orNull<Made>(run: () => Made): Made | null {
    try {
      return run();
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONNECTOR_FAILED') {
        expect(error.message.length).toBeLessThan(5_000);
        return null;
      }
      throw error;
    }
  }

  it('its offers keep the form, and names and addresses as they are', () => {
    let found = 0;
    fc.assert(
      fc.property(list(resource), list(prompt), (resources, prompts) => {
        const given = onWire({ resources, prompts }) as Parameters<typeof offersIn>[0];
        const before = JSON.stringify(given);
        const offers = offersIn(given);
        expect(JSON.stringify(given)).toBe(before);
        expect(ConnectorOffers.parse(offers)).toEqual(offers);
        expect(JSON.parse(JSON.stringify(offers))).toEqual(offers);
        const valuesOf = (items: readonly unknown[], key: string) =>
          items.map((item) => (item as Readonly<Record<string, unknown>> | null)?.[key]);
        const uris = offers.resources.map(({ uri }) => uri);
        const names = offers.prompts.map(({ name }) => name);
        // In their order, each once.
        const first = (values: readonly unknown[], kept: readonly string[]) =>
          [...new Set(values)].filter((value) => kept.includes(value as string));
        expect(first(valuesOf(given.resources, 'uri'), uris)).toEqual(uris);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(valuesOf(given.prompts, 'name')).toContain(name);
        for (const { uri, name } of offers.resources) {
          expect([uri.length > 0, uri.length <= OFFER_URI_CHARS, name.length > 0]) //
            .toEqual([true, true, true]);
        }
        found += uris.length + names.length;
      }),
      trials(3_000, { name: 'offers of servers', size: 300 }),
    );
    expect(found).toBeGreaterThan(300);
  });

  it('a resource is a file or a failure', () => {
    let found = 0;
    const results = fc.oneof(fc.record({ contents: list(piece) }), any);
    const asked = fc.record({ uri: words, name: words, mimeType: words });
    fc.assert(
      fc.property(asked, results, (of, result) => {
        const file = orNull(() => resourceFile('files', of, onWire(result)));
        if (file === null) return;
        expect(file.bytes).toBeInstanceOf(Uint8Array);
        expect(faultsOf(file.name)).toEqual([]);
        found += 1;
      }),
      trials(3_000, { name: 'resources of servers', size: 300 }),
    );
    expect(found).toBeGreaterThan(50);
  });

  it('a prompt is visible text or a failure', () => {
    let found = 0;
    const results = fc.oneof(fc.record({ messages: list(message) }), any);
    fc.assert(
      fc.property(words, results, (name, result) => {
        const made = orNull(() => promptText('files', name, onWire(result)));
        if (made === null) return;
        expect([made.trim(), made === '']).toEqual([made, false]);
        expect(made.length).toBeLessThan(201_000);
        expect(hasHidden(made.replaceAll('⟨U+', ''))).toBe(false);
        found += 1;
      }),
      trials(3_000, { name: 'prompts of servers', size: 300 }),
    );
    expect(found).toBeGreaterThan(50);
  });
});
