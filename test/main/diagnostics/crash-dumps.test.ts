import {
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { crashSection, KEPT_DUMPS, pruneCrashDumps } from '#main/diagnostics/crash-dumps.ts';
import { temporaryDir } from '../storage/support.ts';
import { janesCleaner } from './support.ts';

const nameOf = (at: number): string => `1234567${at % 10}-${1000 + at}-4000-8000-000000000000`;

function folderWithDumps(count: number): string {
  const dir = temporaryDir();
  mkdirSync(join(dir, 'completed'));
  for (let at = 0; at < count; at += 1) {
    const file = join(dir, 'completed', nameOf(at));
    writeFileSync(`${file}.dmp`, 'secret memory');
    writeFileSync(`${file}.meta`, 'x');
    utimesSync(`${file}.dmp`, 1_000 + at, 1_000 + at);
  }
  return dir;
}

it('keeps the newest dumps, and removes older ones with what is beside them', () => {
  const dir = folderWithDumps(KEPT_DUMPS + 3);
  writeFileSync(join(dir, 'completed', 'mine.txt'), 'mine');
  pruneCrashDumps(dir);
  const left = readdirSync(join(dir, 'completed'));
  expect(left.filter((name) => name.endsWith('.dmp'))).toHaveLength(KEPT_DUMPS);
  expect(left.filter((name) => name.endsWith('.meta'))).toHaveLength(KEPT_DUMPS);
  expect(left).toContain('mine.txt');
  for (const gone of [0, 1, 2]) expect(left).not.toContain(`${nameOf(gone)}.dmp`);
});

it('lists names, sizes and dates, and nothing of what is in them', () => {
  const dir = folderWithDumps(2);
  expect(crashSection(dir, janesCleaner())).toEqual([
    `1970-01-01T00:16:41.000Z ${nameOf(1)}.dmp 13 bytes`,
    `1970-01-01T00:16:40.000Z ${nameOf(0)}.dmp 13 bytes`,
  ]);
  expect(crashSection(join(dir, 'none'), janesCleaner())).toEqual(['There are no crash dumps.']);
});

it('follows no link out of its folder', () => {
  const dir = temporaryDir();
  const other = folderWithDumps(KEPT_DUMPS + 1);
  symlinkSync(join(other, 'completed'), join(dir, 'completed'));
  pruneCrashDumps(dir);
  expect(existsSync(join(other, 'completed', `${nameOf(0)}.dmp`))).toBe(true);
  expect(crashSection(dir, janesCleaner())).toEqual(['There are no crash dumps.']);
});
