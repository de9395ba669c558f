import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentAt, openFile, replaceFile } from '#main/user-folder/confined-files.ts';
import {
  apply,
  base,
  changes,
  changesOf,
  copy,
  data,
  folders,
  give,
  hash,
  mine,
  pick,
  put,
  registerFolderTask,
  TASK,
  treeOf,
} from './support.ts';

registerFolderTask();

describe('a hostile copy', () => {
  test('cannot write through links, neither its own nor those of the folder', async () => {
    put(base, { 'outside/x.txt': 'outside' });
    await give('copy');
    symlinkSync(join(base, 'outside'), join(copy, 'out'));
    rmSync(join(copy, 'a.txt'));
    symlinkSync(join(base, 'outside/x.txt'), join(copy, 'a.txt'));
    put(copy, { 'src/b.txt': 'agent' });
    const listed = await changes();
    expect(listed.map(({ path, blocked }) => [path, blocked])).toEqual([
      ['a.txt', 'link'],
      ['out', 'link'],
      ['src/b.txt', null],
    ]);
    // The user's folder is swapped for a link after the list was shown.
    renameSync(join(mine, 'src'), join(mine, 'src-real'));
    symlinkSync(join(base, 'outside'), join(mine, 'src'));
    put(base, { 'outside/b.txt': 'two' });
    const { written, refused } = await apply(listed);
    expect(written).toEqual([]);
    expect(refused).toHaveLength(3);
    expect(treeOf(join(base, 'outside'))).toEqual({ 'x.txt': 'outside', 'b.txt': 'two' });
  });

  test('cannot be another folder: a link in its place is refused', async () => {
    put(base, { 'outside/x.txt': 'outside' });
    await give('copy');
    put(copy, { 'a.txt': 'agent' });
    const listed = await changes();
    rmSync(copy, { recursive: true });
    put(base, { 'outside/a.txt': 'agent' });
    symlinkSync(join(base, 'outside'), copy);
    await expect(changes()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await apply(listed)).written).toEqual([]);
    expect(treeOf(mine)['a.txt']).toBe('one');
  });

  test('that is gone deletes nothing', async () => {
    await give('copy');
    rmSync(copy, { recursive: true });
    await expect(changes()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('cannot name what lies elsewhere, is a repository, or looks like something else', async () => {
    await give('copy');
    put(copy, {
      '.git/hooks/pre-commit': 'x',
      'x\u202egnp.exe': 'x',
      'git~1': 'x',
      'nul.txt': 'x',
    });
    const listed = await changes();
    expect(listed.map(({ path, blocked }) => [path, blocked])).toEqual([
      ['git~1', 'name'],
      ['nul.txt', 'name'],
      ['x\u202egnp.exe', 'name'],
    ]);
    const bad = [
      '../up.txt',
      '/etc/x',
      '.git/hooks/pre-commit',
      'a/../../up',
      '.GIT/config',
      '',
      'src//x',
    ];
    put(copy, { 'up.txt': 'x' });
    const asked = bad.map((path) => ({ path, now: null, becomes: hash('x') }));
    const { written, refused } = await folders.apply(TASK, asked);
    expect(written).toEqual([]);
    expect(refused.map(({ reason }) => reason)).toEqual(bad.map(() => 'blocked'));
    expect(readdirSync(dirname(mine))).toEqual(['project']);
    expect(existsSync(join(mine, '.git'))).toBe(false);
  });

  test('marks what other programs run by themselves', async () => {
    await give('copy');
    const risky = [
      '.vscode/tasks.json',
      '.envrc',
      '.github/workflows/ci.yml',
      'x.desktop',
      '.Husky/pre-push',
    ];
    put(copy, Object.fromEntries([...risky, 'src/main.py'].map((path) => [path, 'x'])));
    const marked = (await changes()).filter((one) => one.runsByItself).map(({ path }) => path);
    expect(marked.sort()).toEqual([...risky].sort());
  });

  test('with a part that is not looked at deletes nothing there', async () => {
    await give('copy');
    rmSync(join(copy, 'a.txt'));
    rmSync(join(copy, 'src/deep'), { recursive: true });
    execFileSync('bash', ['-c', 'seq 40001 | xargs touch'], { cwd: join(copy, 'src') });
    const { changes: listed, leftOut } = await folders.changes(TASK);
    expect(leftOut).toEqual([{ path: 'src', reason: 'too_many' }]);
    expect(listed.map(({ path, kind }) => [path, kind])).toEqual([['a.txt', 'deleted']]);
  });

  test('cannot show other content than what is applied', async () => {
    await give('copy');
    put(copy, { 'a.txt': 'harmful' });
    const listed = await changes();
    put(copy, { 'a.txt': 'harmless' });
    await expect(folders.diff(TASK, pick(listed, 'a.txt'))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    put(copy, { 'a.txt': 'harmful' });
    expect(await folders.diff(TASK, pick(listed, 'a.txt'))).toMatchObject({
      becomes: { text: 'harmful' },
    });
  });

  test('with a file that is huge without a cost is not read', async () => {
    await give('copy');
    const listed = await changesOf({ 'a.txt': 'shown' });
    execFileSync('truncate', ['-s', '8T', join(copy, 'a.txt'), join(copy, 'b.txt')]);
    const { changes: none, leftOut } = await folders.changes(TASK);
    expect([none, leftOut]).toEqual([
      [],
      [
        { path: 'a.txt', reason: 'over_limit' },
        { path: 'b.txt', reason: 'over_limit' },
      ],
    ]);
    expect((await apply(listed)).refused).toEqual([{ path: 'a.txt', reason: 'blocked' }]);
    expect(treeOf(mine)['a.txt']).toBe('one');
  });

  test('changed after it was shown is not written', async () => {
    await give('copy');
    put(copy, { 'a.txt': 'shown' });
    const listed = await changes();
    put(copy, { 'a.txt': 'other' });
    expect((await apply(listed)).refused).toEqual([{ path: 'a.txt', reason: 'changed' }]);
    expect(treeOf(mine)).toEqual({ 'a.txt': 'one', 'src/b.txt': 'two', 'src/deep/c.txt': 'three' });
  });
});

test('an edit in the last moment before a file is replaced is not lost', async () => {
  await using source = await openFile({ root: mine, path: 'src/b.txt' });
  if (source.kind !== 'file') throw new Error('There is a file.');
  const place = { root: mine, path: 'a.txt' };
  const isWritten = await replaceFile({
    ...{ place, source: source.handle, mode: 0o644 },
    mayReplace: async () => {
      const content = await contentAt(place);
      // While the new file is closed, before it is renamed.
      setImmediate(() => put(mine, { 'a.txt': 'user' }));
      return content.kind === 'file' ? content.state : null;
    },
  });
  expect([isWritten, treeOf(mine)['a.txt']]).toEqual([false, 'user']);
});

test('what is neither file nor text is counted, and listed in part', async () => {
  await give('copy');
  mkdirSync(join(copy, 'pipes'));
  execFileSync('bash', ['-c', 'seq 300 | xargs mkfifo'], { cwd: join(copy, 'pipes') });
  const { leftOut, leftOutCount } = await folders.changes(TASK);
  expect([leftOut.length, leftOutCount]).toEqual([100, 300]);
});

test('a comparison shows some thousand lines at most', async () => {
  await give('copy');
  put(copy, { 'a.txt': '\n'.repeat(200_000) });
  const [change] = await changes();
  const { becomes } = await folders.diff(TASK, pick(change === undefined ? [] : [change], 'a.txt'));
  expect(becomes).toMatchObject({ kind: 'text', truncated: true });
  expect(becomes.kind === 'text' && becomes.text.split('\n').length).toBe(5_000);
});

test('a folder that editors run is marked, and one of a repository is not taken', async () => {
  put(mine, { '.vscode/settings.json': '{}', '.git/hooks/x': 'x' });
  const { persist, folder } = await folders.copyIn(TASK, {
    ...{ path: join(mine, '.vscode'), access: 'copy' },
  });
  data.runStores.threads.insert({ id: TASK, title: 'Task', createdAt: 0 });
  persist();
  put(join(data.paths.workspace(TASK), folder.name), { 'tasks.json': '{}' });
  expect((await changes()).map(({ path, runsByItself }) => [path, runsByItself])).toEqual([
    ['tasks.json', true],
  ]);
  await expect(folders.check(join(mine, '.git'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('tasks whose folders lie in one another do not write at the same time', async () => {
  await give('copy');
  put(copy, { 'a.txt': 'ONE' });
  const listed = await changes();
  const inner = await folders.copyIn('thr_2', { path: join(mine, 'src'), access: 'copy' });
  data.runStores.threads.insert({ id: 'thr_2', title: 'Task', createdAt: 0 });
  inner.persist();
  const both = await Promise.allSettled([
    apply(listed),
    folders.apply('thr_2', [{ path: 'b.txt', now: hash('two'), becomes: null }]),
  ]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});
