import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { removeWorkspace } from '#main/sandbox/workspace/remove-tree.ts';

let base: string;
let dir: string;
let workspace: HostWorkspace;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'hyperagent-workspace-'));
  dir = join(base, 'workspace');
  await mkdir(dir);
  await mkdir(join(base, 'outside'));
  await writeFile(join(base, 'outside/secret'), 'secret');
  workspace = new HostWorkspace(dir);
});
afterEach(() => rm(base, { recursive: true, force: true }));

const text = async (file: string): Promise<string> =>
  (await workspace.read(file, 1e6)).data.toString();
const paths = async (folder = '', recursive = true): Promise<string[]> =>
  (await workspace.list(folder, { recursive })).entries.map((entry) => entry.path);
const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error) => error.code,
  );

test('write, read, list, move, remove', async () => {
  await workspace.write('a/b/ü 🙂.txt', 'text');
  await workspace.write('/workspace/a/c.bin', Buffer.from([0, 255]));
  expect(await workspace.read('a/b/ü 🙂.txt', 2)).toEqual({ data: Buffer.from('te'), size: 4 });
  await workspace.write('a/b/ü 🙂.txt', 'x');
  expect(await text('./a//b/../b/ü 🙂.txt')).toBe('x');
  await workspace.move('a/c.bin', 'new/d.bin');
  expect(await workspace.list('', { recursive: true })).toEqual({
    entries: [
      { path: 'a', kind: 'directory', size: 0, modifiedAt: expect.any(Number) },
      { path: 'a/b', kind: 'directory', size: 0, modifiedAt: expect.any(Number) },
      { path: 'a/b/ü 🙂.txt', kind: 'file', size: 1, modifiedAt: expect.any(Number) },
      { path: 'new', kind: 'directory', size: 0, modifiedAt: expect.any(Number) },
      { path: 'new/d.bin', kind: 'file', size: 2, modifiedAt: expect.any(Number) },
    ],
    truncated: false,
  });
  expect(await paths('', false)).toEqual(['a', 'new']);
  await workspace.remove('a');
  expect(await paths()).toEqual(['new', 'new/d.bin']);
});

test('a file is replaced as a whole, and a link in its place instead of what it leads to', async () => {
  await workspace.write('notes.md', 'old');
  await workspace.replace('notes.md', 'new');
  await workspace.replace('made/deck.bin', Buffer.from([1, 2]));
  await symlink('notes.md', join(dir, 'link.md'));
  await symlink(join(base, 'outside/secret'), join(dir, 'way-out'));
  await workspace.replace('link.md', 'of its own');
  await workspace.replace('way-out', 'stays inside');
  expect(await text('notes.md')).toBe('new');
  expect([await text('link.md'), await text('way-out')]).toEqual(['of its own', 'stays inside']);
  expect(await readFile(join(base, 'outside/secret'), 'utf8')).toBe('secret');

  const onFolder = workspace.replace('made', 'x');
  await expect(onFolder).rejects.toMatchObject({
    ...{ code: 'BAD_REQUEST', message: 'made is not a plain file.' },
  });
  expect(await code(workspace.replace('../outside/secret', 'x'))).toBe('PATH_OUTSIDE_WORKSPACE');
  // Nor does a program lead the place astray where it is written first.
  await workspace.remove('.hyperagent');
  await symlink(join(base, 'outside'), join(dir, '.hyperagent'));
  expect(await code(workspace.replace('notes.md', 'x'))).toBe('PATH_OUTSIDE_WORKSPACE');
  expect(await readdir(join(base, 'outside'))).toEqual(['secret']);
  await rm(join(dir, '.hyperagent'));
  expect((await paths()).sort()).toEqual([
    'link.md',
    'made',
    'made/deck.bin',
    'notes.md',
    'way-out',
  ]);
  expect(await text('notes.md')).toBe('new');
});

test('files that programs create belong to them, and so do files that the app creates for them', async () => {
  await workspace.write('made/file', 'x');
  const uid = process.getuid?.() === 0 ? 1000 : process.getuid?.();
  expect([(await stat(join(dir, 'made'))).uid, (await stat(join(dir, 'made/file'))).uid]).toEqual([
    uid,
    uid,
  ]);
});

