import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { pdf } from '../../fakes/documents.ts';
import { writeLibraryFolder } from '../../fakes/library-folder.ts';
import {
  firstPassages,
  folderOf,
  found,
  libraryOf,
  never,
  openTestLibrary,
  put,
  temporaryFolder,
} from './support.ts';

async function refusalOf(work: () => unknown): Promise<readonly [string, string]> {
  try {
    await work();
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.message];
    throw error;
  }
  throw new Error('It was expected to fail, and did not');
}

describe('a folder of 200 mixed files', () => {
  test('each document is the first result for its words, in English and Chinese, and can be read', async () => {
    const folder = temporaryFolder();
    const facts = await writeLibraryFolder(folder);
    const { library } = openTestLibrary();
    await library.add(folder);
    await library.settled();
    const [state] = library.list().folders;
    expect(state).toMatchObject({ state: 'ready', files: 200, indexed: 200, problems: 0 });
    const wrong: string[] = [];
    for (const fact of facts) {
      const [best] = await library.search(fact.query, { limit: 5, signal: never });
      const { text } = await library.read(best?.url ?? '', never);
      const isRight = text.includes(fact.answer) && best?.provider === 'library';
      if (!isRight) wrong.push(`${fact.query}: ${best?.title}`);
    }
    expect(facts.filter(({ language }) => language === 'zh').length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });
});

describe('search by name', () => {
  test('finds parts of names and titles, the newest first, and nothing of other folders', async () => {
    const { library, folder } = await libraryOf({
      'harbour.md': '# The old crane',
      'notes/100%_crane.md': 'Nothing of it in here.',
      '季度报告.md': '内容',
      'empty.md': '',
    });
    const named = async (part: string): Promise<string[]> => {
      const hits = await library.findByName(part, { signal: never });
      expect(hits.map(({ snippet }) => snippet).join('')).toBe('');
      return hits.map(({ path: at }) => path.relative(folder, at)).toSorted();
    };
    expect([
      await named('CRANE'),
      await named('harb'),
      await named('季度'),
      await named('0%_c'),
      await named('h%r'),
      await named('_'),
      await named('empty'),
    ]).toEqual([
      ['harbour.md', 'notes/100%_crane.md'],
      ['harbour.md'],
      ['季度报告.md'],
      ['notes/100%_crane.md'],
      [],
      ['notes/100%_crane.md'],
      [],
    ]);
    const [best] = await library.findByName('harb', { signal: never });
    expect((await library.read(best?.url ?? '', never)).text).toContain('crane');
    await library.remove(folder);
    expect(await named('harb')).toEqual([]);
  });
});

describe('search', () => {
  test('finds a Chinese word of two characters, and one of one', async () => {
    const { library, folder } = await libraryOf({
      'a.md': '去年我们在龙潭修了一座水车，用来磨面。',
      'b.md': '山上的茶',
      'c.md': '今年的天气很好。',
    });
    expect([
      await found(library, folder, '水车'),
      await found(library, folder, '磨面是在哪里'),
      await found(library, folder, '茶'),
      await found(library, folder, '铁桥'),
    ]).toEqual([['a.md'], ['a.md'], ['b.md'], []]);
  });

  test('reads no part of a query as an operator', async () => {
    const { library, folder } = await libraryOf({
      'a.md': 'The crane AND the NEAR bank, a* "b" (c)',
    });
    for (const query of [
      'crane AND',
      '"',
      'NEAR(',
      'title:crane',
      'a* OR',
      '^crane',
      "'; DROP",
      '-crane',
      '()',
    ]) {
      const result = await found(library, folder, query);
      expect([query, result.length <= 1]).toEqual([query, true]);
    }
    expect(await found(library, folder, 'crane AND nothing')).toEqual(['a.md']);
    expect(await found(library, folder, '   ')).toEqual([]);
  });

  test('returns a document once, with its best passage', async () => {
    const filler = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} on the weather.`);
    const text = [...filler, 'The turbine turns at 333 rounds.', ...filler].join('\n\n');
    const { library } = await libraryOf({ 'long.md': `# Turbine log\n\n${text}` });
    const hits = await library.find('turbine rounds', { signal: never });
    expect(
      hits.map(({ title, snippet }) => [
        title,
        snippet.includes('333 rounds'),
        snippet.length < 1400,
      ]),
    ).toEqual([['Turbine log', true, true]]);
    expect((await library.read(hits[0]?.url ?? '', never)).text).toBe(`# Turbine log\n\n${text}`);
  });

  test('a long document with many matches does not hide the others', async () => {
    const long = Array.from(
      { length: 400 },
      (_, index) => `turbine turbine turbine ${index} ${'water '.repeat(150)}`,
    );
    const short = Array.from({ length: 5 }, (_, index) => [
      `${index}.md`,
      `The turbine of ${index}. ${'grass '.repeat(150)}`,
    ]);
    const files = { 'big.log': long.join('\n\n'), ...Object.fromEntries(short) };
    const { library, folder } = await libraryOf(files);
    expect((await found(library, folder, 'turbine')).sort()).toEqual([
      ...['0.md', '1.md', '2.md', '3.md', '4.md', 'big.log'],
    ]);
  });

  test('finds by the name of a file and other forms of a word', async () => {
    const { library, folder } = await libraryOf({
      'invoices/acme-2024.txt': 'Total: 40',
      'b.txt': 'Several invoices were paid.',
    });
    expect(await found(library, folder, 'acme 2024')).toEqual(['invoices/acme-2024.txt']);
    expect((await found(library, folder, 'invoice')).sort()).toEqual([
      'b.txt',
      'invoices/acme-2024.txt',
    ]);
  });
});

