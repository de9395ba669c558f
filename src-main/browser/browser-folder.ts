import { lstat, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Its name says which process it belongs to. */
const FOLDER = /^hyperagent-browser-(\d+)-/;
/** What Playwright calls the folder for Chromium's profile; nothing else is removed by what a file says. */
const PROFILE = /\bplaywright_chromiumdev_profile-\w+/;
const NOTE = 'profile';
/** How long a browser may take to start. */
export const START_MS = 30_000;

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
    const profiles = await profilesOf(folder);
    // A browser that is still ending writes there: the next start removes both.
    if ((await Promise.all(profiles.map(isInUse))).includes(true)) continue;
    const gone = [...profiles, folder];
    // One that belongs to another user stays.
    for (const one of gone) await rm(one, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** The profile that is noted there; where the app was killed before it could note it, those that fit. */
async function profilesOf(folder: string): Promise<readonly string[]> {
  const note = await readFile(path.join(folder, NOTE), 'utf8').catch(() => null);
  if (note !== null) return (PROFILE.exec(note) ?? []).map((name) => path.join(tmpdir(), name));
  const made = (await stat(folder)).birthtimeMs;
  const found: string[] = [];
  for (const name of await readdir(tmpdir())) {
    if (PROFILE.exec(name)?.[0] !== name) continue;
    const profile = path.join(tmpdir(), name);
    const born = (await lstat(profile).catch(() => null))?.birthtimeMs ?? 0;
    if (born >= made && born <= made + START_MS) found.push(profile);
  }
  return found;
}

/** Whether a browser runs with it: it has a lock there, that Chromium removes at its end. */
async function isInUse(profile: string): Promise<boolean> {
  const names: readonly string[] = await readdir(profile).catch(() => []);
  if (names.includes('lockfile')) return true;
  // On Linux and macOS it is a link to "computer-process", and stays after a crash.
  const lock = await readlink(path.join(profile, 'SingletonLock')).catch(() => '');
  const [pid] = /\d+$/.exec(lock) ?? [];
  return pid !== undefined && isRunning(Number(pid));
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