describe('nothing leads out', () => {
  const WAYS_OUT = [
    '..',
    '../outside/secret',
    'a/../../outside/secret',
    '/etc/passwd',
    '/workspace/../etc/passwd',
    '/workspaces/x',
    'to-file',
    'to-folder/secret',
    'to-nowhere',
    'around/outside/secret',
    'chain/secret',
    'loop',
    'nul\0',
  ];
  beforeEach(async () => {
    await mkdir(join(dir, 'a'));
    await symlink(join(base, 'outside/secret'), join(dir, 'to-file'));
    await symlink('../outside', join(dir, 'to-folder'));
    await symlink('/nonexistent/file', join(dir, 'to-nowhere'));
    await symlink('a/../..', join(dir, 'around'));
    await symlink('to-folder', join(dir, 'chain'));
    await symlink('loop', join(dir, 'loop'));
  });

  test.each(WAYS_OUT)('%j', async (file) => {
    const before = await readdir(join(base, 'outside'));
    expect(
      await Promise.all([
        code(workspace.read(file, 10)),
        code(workspace.write(file, 'gotcha')),
        code(workspace.list(file)),
        code(workspace.move('a', `${file}/a`)),
        code(workspace.remove(`${file}/secret`)),
      ]),
    ).toEqual(Array.from({ length: 5 }, () => 'PATH_OUTSIDE_WORKSPACE'));
    expect(await readdir(join(base, 'outside'))).toEqual(before);
    expect(await readFile(join(base, 'outside/secret'), 'utf8')).toBe('secret');
  });

  test('a link itself can be listed, moved and removed', async () => {
    expect(await paths('', false)).toContain('to-file');
    await workspace.move('to-file', 'a/moved');
    await workspace.remove('a/moved');
    await workspace.remove('to-folder');
    expect(await readdir(join(base, 'outside'))).toEqual(['secret']);
  });

  test('recursive listing, changes and removal do not follow links', async () => {
    await workspace.changes();
    await writeFile(join(base, 'outside/new'), 'x');
    expect(await workspace.changes()).toEqual([]);
    expect((await paths()).filter((path) => path.includes('secret'))).toEqual([]);
    await mkdir(join(dir, 'deep/er'), { recursive: true });
    await symlink(join(base, 'outside'), join(dir, 'deep/er/link'));
    await workspace.remove('deep');
    expect(await readdir(join(base, 'outside'))).toEqual(['new', 'secret']);
  });
});

test('links that stay inside are followed, as programs inside see them', async () => {
  await workspace.write('real/file', 'x');
  await symlink('/workspace/real', join(dir, 'absolute'));
  await symlink('real/../real', join(dir, 'relative'));
  await symlink('../real/file', join(dir, 'real/self'));
  expect(await Promise.all(['absolute/file', 'relative/file', 'real/self'].map(text))).toEqual([
    'x',
    'x',
    'x',
  ]);
  await workspace.write('absolute/other', 'y');
  expect(await text('real/other')).toBe('y');
  expect(await paths('absolute')).toEqual(['real/file', 'real/other', 'real/self']);
});

test('a pipe, a folder and a missing file are distinguished, without waiting', async () => {
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  await mkdir(join(dir, 'folder'));
  expect(
    await Promise.all([
      code(workspace.read('pipe', 1)),
      code(workspace.write('pipe', 'x')),
      code(workspace.read('folder', 1)),
      code(workspace.read('missing', 1)),
      code(workspace.read('missing/deeper', 1)),
      code(workspace.remove('missing')),
      code(workspace.remove('')),
      code(workspace.write('x'.repeat(300), 'x')),
      code(workspace.list('missing')),
    ]),
  ).toEqual([
    'BAD_REQUEST',
    'BAD_REQUEST',
    'BAD_REQUEST',
    'NOT_FOUND',
    'NOT_FOUND',
    'NOT_FOUND',
    'BAD_REQUEST',
    'BAD_REQUEST',
    'NOT_FOUND',
  ]);
});

test('a folder that is swapped for a link during an operation never leads out of the workspace', async () => {
  // What a hostile program does: the folder is real one moment and leads out the next.
  await mkdir(join(dir, 'swap.real'));
  await symlink(join(base, 'outside'), join(dir, 'swap.link'));
  const swap = `const { renameSync } = require('node:fs');
    const rename = (from, to) => { try { renameSync(from, to); } catch { return; } };
    for (let n = 0; ; n += 1) {
      // Writers create the folder again if it is missing.
      rename('swap', 'junk' + n);
      for (const face of ['swap.real', 'swap.link']) { rename(face, 'swap'); rename('swap', face); }
    }`;
  const swapper = spawn(process.execPath, ['-e', swap], { cwd: dir, stdio: 'ignore' });
  const outcomes = new Map<unknown, number>();
  const until = performance.now() + 3_000;
  while (performance.now() < until) {
    const results = await Promise.all([
      workspace.read('swap/secret', 10).then(
        ({ data }) => data.toString(),
        (error) => error.code,
      ),
      code(workspace.write('swap/planted', 'gotcha')),
      code(workspace.remove('swap/secret')),
      code(workspace.move('swap/planted', 'moved')),
      workspace.list('swap').then(
        ({ entries }) => entries.map((entry) => entry.path).join(),
        (error) => error.code,
      ),
    ]);
    for (const result of results) outcomes.set(result, (outcomes.get(result) ?? 0) + 1);
    await code(workspace.write('swap/secret', 'x\n'));
  }
  const ended = once(swapper, 'exit');
  swapper.kill('SIGKILL');
  await ended;
  expect(await readdir(join(base, 'outside'))).toEqual(['secret']);
  expect(await readFile(join(base, 'outside/secret'), 'utf8')).toBe('secret');
  expect(outcomes.has('secret')).toBe(false);
  // The race happened: both states of the folder occurred.
  expect([outcomes.has('done'), outcomes.has('PATH_OUTSIDE_WORKSPACE')]).toEqual([true, true]);
});