describe('the index follows the folder:', () => {
  test('only changed files are parsed, and deleted files are removed', async () => {
    const test = await libraryOf({ 'a.md': 'apple', 'b.md': 'banana', 'c.md': 'cherry' });
    const { library, folder, dataDir } = test;
    const again = async (): Promise<string[]> => {
      const before = firstPassages(dataDir, folder);
      library.refresh();
      await library.settled();
      const after = [...firstPassages(dataDir, folder)];
      return after.flatMap(([file, first]) => (before.get(file) === first ? [] : [file]));
    };
    const unchanged = await again();
    put(folder, 'a.md', 'apricot');
    rmSync(path.join(folder, 'b.md'));
    put(folder, 'd.md', 'date');
    utimesSync(path.join(folder, 'c.md'), 1, 1);
    const changed = await again();
    expect({
      unchanged,
      changed,
      found: await Promise.all(
        ['apple', 'apricot', 'banana', 'cherry', 'date'].map((word) =>
          found(library, folder, word),
        ),
      ),
    }).toEqual({
      unchanged: [],
      changed: ['a.md', 'd.md'],
      found: [[], ['a.md'], [], ['c.md'], ['d.md']],
    });
  });

  test('an interrupted index continues', async () => {
    const folder = temporaryFolder();
    await writeLibraryFolder(folder, 200);
    const dataDir = temporaryFolder();
    const first = openTestLibrary({ dataDir });
    await first.library.add(folder);
    while (first.counts.countsOf(folder).indexed < 20) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await first.close();
    const kept = firstPassages(dataDir, folder);
    expect([kept.size >= 20, kept.size < 200]).toEqual([true, true]);
    const second = openLater(dataDir, folder);
    second.library.refresh();
    await second.library.settled();
    expect(second.counts.countsOf(folder)).toMatchObject({ files: 200, indexed: 200, problems: 0 });
    expect([...firstPassages(dataDir, folder)]).toEqual(expect.arrayContaining([...kept]));
  });

  test('unreadable files are named, and do not affect the others', async () => {
    const { library, folder } = await libraryOf({
      'a.md': 'apple',
      'broken.pdf': 'no',
      'scan.pdf': pdf(['']),
    });
    const [state] = library.list().folders;
    expect(state).toMatchObject({
      state: 'ready',
      files: 3,
      indexed: 1,
      problems: 2,
      problem: null,
    });
    expect(state?.issues).toMatchObject([
      { file: 'broken.pdf', problem: 'It is damaged, or not a PDF.' },
      { file: 'scan.pdf' },
    ]);
    expect(await found(library, folder, 'apple')).toEqual(['a.md']);
  });

  test('hidden folders and folders of tools are skipped, and files over the limit are counted', async () => {
    const test = await libraryOf(
      {
        'a.md': 'fig',
        'deep/b.md': 'fig',
        'deep/c.md': 'fig',
        '.git/d.md': 'fig',
        'node_modules/e/e.md': 'fig',
        '.hidden.md': 'fig',
        'picture.png': 'fig',
      },
      { parts: { maxFiles: 2 } },
    );
    const [state] = test.library.list().folders;
    expect([
      state?.files,
      state?.leftOut,
      (await found(test.library, test.folder, 'fig')).sort(),
    ]).toEqual([2, 1, ['a.md', 'deep/b.md']]);
  });
});

