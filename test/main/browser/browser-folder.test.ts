import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
  make(`hyperagent-browser-${DEAD}-aaaaaa`, 'playwright_chromiumdev_profile-Left2');
  make(`hyperagent-browser-${DEAD}-bbbbbb`, outside);
  make(`hyperagent-browser-${DEAD}-cccccc`, '../playwright_chromiumdev_profile-');
  make(`hyperagent-browser-${DEAD}-dddddd`);
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