describe('changes', () => {
  test('the first call only records; later ones report what was created, changed and removed', async () => {
    await workspace.write('old', '1');
    await workspace.write('gone', '1');
    expect(await workspace.changes()).toEqual([]);
    await workspace.write('old', '22');
    await workspace.write('sub/new', '333');
    await workspace.remove('gone');
    const changes = await workspace.changes();
    expect(changes.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { operation: 'delete', path: 'gone', size: 0 },
      { operation: 'modify', path: 'old', size: 2 },
      { operation: 'create', path: 'sub/new', size: 3 },
    ]);
    expect(await workspace.changes()).toEqual([]);
  });

  test('another file of the same size and time is a change', async () => {
    await workspace.write('file', 'one');
    await workspace.changes();
    await writeFile(join(dir, 'other'), 'two');
    const { atime, mtime } = await stat(join(dir, 'file'));
    await utimes(join(dir, 'other'), atime, mtime);
    await workspace.move('other', 'file');
    expect(await workspace.changes()).toEqual([{ operation: 'modify', path: 'file', size: 3 }]);
  });

  test('folders that tools fill are skipped; beyond the limit nothing counts as deleted', async () => {
    await mkdir(join(dir, 'node_modules/x'), { recursive: true });
    await workspace.changes();
    await writeFile(join(dir, 'node_modules/x/index.js'), '1');
    expect(await workspace.changes()).toEqual([]);
    execFileSync('bash', ['-c', 'mkdir many && cd many && seq 10500 | xargs touch'], { cwd: dir });
    const { entries, truncated } = await workspace.list('', { recursive: true });
    expect([entries.length, truncated]).toEqual([10_000, true]);
    await workspace.changes();
    expect((await workspace.changes()).filter(({ operation }) => operation === 'delete')).toEqual(
      [],
    );
  });
});

describe('importing', () => {
  test('names are made plain and unique; a file that the user adds is not a change', async () => {
    const source = join(base, 'outside/secret');
    await workspace.changes();
    const names = [
      'a.csv',
      'a.csv',
      '../../evil',
      'C:\\x\\b?.txt',
      '..',
      'gpj\u202e.exe',
      `${'ü'.repeat(200)}.csv`,
    ];
    const made = [];
    for (const name of names) made.push(await workspace.importFile(source, name));
    expect(made).toEqual([
      'a.csv',
      'a-2.csv',
      'evil',
      'b.txt',
      'file',
      'gpj.exe',
      `${'ü'.repeat(98)}.csv`,
    ]);
    expect(await workspace.changes()).toEqual([]);
    expect(await text('a-2.csv')).toBe('secret');
  });

  test('an existing link of that name is not written through', async () => {
    await symlink(join(base, 'outside/planted'), join(dir, 'a.csv'));
    expect(await workspace.importFile(join(base, 'outside/secret'), 'a.csv')).toBe('a-2.csv');
    expect(await readdir(join(base, 'outside'))).toEqual(['secret']);
  });

  test('what cannot be read, or is no file by now, is an error and leaves nothing', async () => {
    const pipe = join(base, 'outside/pipe');
    execFileSync('mkfifo', [pipe]);
    for (const source of [join(base, 'missing'), join(base, 'outside'), pipe, '/dev/zero']) {
      expect(await code(workspace.importFile(source, 'a'))).toBe('ATTACHMENT_UNREADABLE');
    }
    expect(await paths()).toEqual([]);
  });
});

test('a hard link inside is one file under two names', async () => {
  await workspace.write('one', 'x');
  await link(join(dir, 'one'), join(dir, 'two'));
  await workspace.write('two', 'y');
  expect(await text('one')).toBe('y');
});

test('a workspace with read-only folders is removed', async () => {
  execFileSync('bash', ['-c', 'mkdir -p a/b && touch a/b/c && chmod 500 a/b a'], { cwd: dir });
  await removeWorkspace(dir);
  expect(await readdir(base)).toEqual(['outside']);
});
