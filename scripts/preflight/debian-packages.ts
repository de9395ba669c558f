import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that suites need, and the Debian package that brings it. */
export interface NeededProgram {
  readonly command: string;
  readonly debianPackage: string;
  /** What cannot be tested without it. */
  readonly neededBy: string;
}

export const NEEDED_PROGRAMS: readonly NeededProgram[] = [
  { command: 'chromium', debianPackage: 'chromium', neededBy: 'the window in a browser' },
  { command: 'bwrap', debianPackage: 'bubblewrap', neededBy: 'the sandbox of the system' },
  { command: 'python3', debianPackage: 'python3', neededBy: 'code in sandboxes' },
  { command: 'script', debianPackage: 'bsdutils', neededBy: 'questions at a terminal' },
  { command: 'strace', debianPackage: 'strace', neededBy: 'the proof of being offline' },
  { command: 'cc', debianPackage: 'gcc', neededBy: 'the disk that fails' },
  { command: 'dockerd', debianPackage: 'docker.io', neededBy: 'the Docker sandbox' },
  {
    command: 'debootstrap',
    debianPackage: 'debootstrap',
    neededBy: 'the base of the Docker image',
  },
];

export function findProgram(command: string): string | null {
  // Some live where only root looks.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const found = folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
  return found ?? null;
}

/** What stops packages from being installed here; null when nothing does. */
export function installObstacle(): string | null {
  if (findProgram('apt-get') === null) return 'this is not Debian';
  if (process.getuid?.() !== 0) return 'only root may install packages';
  return null;
}

/** Installs packages; the end of apt's output when that failed. */
export function installPackages(packages: readonly string[]): string | null {
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', ...args], {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 15 * 60_000,
    });
  apt('update');
  const { status, stdout, stderr } = apt('install', '-y', '--no-install-recommends', ...packages);
  return status === 0 ? null : `${stdout}${stderr}`.trimEnd().split('\n').slice(-3).join(' ');
}
