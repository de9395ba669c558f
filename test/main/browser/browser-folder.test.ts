import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  makeBrowserFolder,
  noteProfile,
  removeLeftoverFolders,
} from '#main/browser/browser-folder.ts';

/** A process that has ended. */
const DEAD = spawnSync(process.execPath, ['--version']).pid;

it('removes what killed apps left, and nothing that a note names elsewhere', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'hyperagent-outside-'));
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-temporary-'));
  onTestFinished(() => {
    for (const one of [outside, folder]) rmSync(one, { recursive: true, force: true });
  });
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const make = (name: string, note?: string): void => {
    mkdirSync(join(folder, name, 'downloads'), { recursive: true });
    if (note !== undefined) writeFileSync(join(folder, name, 'profile'), note);
  };
  const own = await makeBrowserFolder();
  await noteProfile(
    own,
    `chromium --user-data-dir=${folder}/playwright_chromiumdev_profile-Own1 x`,
  );
  for (const id of ['Own1', 'Left2', 'Other3']) make(`playwright_chromiumdev_profile-${id}`);
  // As running browsers have it.
  for (const id of ['Own1', 'Other3'])
    symlinkSync(
      `computer-${process.pid}`,
      join(folder, `playwright_chromiumdev_profile-${id}`, 'SingletonLock'),
    );
  make(`hyperagent-browser-${DEAD}-aaaaaa`, 'playwright_chromiumdev_profile-Left2');
  make(`hyperagent-browser-${DEAD}-bbbbbb`, outside);
  make(`hyperagent-browser-${DEAD}-cccccc`, '../playwright_chromiumdev_profile-');
  make('hyperagent-browser-notes');
  await removeLeftoverFolders();
  expect(readdirSync(folder).sort()).toEqual(
    [
      own.slice(folder.length + 1),
      'hyperagent-browser-notes',
      'playwright_chromiumdev_profile-Other3',
      'playwright_chromiumdev_profile-Own1',
    ].sort(),
  );
  expect(existsSync(outside)).toBe(true);
});

/** What a start that was killed before its browser answered leaves: no note, and a profile. */
it('removes the profile of a browser that was starting, once that browser has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-temporary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const profile = (id: string): string => join(folder, `playwright_chromiumdev_profile-${id}`);
  mkdirSync(profile('Earlier1'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  mkdirSync(join(folder, `hyperagent-browser-${DEAD}-aaaaaa`));
  mkdirSync(join(profile('Ours2'), 'Default'), { recursive: true });
  symlinkSync(`computer-${process.pid}`, join(profile('Ours2'), 'SingletonLock'));
  await removeLeftoverFolders();
  expect(readdirSync(folder)).toHaveLength(3);
  rmSync(join(profile('Ours2'), 'SingletonLock'));
  symlinkSync(`computer-${DEAD}`, join(profile('Ours2'), 'SingletonLock'));
  await removeLeftoverFolders();
  expect(readdirSync(folder)).toEqual(['playwright_chromiumdev_profile-Earlier1']);
});
