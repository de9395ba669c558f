import { describe, expect, it } from 'vitest';
import {
  blob,
  contentOf,
  DEEP,
  failureOf,
  faultsOf,
  fileOf,
  forEach,
  HIDDEN,
  LONG,
  NOTHINGS,
  nameOf,
  numbered,
  PNG,
  UNMEASURABLE,
} from '../../fakes/connectors/offers.ts';

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
