import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { FolderChange } from '#contract/user-folder.ts';
import {
  apply,
  base,
  changes,
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

test('the copy holds every plain file, and nothing that is a link, a repository or filled by tools', async () => {
  writeFileSync(join(base, 'secret'), 'secret');
  put(mine, { '.git/config': 'token', 'node_modules/x/index.js': '1', 'src/.GIT/hooks/x': 'x' });
  symlinkSync(join(base, 'secret'), join(mine, 'link'));
  symlinkSync('..', join(mine, 'src/up'));
  execFileSync('mkfifo', [join(mine, 'pipe')]);
  chmodSync(join(mine, 'a.txt'), 0o755);
  const folder = await give('copy');
  expect(treeOf(copy)).toEqual({ 'a.txt': 'one', 'src/b.txt': 'two', 'src/deep/c.txt': 'three' });
  expect(statSync(join(copy, 'a.txt')).mode & 0o777).toBe(0o755);
  expect(folder).toMatchObject({ path: mine, name: 'project', access: 'copy' });
  expect(folder.contents).toMatchObject({ files: 3, bytes: 11, leftOutCount: 6 });
  expect(new Set(folder.contents.leftOut.map(({ path, reason }) => `${path} ${reason}`))).toEqual(
    new Set([
      ...['.git excluded', 'node_modules excluded', 'src/.GIT excluded'],
      ...['link link', 'src/up link', 'pipe special'],
    ]),
  );
  expect(await changes()).toEqual([]);
});

test('each kind of change is listed with both sides, and applied as it was shown', async () => {
  await give('copy');
  put(copy, { 'a.txt': 'ONE', 'new/d.txt': 'four' });
  rmSync(join(copy, 'src/b.txt'));
  const listed = await changes();
  expect(listed.map(({ path, kind, bytes }) => [path, kind, bytes])).toEqual([
    ['a.txt', 'modified', 3],
    ['new/d.txt', 'created', 4],
    ['src/b.txt', 'deleted', 0],
  ]);
  expect(listed[0]).toMatchObject({ now: hash('one'), becomes: hash('ONE'), blocked: null });
  expect(await folders.diff(TASK, pick(listed, 'a.txt'))).toEqual({
    now: { kind: 'text', text: 'one', truncated: false },
    becomes: { kind: 'text', text: 'ONE', truncated: false },
  });
  expect(treeOf(mine)).toEqual({ 'a.txt': 'one', 'src/b.txt': 'two', 'src/deep/c.txt': 'three' });
  expect(await apply(listed)).toEqual({
    written: ['src/b.txt', 'a.txt', 'new/d.txt'],
    refused: [],
  });
  expect(treeOf(mine)).toEqual({ 'a.txt': 'ONE', 'new/d.txt': 'four', 'src/deep/c.txt': 'three' });
  expect(await changes()).toEqual([]);
  expect(folders.get(TASK)?.applied).toMatchObject({ files: 3 });
});

test('undo gives back every file, and removes the folders that applying made', async () => {
  put(mine, { 'empty/.keep': '' });
  mkdirSync(join(mine, 'bare'));
  await give('copy');
  put(copy, { 'a.txt': 'ONE', 'new/deep/d.txt': 'four', 'empty/x.txt': 'x' });
  put(copy, { 'bare/y.txt': 'y' });
  rmSync(join(copy, 'empty/.keep'));
  rmSync(join(copy, 'src/b.txt'));
  chmodSync(join(mine, 'src/b.txt'), 0o640);
  await apply(await changes());
  expect(existsSync(join(mine, 'src/b.txt'))).toBe(false);
  const undone = await folders.undo(TASK);
  expect(undone.refused).toEqual([]);
  expect(treeOf(mine)).toEqual({
    ...{ 'a.txt': 'one', 'src/b.txt': 'two', 'src/deep/c.txt': 'three', 'empty/.keep': '' },
  });
  expect([existsSync(join(mine, 'new')), existsSync(join(mine, 'bare'))]).toEqual([false, true]);
  expect(statSync(join(mine, 'src/b.txt')).mode & 0o777).toBe(0o640);
  expect(await changes()).toHaveLength(6);
  await expect(folders.undo(TASK)).rejects.toMatchObject({ code: 'CONFLICT' });
});

describe('a file that the user edited meanwhile', () => {
  test('is marked, and is written only by somebody who saw that', async () => {
    await give('copy');
    put(copy, { 'a.txt': 'agent' });
    const before = await changes();
    put(mine, { 'a.txt': 'user' });
    expect(await apply(before)).toEqual({
      written: [],
      refused: [{ path: 'a.txt', reason: 'changed' }],
    });
    expect(treeOf(mine)['a.txt']).toBe('user');
    expect(folders.get(TASK)?.applied).toBeNull();
    const [after] = await changes();
    expect(after).toMatchObject({ isEditedMeanwhile: true, now: hash('user') });
    await apply([after as FolderChange]);
    expect(treeOf(mine)['a.txt']).toBe('agent');
    await folders.undo(TASK);
    expect(treeOf(mine)['a.txt']).toBe('user');
  });

  test('is not deleted, nor written over where the agent made the same name', async () => {
    await give('copy');
    put(copy, { 'both.txt': 'agent' });
    rmSync(join(copy, 'a.txt'));
    const before = await changes();
    put(mine, { 'a.txt': 'user', 'both.txt': 'user' });
    const { written, refused } = await apply(before);
    expect(written).toEqual([]);
    expect(refused.map(({ reason }) => reason)).toEqual(['changed', 'changed']);
    expect(treeOf(mine)).toMatchObject({ 'a.txt': 'user', 'both.txt': 'user' });
  });

  test('after it was applied stays as it is when the rest is undone', async () => {
    await give('copy');
    put(copy, { 'a.txt': 'ONE', 'src/b.txt': 'TWO' });
    await apply(await changes());
    put(mine, { 'a.txt': 'user' });
    expect(await folders.undo(TASK)).toEqual({
      written: ['src/b.txt'],
      refused: [{ path: 'a.txt', reason: 'changed' }],
    });
    expect(treeOf(mine)).toMatchObject({ 'a.txt': 'user', 'src/b.txt': 'two' });
  });

  test('to what the agent made is no change', async () => {
    await give('copy');
    put(copy, { 'a.txt': 'same' });
    put(mine, { 'a.txt': 'same' });
    expect(await changes()).toEqual([]);
  });
});

test('undo can be repeated after the folder was away', async () => {
  await give('copy');
  put(copy, { 'a.txt': 'ONE' });
  await apply(await changes());
  renameSync(mine, `${mine}-away`);
  await expect(folders.undo(TASK)).rejects.toMatchObject({ code: 'CONFLICT' });
  renameSync(`${mine}-away`, mine);
  expect(await folders.undo(TASK)).toEqual({ written: ['a.txt'], refused: [] });
  expect(treeOf(mine)['a.txt']).toBe('one');
});

test('what the user had edited is still marked after an undo', async () => {
  await give('copy');
  put(copy, { 'a.txt': 'agent' });
  put(mine, { 'a.txt': 'user' });
  await apply(await changes());
  await folders.undo(TASK);
  expect(treeOf(mine)['a.txt']).toBe('user');
  expect(await changes()).toMatchObject([{ path: 'a.txt', isEditedMeanwhile: true }]);
});

test('a file makes room for a folder of its name, and undo gives it back', async () => {
  await give('copy');
  rmSync(join(copy, 'a.txt'));
  put(copy, { 'a.txt/y.txt': 'y' });
  expect((await apply(await changes())).refused).toEqual([]);
  expect(treeOf(mine)).toMatchObject({ 'a.txt/y.txt': 'y' });
  expect((await folders.undo(TASK)).refused).toEqual([]);
  expect(treeOf(mine)).toEqual({ 'a.txt': 'one', 'src/b.txt': 'two', 'src/deep/c.txt': 'three' });
});

test('a folder that was given to be read is never written', async () => {
  await give('read');
  put(copy, { 'a.txt': 'ONE' });
  const listed = await changes();
  await expect(apply(listed)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(treeOf(mine)['a.txt']).toBe('one');
});

test('a task takes one folder, and never a disk, a home, or the data of the app', async () => {
  await give('copy');
  await expect(folders.copyIn(TASK, { path: mine, access: 'read' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  for (const path of ['/', '~', join(base, 'data'), base, join(base, 'data/workspaces')]) {
    await expect(folders.check(path), path).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  await expect(folders.check('relative')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(folders.check(join(base, 'none'))).rejects.toMatchObject({
    code: 'LIBRARY_UNREADABLE',
  });
});

test('a home behind a link is refused by its real path too', async () => {
  symlinkSync(join(base, 'home'), join(base, 'link'));
  vi.stubEnv('HOME', join(base, 'link'));
  vi.stubEnv('USERPROFILE', join(base, 'link'));
  for (const path of ['~', join(base, 'home')]) {
    await expect(folders.check(path), path).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
});

test('a copy that fails leaves nothing in the workspace', async () => {
  // Sparse: it takes no space, and is over the limit all the same.
  execFileSync('truncate', ['-s', '1100M', join(mine, 'big.bin')]);
  await expect(folders.check(mine)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(folders.copyIn(TASK, { path: mine, access: 'copy' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(readdirSync(data.paths.workspace(TASK))).toEqual([]);
  expect(existsSync(data.paths.transfers) ? readdirSync(data.paths.transfers) : []).toEqual([]);
});

test('a copy takes another name where its own is taken', async () => {
  put(data.paths.workspace(TASK), { 'project/mine.txt': 'x' });
  expect((await give('copy')).name).toBe('project-2');
  expect(treeOf(data.paths.workspace(TASK))['project/mine.txt']).toBe('x');
});

test('an application that was cut off is undone as far as it came', async () => {
  await give('copy');
  put(copy, { 'a.txt': 'ONE', 'src/b.txt': 'TWO' });
  const listed = await changes();
  await apply(listed);
  // As if the app had been killed after the first file: the second still holds what it held.
  put(mine, { 'src/b.txt': 'two' });
  expect(await folders.undo(TASK)).toEqual({ written: ['src/b.txt', 'a.txt'], refused: [] });
  expect(treeOf(mine)).toMatchObject({ 'a.txt': 'one', 'src/b.txt': 'two' });
});
