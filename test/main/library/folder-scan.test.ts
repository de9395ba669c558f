import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { scanFolder } from '#main/library/folder-scan.ts';
import { IndexThread } from '#main/library/index-thread.ts';
import { openLibraryCounts } from '#main/storage/library-counts.ts';
import { keepPages } from '../../fakes/read-scans.ts';
import { folderOf, found, libraryOf, never, temporaryFolder } from './support.ts';

const scan = (folder: string, maxEntries: number) =>
  scanFolder(folder, { maxFiles: 100, except: new Set(), signal: never, maxEntries });

describe('what the scan misses is not removed from the index:', () => {
  test('a folder of too many entries is scanned from the top, and the result names where the scan stopped', async () => {
    const folder = folderOf({ 'a.md': '', 'one/b.md': '', 'one/deep/c.md': '', 'two/d.md': '' });
    const whole = await scan(folder, 100);
    const cut = await scan(folder, 3);
    expect([whole.files.length, whole.incomplete, whole.isTooLarge]).toEqual([4, [], false]);
    expect([cut.files.map((file) => file.path), cut.incomplete, cut.isTooLarge]).toEqual([
      ['a.md', 'one/b.md'],
      ['two', 'one/deep'],
      true,
    ]);
  });

  test('a folder that disappears between two scans keeps its index', async () => {
    const folder = folderOf({ 'a.md': 'apple' });
    const dataDir = temporaryFolder();
    const file = path.join(dataDir, 'library.db');
    await using index = new IndexThread({
      ...{ file, dataDir, readOnly: false, root: process.cwd(), onUnread: () => undefined },
      readScans: keepPages,
    });
    const asked = {
      folder: { path: folder, real: folder },
      except: new Set<string>(),
      maxFiles: 9,
    };
    await index.call('indexFolder', asked, { signal: never });
    renameSync(folder, `${folder}-away`);
    const again = index.call('indexFolder', asked, { signal: never });
    await expect(again).rejects.toMatchObject({ code: 'LIBRARY_UNREADABLE' });
    const counts = openLibraryCounts(file, dataDir);
    expect(counts.countsOf(folder).indexed).toBe(1);
    counts.close();
    renameSync(`${folder}-away`, folder);
  });

  test('the folder of a file that cannot be inspected is named', async () => {
    const { library, folder } = await libraryOf({ 'inner/a.md': 'apple' });
    // The path of the folder can be said, that of the file is too long for the system.
    const name = 'n'.repeat(250);
    const depth = Math.ceil((4_095 - folder.length) / (name.length + 1)) - 1;
    const script = `for i in $(seq ${depth}); do mkdir "$1"; cd "$1"; done; mkdir "$2"; echo pear > "$2/$3.md"`;
    const rest = 4_090 - folder.length - depth * (name.length + 1) - 1;
    const names = [name, 'd'.repeat(rest), 'f'.repeat(200)];
    execFileSync('sh', ['-c', script, 'sh', ...names], { cwd: folder });
    library.refresh();
    await library.settled();
    const [state] = library.list().folders;
    expect([state?.state, state?.files]).toEqual(['ready', 1]);
    expect(state?.problem).toMatch(
      /^The app cannot read “n{200}…”\. Check the permissions of the folder\.$/,
    );
    expect(await found(library, folder, 'apple')).toEqual(['inner/a.md']);
  });

  test('folders that are too deep are reported', async () => {
    const folder = folderOf({ 'a.md': '' });
    mkdirSync(path.join(folder, ...Array.from({ length: 45 }, () => 'd')), { recursive: true });
    const { incomplete, isTooLarge } = await scan(folder, 1_000);
    expect([incomplete, isTooLarge]).toEqual([
      [Array.from({ length: 40 }, () => 'd').join('/')],
      true,
    ]);
  });
});
