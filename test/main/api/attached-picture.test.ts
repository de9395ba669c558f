import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pictureInFile } from '#main/api/attached-picture.ts';
import { pngOf } from '../../fakes/png.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hyperagent-attached-picture-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Which bytes were shown, of the files that are pictures. */
function pictures() {
  const shown: number[] = [];
  const preview = async (bytes: Uint8Array) => {
    shown.push(bytes.length);
    return { width: 2, height: 1, preview: 'data:' };
  };
  return { shown, preview };
}

it('shows a picture by its first bytes, whatever its name, and all of it', async () => {
  const path = join(folder(), 'notes.txt');
  const png = pngOf(300, 200, (x) => [x % 256, (x * 7) % 256, 0]);
  writeFileSync(path, png);
  const store = pictures();
  expect(await pictureInFile({ name: 'notes.txt', path }, store)).toMatchObject({ width: 2 });
  expect(store.shown).toEqual([png.length]);
});

it('shows no other file', async () => {
  const path = join(folder(), 'data.csv');
  writeFileSync(path, 'a,b\n'.repeat(10_000));
  const store = pictures();
  expect(await pictureInFile({ name: 'data.csv', path }, store)).toBeNull();
  expect(store.shown).toEqual([]);
});

it('waits for no pipe', async () => {
  const path = join(folder(), 'photo.png');
  execFileSync('mkfifo', [path]);
  expect(await pictureInFile({ name: 'photo.png', path }, pictures())).toBeNull();
});
