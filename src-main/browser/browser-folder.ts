import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Its name says which process it belongs to. */
const FOLDER = /^hyperagent-browser-(\d+)-/;
/** What Playwright calls the folder for Chromium's profile; nothing else is removed by what a file says. */
const PROFILE = /\bplaywright_chromiumdev_profile-\w+/;
const NOTE = 'profile';

/** A folder for what a browser of this process writes: only this user may look into it. */
export async function makeBrowserFolder(): Promise<string> {
  return await mkdtemp(path.join(tmpdir(), `hyperagent-browser-${process.pid}-`));
}

/** Remembers where the profile of the browser is, in case that nobody is left to remove it. */
export async function noteProfile(folder: string, commandLine: string): Promise<void> {
  const [profile] = PROFILE.exec(commandLine) ?? [];
  if (profile !== undefined) await writeFile(path.join(folder, NOTE), profile);
}

/** Removes the folders of apps that were killed, with the profiles of their browsers. */
export async function removeLeftoverFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = FOLDER.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = path.join(tmpdir(), name);
    const note = await readFile(path.join(folder, NOTE), 'utf8').catch(() => '');
    const [profile] = PROFILE.exec(note) ?? [];
    const gone = profile === undefined ? [folder] : [path.join(tmpdir(), profile), folder];
    // One that belongs to another user stays.
    for (const one of gone) await rm(one, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
