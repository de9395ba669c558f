import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { LibraryHit, LibraryState } from '#contract/library.ts';
import { xlsx } from '../fakes/documents.ts';
import { writeLibraryFolder } from '../fakes/library-folder.ts';
import { ensureBuilt, runTerminal } from '../setup/built-app.ts';

beforeAll(ensureBuilt);

function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hyperagent-library-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the built app reads every kind of document, finds in it, follows it and lets go of it', async () => {
  const folder = temporaryFolder();
  const data = ['--data-dir', temporaryFolder(), '--json'];
  const facts = await writeLibraryFolder(folder, 30);
  const rows = Array.from({ length: 20_000 }, (_, index) => [`row ${index}`, index]);
  writeFileSync(join(folder, 'many.xlsx'), xlsx({ Many: rows }));
  const library = (...args: string[]) => runTerminal(['library', ...args, ...data]);
  const added = LibraryState.parse(JSON.parse((await library('add', folder)).stdout));
  expect(added.folders).toMatchObject([
    { path: folder, state: 'ready', files: 31, indexed: 31, problems: 0, issues: [] },
  ]);
  for (const { query, path, answer } of facts.slice(0, 10)) {
    const { stdout } = await library('search', query, '--limit', '1');
    const [hit] = LibraryHit.array().parse(JSON.parse(stdout));
    expect([hit?.path, hit?.snippet.includes(answer)]).toEqual([join(folder, path), true]);
  }
  writeFileSync(join(folder, 'new.md'), 'A zeppelin was seen.');
  await library('refresh');
  const found = await library('search', 'zeppelin');
  expect(LibraryHit.array().parse(JSON.parse(found.stdout))).toMatchObject([{ title: 'new.md' }]);
  await library('remove', folder);
  expect((await library('search', 'zeppelin')).stdout).toBe('[]\n');
  const refused = await library('add', '/');
  expect([refused.code, refused.stdout, refused.stderr.includes('A whole disk')]).toEqual([
    2,
    '',
    true,
  ]);
});
