import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openLibraryCounts } from '#main/storage/library-counts.ts';
import { writeLibraryFolder } from '../../fakes/library-folder.ts';
import { openData } from '../../fakes/open-data.ts';
import {
  firstPassages,
  folderOf,
  found,
  libraryOf,
  never,
  openTestLibrary,
  temporaryFolder,
} from './support.ts';

const FILES = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [
    `${index}.md`,
    `apple ${index} ${'word '.repeat(300)}`,
  ]),
);

/** The folder of `FILES` in a library that is closed again, and the file of its index. */
async function closedLibrary() {
  const one = await libraryOf(FILES);
  await one.close();
  return { ...one, folder: one.folder, file: path.join(one.dataDir, 'library.db') };
}

function overwrite(file: string, from: number, to: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(to - from, 0xa5), 0, to - from, from);
  closeSync(handle);
}

describe('an index that cannot be read is rebuilt from the folder:', () => {
  const damages: Record<string, (file: string) => void> = {
    'its head is gone': (file) => overwrite(file, 0, 100),
    'all but its first page is gone': (file) => overwrite(file, 4096, statSync(file).size),
    'it is of another version': (file) => {
      const database = new BetterSqlite3(file);
      database.pragma('user_version = 77');
      database.close();
    },
  };
  test.each(Object.entries(damages))('%s', async (_how, damage) => {
    const { file, dataDir, folder } = await closedLibrary();
    damage(file);
    const { library } = openTestLibrary({ dataDir, settings: { libraryFolders: [folder] } });
    const [before] = library.list().folders;
    library.refresh();
    await library.settled();
    const [after] = library.list().folders;
    expect([before?.indexed, after?.state, after?.indexed, after?.problem]).toEqual([
      ...[0, 'ready', 60, null],
    ]);
    expect(await found(library, folder, 'apple 17')).toContain('17.md');
  });

  test('a search that finds the damage starts the rebuild', async () => {
    const { file, dataDir, folder } = await closedLibrary();
    overwrite(file, 4096, statSync(file).size);
    const { library } = openTestLibrary({ dataDir, settings: { libraryFolders: [folder] } });
    await expect(found(library, folder, 'apple')).rejects.toMatchObject({
      code: 'LIBRARY_UNREADABLE',
    });
    await library.settled();
    expect(await found(library, folder, 'apple 17')).toContain('17.md');
  });

  test('a read-only process leaves it as it is', async () => {
    const { file, dataDir, folder } = await closedLibrary();
    overwrite(file, 0, 100);
    const settings = { libraryFolders: [folder] };
    const { library } = openTestLibrary({ dataDir, settings, parts: { readOnly: true } });
    expect(await found(library, folder, 'apple')).toEqual([]);
    expect(statSync(file).size).toBeGreaterThan(4096);
  });
});

test('the main thread does next to nothing while a folder is indexed', async () => {
  const folder = temporaryFolder();
  await writeLibraryFolder(folder, 100);
  const { library } = openTestLibrary();
  const [whole, own] = [process.cpuUsage(), process.threadCpuUsage()];
  await library.add(folder);
  await library.settled();
  const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;
  const share = sum(process.threadCpuUsage(own)) / sum(process.cpuUsage(whole));
  expect(library.list().folders[0]?.indexed).toBe(100);
  // CPU time, so the load of other programs does not count. Indexing on the main thread would take half of it.
  expect(share).toBeLessThan(0.2);
});

test('a second process finds what the first one has indexed', async () => {
  const folder = folderOf(FILES);
  const first = openTestLibrary();
  await first.library.add(folder);
  const second = openTestLibrary({
    dataDir: temporaryFolder(),
    settings: { libraryFolders: [folder] },
    parts: { readOnly: true, counts: first.counts, dataDir: first.dataDir },
  });
  await first.library.settled();
  const hits = await second.library.find('apple 17', { limit: 50, signal: never });
  expect(hits.map(({ title }) => title)).toContain('17.md');
  expect(() => second.library.refresh()).toThrow('open read-only');
});

const CHILD = fileURLToPath(new URL('./children/index-folder.ts', import.meta.url));

test.each([1, 40, 120])(
  'killed after %i of 200 files, the index is sound and continues',
  async (upTo) => {
    const folder = folderOf(
      Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [
          `${index}.md`,
          `pear${index} ${'word '.repeat(2_000)}`,
        ]),
      ),
    );
    const dataDir = temporaryFolder();
    // A data folder with an index but no database counts as damaged, so this makes the database.
    openData(dataDir).close();
    const child = spawn(process.execPath, [CHILD, dataDir, folder], { stdio: 'inherit' });
    const exit = once(child, 'exit');
    const counts = openLibraryCounts(path.join(dataDir, 'library.db'), dataDir);
    while (counts.countsOf(folder).indexed < upTo) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    child.kill('SIGKILL');
    const [, signal] = await exit;
    counts.close();
    const kept = firstPassages(dataDir, folder);
    const { library } = openTestLibrary({ dataDir, settings: { libraryFolders: [folder] } });
    library.refresh();
    await library.settled();
    const database = new BetterSqlite3(path.join(dataDir, 'library.db'), { readonly: true });
    const words = database.prepare('SELECT count(*) FROM library_words_docsize').pluck().get();
    const passages = database.prepare('SELECT count(*) FROM library_passages').pluck().get();
    const sound = database.pragma('integrity_check', { simple: true });
    database.close();
    const [after] = library.list().folders;
    expect({ signal, sound, words, after: [after?.files, after?.indexed, after?.state] }).toEqual({
      ...{ signal: 'SIGKILL', sound: 'ok', words: passages, after: [200, 200, 'ready'] },
    });
    expect(kept.size).toBeGreaterThanOrEqual(upTo);
    expect([...firstPassages(dataDir, folder)]).toEqual(expect.arrayContaining([...kept]));
    expect(await found(library, folder, 'pear150')).toEqual(['150.md']);
  },
);