describe('nothing outside the folders is read:', () => {
  test('links are not followed', async () => {
    const outside = folderOf({ 'secret.md': 'password hunter2' });
    const folder = folderOf({ 'a.md': 'apple' });
    symlinkSync(path.join(outside, 'secret.md'), path.join(folder, 'link.md'));
    symlinkSync(outside, path.join(folder, 'linked'));
    const { library } = openTestLibrary();
    await library.add(folder);
    await library.settled();
    expect([library.list().folders[0]?.files, await found(library, folder, 'hunter2')]).toEqual([
      1,
      [],
    ]);
  });

  test('a folder that becomes a link between the scan and the reading leads nowhere', async () => {
    const outside = folderOf({ 'a.md': 'password hunter2' });
    const { readWithin } = await import('#main/library/read-within.ts');
    const folder = folderOf({ 'inner/a.md': 'apple' });
    renameSync(path.join(folder, 'inner'), path.join(folder, 'was'));
    symlinkSync(outside, path.join(folder, 'inner'));
    expect(await refusalOf(() => readWithin(folder, 'inner/a.md', 1000))).toEqual([
      'LIBRARY_UNREADABLE',
      'It is outside the attached folder.',
    ]);
    const { bytes } = await readWithin(folder, 'was/a.md', 1000);
    expect(bytes.toString()).toBe('apple');
  });

  test('a document of a detached folder is neither found nor read, at once and afterwards', async () => {
    const { library, folder, counts } = await libraryOf({ 'a.md': 'apple' });
    const [hit] = await library.find('apple', { signal: never });
    const url = hit?.url ?? '';
    library.remove(folder);
    const atOnce = [
      await found(library, folder, 'apple'),
      await refusalOf(() => library.read(url, never)),
    ];
    await library.settled();
    expect([
      atOnce[0],
      atOnce[1]?.[0],
      library.isEmpty,
      counts.folders(),
      counts.passageCount(),
    ]).toEqual([[], 'NOT_FOUND', true, [], 0]);
  });

  test('the text of a detached folder is erased from the disk', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `${index}.md`,
        `zyzzyva${index} quokka `.repeat(400),
      ]),
    );
    const one = await libraryOf(files);
    const kept = folderOf({ 'a.md': 'walrus' });
    await one.library.add(kept);
    await one.library.settled();
    one.library.remove(one.folder);
    await one.library.settled();
    expect(await found(one.library, kept, 'walrus')).toEqual(['a.md']);
    await one.close();
    const bytes = readFileSync(path.join(one.dataDir, 'library.db'));
    expect(['zyzzyva', 'quokka', 'walrus'].map((word) => bytes.includes(word))).toEqual([
      ...[false, false, true],
    ]);
    // An empty index, and next to nothing in it.
    expect(bytes.length).toBeLessThan(40 * 4096);
  });

  test.each([
    'library:../../etc/passwd',
    'library:/etc/passwd',
    'file:///etc/passwd',
    'library:',
    'library:0000000000000000/a',
  ])('no document has the address %s', async (url) => {
    const { library } = await libraryOf({ 'a.md': 'apple' });
    expect((await refusalOf(() => library.read(url, never)))[0]).toBe('NOT_FOUND');
  });
});

describe('attaching', () => {
  test('refuses unsuitable folders, with the reason', async () => {
    const { library, dataDir } = openTestLibrary();
    const folder = folderOf({ 'a.md': 'x', 'inner/b.md': 'y' });
    await library.add(folder);
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync('/', link);
    mkdirSync(path.join(dataDir, 'inside'));
    const refused = await Promise.all(
      [
        'notes',
        '/',
        link,
        dataDir,
        path.join(dataDir, 'inside'),
        path.join(folder, 'none'),
        path.join(folder, 'a.md'),
        path.join(folder, 'inner'),
        '/a\0b',
      ].map(async (text) => (await refusalOf(() => library.add(text)))[0]),
    );
    expect(refused).toEqual([
      ...['BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST'],
      ...['LIBRARY_UNREADABLE', 'LIBRARY_UNREADABLE', 'BAD_REQUEST', 'BAD_REQUEST'],
    ]);
    await library.settled();
    expect(library.list().folders.map((one) => one.path)).toEqual([folder]);
  });

  test('an attached folder that is missing is reported, and its index is kept', async () => {
    const { library, folder } = await libraryOf({ 'a.md': 'apple' });
    renameSync(folder, `${folder}-away`);
    library.refresh();
    await library.settled();
    const [state] = library.list().folders;
    expect([state?.state, state?.problem, await found(library, folder, 'apple')]).toEqual([
      'unreadable',
      `${folder} cannot be read: there is no such folder.`,
      ['a.md'],
    ]);
    renameSync(`${folder}-away`, folder);
  });

  test('a parent of an attached folder does not take over its files', async () => {
    const folder = folderOf({ 'a.md': 'apple', 'inner/b.md': 'apple' });
    const { library } = openTestLibrary();
    await library.add(path.join(folder, 'inner'));
    await library.add(folder);
    await library.settled();
    expect(library.list().folders.map(({ files }) => files)).toEqual([1, 1]);
    expect((await found(library, folder, 'apple')).sort()).toEqual(['a.md', 'inner/b.md']);
  });

  test('a folder that is detached and attached again at once is indexed', async () => {
    const { library, folder } = await libraryOf({ 'a.md': 'apple' });
    library.remove(folder);
    await library.add(folder);
    await library.settled();
    expect(await found(library, folder, 'apple')).toEqual(['a.md']);
  });

  test('windows are notified', async () => {
    const test = await libraryOf({ 'a.md': 'apple' });
    while (test.states.at(-1)?.folders[0]?.state !== 'ready') {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(test.states.at(-1)?.folders).toMatchObject([{ path: test.folder, indexed: 1 }]);
  });
});

function openLater(dataDir: string, folder: string): ReturnType<typeof openTestLibrary> {
  return openTestLibrary({ dataDir, settings: { libraryFolders: [folder] } });
}
