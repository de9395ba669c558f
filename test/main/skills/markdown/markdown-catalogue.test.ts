import {
  chmodSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MarkdownCatalogue } from '#main/skills/markdown/markdown-catalogue.ts';
import { putFiles, TEA } from '../../../fakes/markdown-skill.ts';
import { openData } from '../../../fakes/open-data.ts';

function openCatalogue() {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'hyperagent-catalogue-')));
  const stores = openData(path.join(dir, 'data'));
  onTestFinished(() => {
    stores.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const [own, shipped] = [path.join(dir, 'own'), path.join(dir, 'shipped')];
  let stale = 0;
  const catalogue = new MarkdownCatalogue({
    readOnly: false,
    store: stores.skills,
    sources: () => [
      { dir: shipped, isShipped: true },
      { dir: own, isShipped: false },
      { dir: path.join(dir, 'nowhere'), isShipped: false },
    ],
    onStale: () => {
      stale += 1;
    },
  });
  const folder = putFiles(path.join(own, 'tea-maker'), TEA);
  return {
    ...{ dir, own, shipped, folder, catalogue },
    staleTimes: () => stale,
    approve: async () => {
      await catalogue.approve('tea-maker', (await catalogue.review('tea-maker')).sha256);
    },
    states: () => Object.fromEntries(catalogue.list().map(({ id, state }) => [id, state])),
  };
}

const codeOf = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return null;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('a list', () => {
  it('is made in time, whatever a folder says of itself', async () => {
    const { own, catalogue } = openCatalogue();
    const say = (name: string, text: string) =>
      putFiles(path.join(own, name), { 'SKILL.md': text });
    say('lists', `---\na: ${'['.repeat(60_000)}\n---\nx`);
    say('rows', `---\na: ${'- '.repeat(8_000)}\n---\nx`);
    say('keys', `---\n${Array.from({ length: 6_000 }, (_, i) => `a${i}: 1`).join('\n')}\n---\nx`);
    say(
      'flow',
      `---\na: {${Array.from({ length: 6_000 }, (_, i) => `a${i}: 1`).join(', ')}}\n---\nx`,
    );
    say('quotes', `---\na: ${'""'.repeat(8_000)}\n---\nx`);
    const problems = Object.fromEntries(catalogue.list().map(({ id, problem }) => [id, problem]));
    const plain = 'The front matter is not plain YAML: It';
    expect(problems).toEqual({
      ...{ lists: `${plain} has too many lists, fields and quotes.` },
      ...{ rows: `${plain} has too many lists, fields and quotes.` },
      ...{ keys: `${plain} has 6000 lines; the limit is 500.` },
      ...{ flow: `${plain} has too many lists, fields and quotes.` },
      quotes: `${plain} has too many lists, fields and quotes.`,
      'tea-maker': expect.stringContaining('It has not been reviewed yet'),
    });
  });

  const isRoot = process.getuid?.() === 0;
  it.skipIf(isRoot)(
    `has the others, where one folder is closed to the app${isRoot ? ' (skipped: root reads everything; another account runs it)' : ''}`,
    () => {
      const { own, states } = openCatalogue();
      const closed = putFiles(path.join(own, 'closed'), { 'SKILL.md': 'x' });
      chmodSync(closed, 0o000);
      expect(states()).toMatchObject({ closed: 'broken', 'tea-maker': 'needs_review' });
      chmodSync(closed, 0o700);
    },
  );

  it('says what may be used: what ships with the app, and what was approved', async () => {
    const { catalogue, own, shipped, approve, states } = openCatalogue();
    putFiles(path.join(shipped, 'shipped'), {
      'SKILL.md': '---\nname: shipped\ndescription: D.\n---\nDo.\n',
    });
    putFiles(path.join(own, 'broken'), { 'SKILL.md': 'no' });
    putFiles(path.join(own, 'no-skill'), { 'readme.txt': 'x' });
    symlinkSync(path.join(own, 'tea-maker'), path.join(own, 'linked'));
    expect(states()).toEqual({
      ...{ 'tea-maker': 'needs_review', shipped: 'ready', broken: 'broken', linked: 'broken' },
    });
    await approve();
    expect(states()['tea-maker']).toBe('ready');
    expect(catalogue.list().find(({ id }) => id === 'tea-maker')).toMatchObject({
      ...{ description: 'Makes tea by the rules of the house. Use for tea.', category: null },
      allowedTools: ['sandbox_file'],
    });
  });

  it('gives of two with one name the one of the app', async () => {
    const { catalogue, shipped } = openCatalogue();
    putFiles(path.join(shipped, 'tea-maker'), TEA);
    expect(catalogue.list()).toHaveLength(1);
    expect(catalogue.open('tea-maker').id).toBe('tea-maker');
  });
});

describe('any change of an approved skill', () => {
  const changes: Readonly<Record<string, (folder: string) => void>> = {
    'other content': (folder) => writeFileSync(path.join(folder, 'notes.md'), 'other'),
    'other content of the same size and time': (folder) => {
      const file = path.join(folder, 'notes.md');
      writeFileSync(file, 'NOTES: of my step.\n');
      utimesSync(file, 1, 1);
    },
    'a new file': (folder) => writeFileSync(path.join(folder, 'new.py'), 'print(1)'),
    'a file that is gone': (folder) => rmSync(path.join(folder, 'notes.md')),
    'a file with another name': (folder) =>
      renameSync(path.join(folder, 'notes.md'), path.join(folder, 'Notes.md')),
    'a file that is a link to itself elsewhere': (folder) => {
      renameSync(path.join(folder, 'notes.md'), path.join(folder, '..', 'notes.md'));
      symlinkSync('../notes.md', path.join(folder, 'notes.md'));
    },
    'a link more': (folder) => symlinkSync('/etc/hostname', path.join(folder, 'more.md')),
    'a folder that is a link': (folder) => {
      renameSync(path.join(folder, 'subskill'), path.join(folder, '..', 'subskill'));
      symlinkSync('../subskill', path.join(folder, 'subskill'));
    },
    'another front matter': (folder) =>
      writeFileSync(
        path.join(folder, 'SKILL.md'),
        TEA['SKILL.md']?.replace('Read Write', 'Bash') ?? '',
      ),
  };

  it.each(Object.entries(changes))(
    '%s: needs a review, and is not given',
    async (_what, change) => {
      const { catalogue, folder, approve, states, staleTimes } = openCatalogue();
      await approve();
      const { sha256 } = catalogue.open('tea-maker').folder;
      change(folder);
      expect(await codeOf(() => catalogue.open('tea-maker'))).toBe('SKILL_NEEDS_REVIEW');
      expect(staleTimes()).toBe(1);
      expect(states()['tea-maker']).toBe('needs_review');
      const review = await catalogue.review('tea-maker');
      expect(review.files.length + review.findings.length).toBeGreaterThan(0);
      // An approval of the earlier files does not cover the new ones.
      expect(await codeOf(() => catalogue.approve('tea-maker', sha256))).toBe('CONFLICT');
    },
  );

  it('shows what is new, what is gone and what is other, and is ready again after a yes', async () => {
    const { catalogue, folder, approve, states } = openCatalogue();
    expect(
      (await catalogue.review('tea-maker')).files.map(({ path: file, before }) => [file, before]),
    ).toEqual(
      Object.keys(TEA)
        .sort()
        .map((file) => [file, null]),
    );
    await approve();
    writeFileSync(path.join(folder, 'notes.md'), 'other');
    rmSync(path.join(folder, 'subskill/warm.md'));
    writeFileSync(path.join(folder, 'a.bin'), Buffer.from([0, 1]));
    writeFileSync(
      path.join(folder, 'SKILL.md'),
      TEA['SKILL.md']?.replace(' call → warm', '') ?? '',
    );
    const { files, mayApprove } = await catalogue.review('tea-maker');
    expect(mayApprove).toBe(true);
    expect(files).toMatchObject([
      { path: 'SKILL.md', before: TEA['SKILL.md'] },
      { path: 'a.bin', before: null, after: '', isBinary: true },
      { path: 'notes.md', before: TEA['notes.md'], after: 'other' },
      { path: 'subskill/warm.md', before: TEA['subskill/warm.md'], after: null },
    ]);
    await approve();
    expect(states()['tea-maker']).toBe('ready');
    expect((await catalogue.review('tea-maker')).files).toEqual([]);
  });

  it('with an error is not approved', async () => {
    const { catalogue, folder } = openCatalogue();
    symlinkSync('/etc/hostname', path.join(folder, 'link.md'));
    const { sha256, mayApprove } = await catalogue.review('tea-maker');
    expect(mayApprove).toBe(false);
    expect(await codeOf(() => catalogue.approve('tea-maker', sha256))).toBe('CONFLICT');
  });
});

it('gives the bytes that it hashed, while somebody swaps the folder under it', async () => {
  const { catalogue, folder, own, approve } = openCatalogue();
  await approve();
  const evil = putFiles(path.join(own, '..', 'evil'), { ...TEA, 'notes.md': 'EVIL' });
  let given = 0;
  let refused = 0;
  for (let i = 0; i < 300; i += 1) {
    const file = path.join(folder, 'notes.md');
    rmSync(file, { force: true });
    if (i % 3 === 0) symlinkSync(path.join(evil, 'notes.md'), file);
    else writeFileSync(file, i % 3 === 1 ? 'EVIL' : (TEA['notes.md'] ?? ''));
    try {
      const notes = catalogue
        .open('tea-maker')
        .folder.files.find(({ path: name }) => name === 'notes.md');
      expect(notes?.bytes.toString()).toBe(TEA['notes.md']);
      given += 1;
    } catch (error) {
      expect((error as { code: string }).code).toBe('SKILL_NEEDS_REVIEW');
      refused += 1;
    }
  }
  expect([given, refused]).toEqual([100, 200]);
});

it('is not loaded to be run: its instructions are', async () => {
  const { catalogue } = openCatalogue();
  await expect(catalogue.load('tea-maker')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
