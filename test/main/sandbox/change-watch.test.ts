import { mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChangeWatch } from '#main/sandbox/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';

let dir: string;
let workspace: HostWorkspace;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'watch-'));
  workspace = new HostWorkspace(dir);
});
afterEach(() => rmSync(dir, { recursive: true }));

const put = (name: string, text = name): Promise<void> => writeFile(join(dir, name), text);
const ended = async (watch: ChangeWatch): Promise<string[]> =>
  (await watch.end())
    .map(({ path, operation, by, isReported }) =>
      [operation, path, 'by', by.join('|'), ...(isReported ? ['reported'] : [])].join(' '),
    )
    .sort();

test('a change is credited to the only call that ran', async () => {
  const one = await workspace.watch('one');
  await put('a');
  const two = await workspace.watch('two');
  expect(await ended(one)).toEqual(['create a by one']);
  await put('b');
  await put('a', 'more');
  expect(await ended(two)).toEqual(['create b by two', 'modify a by two']);
});

test('a change while several calls ran is by one of them, and reported once', async () => {
  const one = await workspace.watch('one');
  const two = await workspace.watch('two');
  await put('a');
  expect(await ended(one)).toEqual(['create a by one|two']);
  await put('b');
  expect(await ended(two)).toEqual(['create a by one|two reported', 'create b by two']);
});

test('a file that is written on while a third call has begun is reported once, as new', async () => {
  const one = await workspace.watch('one');
  const two = await workspace.watch('two');
  await put('a', '');
  await put('b');
  const three = await workspace.watch('three');
  await put('a', 'written');
  await rm(join(dir, 'b'));
  expect(await ended(three)).toEqual(['create a by one|two|three']);
  expect(await ended(one)).toEqual(['create a by one|two|three reported']);
  expect(await ended(two)).toEqual(['create a by one|two|three reported']);
});

test('a file that one call reported as new is new only once, and its removal is reported', async () => {
  const one = await workspace.watch('one');
  const two = await workspace.watch('two');
  await put('a', '');
  await put('b');
  expect(await ended(one)).toEqual(['create a by one|two', 'create b by one|two']);
  await put('a', 'written');
  await rm(join(dir, 'b'));
  expect(await ended(two)).toEqual(['delete b by two', 'modify a by two']);
});

test('a file that was seen between its creation and its content is reported once', async () => {
  const one = await workspace.watch('one');
  const two = await workspace.watch('two');
  await put('a', '');
  await workspace.changes();
  await put('a', 'written');
  expect(await ended(one)).toEqual(['create a by one|two']);
  expect(await ended(two)).toEqual(['create a by one|two reported']);
});

test('a call that writes known paths has those and no others', async () => {
  const program = await workspace.watch('program');
  const file = await workspace.watch('file', ['made']);
  await put('made');
  await put('other');
  expect(await ended(file)).toEqual(['create made by file']);
  expect(await ended(program)).toEqual(['create other by program']);
});

test('a call has what the calls within it did, and does not take the credit', async () => {
  const script = await workspace.watch('c1');
  await put('before');
  const inner = await workspace.watch('c1.1');
  await put('within');
  expect(await ended(inner)).toEqual(['create within by c1.1']);
  await put('after');
  expect(await ended(script)).toEqual([
    'create after by c1',
    'create before by c1',
    'create within by c1.1 reported',
  ]);
});

test('what changed while no call ran is by none', async () => {
  await (await workspace.watch('first')).end();
  await put('log');
  const next = await workspace.watch('next');
  expect(next.others).toEqual([{ operation: 'create', path: 'log', size: 3 }]);
  expect(await ended(next)).toEqual([]);
});

test('a call that ended without its result takes no credit any more', async () => {
  (await workspace.watch('failed'))[Symbol.dispose]();
  const next = await workspace.watch('next');
  await put('a');
  expect(await ended(next)).toEqual(['create a by next']);
});
