import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const USE_MS = 60_000;

/** A program that suites need, and the Debian packages that contain it and its requirements. */
export interface NeededProgram {
  readonly command: string;
  readonly debianPackages: readonly string[];
  /** What cannot be tested without it. */
  readonly neededBy: string;
  /** Arguments of a trial run that works only if the program and its libraries are complete. */
  readonly use: readonly string[];
  /** Standard input of the trial run. */
  readonly input?: string;
}

const CHROMIUM_AS_ROOT = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export const NEEDED_PROGRAMS: readonly NeededProgram[] = [
  {
    command: 'chromium',
    debianPackages: ['chromium'],
    neededBy: 'the window in a browser',
    use: ['--headless', '--disable-gpu', ...CHROMIUM_AS_ROOT, '--dump-dom', 'about:blank'],
  },
  {
    command: 'bwrap',
    debianPackages: ['bubblewrap'],
    neededBy: 'the sandbox of the system',
    use: ['--unshare-all', '--ro-bind', '/', '/', 'true'],
  },
  {
    command: 'python3',
    debianPackages: ['python3'],
    neededBy: 'code in sandboxes',
    use: ['-I', '-c', 'import json, sqlite3, ssl, zipfile'],
  },
  {
    command: 'curl',
    debianPackages: ['curl'],
    neededBy: 'requests of programs in sandboxes',
    use: ['--version'],
  },
  {
    command: 'script',
    debianPackages: ['bsdutils'],
    neededBy: 'questions at a terminal',
    use: ['-qec', 'true', '/dev/null'],
  },
  {
    command: 'zsh',
    debianPackages: ['zsh'],
    neededBy: 'completion in zsh',
    use: ['-fc', 'autoload -Uz compinit'],
  },
  {
    command: 'fish',
    debianPackages: ['fish'],
    neededBy: 'completion in fish',
    use: ['--no-config', '-c', 'true'],
  },
  {
    command: 'mandoc',
    debianPackages: ['mandoc'],
    neededBy: 'the manual page',
    use: ['-Tascii'],
  },
  {
    command: 'man',
    debianPackages: ['man-db'],
    neededBy: 'the manual page',
    use: ['-l', '-'],
    input: '.TH A 1\n',
  },
  {
    command: 'strace',
    debianPackages: ['strace'],
    neededBy: 'the proof of being offline',
    use: ['-o', '/dev/null', 'true'],
  },
  {
    command: 'ip',
    debianPackages: ['iproute2'],
    neededBy: 'the proof of being offline',
    use: ['link'],
  },
  {
    command: 'cc',
    debianPackages: ['gcc', 'libc6-dev'],
    neededBy: 'the disk that fails',
    use: ['-x', 'c', '-shared', '-fPIC', '-o', '/dev/null', '-'],
    input: '#include <dlfcn.h>\n#include <stdio.h>\n',
  },
  {
    command: 'dockerd',
    debianPackages: ['docker.io'],
    neededBy: 'the Docker sandbox',
    use: ['--version'],
  },
  {
    command: 'debootstrap',
    debianPackages: ['debootstrap'],
    neededBy: 'the base of the Docker image',
    use: ['--version'],
  },
];

/** Null if the program is installed and works; otherwise what is wrong. */
export function problemOf({ command, use, input }: NeededProgram): string | null {
  const path = findProgram(command);
  if (path === null) return 'it is not installed';
  const { status, signal, stderr, error } = spawnSync(path, use, {
    encoding: 'utf8',
    input: input ?? '',
    timeout: USE_MS,
  });
  if (status === 0) return null;
  const lastLine = (stderr ?? '').trim().split('\n').at(-1);
  return `it does not work: ${error?.message ?? (lastLine || `it ended with ${status ?? signal}`)}`;
}

export function findProgram(command: string): string | null {
  // Some are in folders that are only in root's PATH.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const found = folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
  return found ?? null;
}

/** Why packages cannot be installed here, in brackets; null if they can. */
export function installObstacle(): string | null {
  if (findProgram('apt-get') === null) return ' (this is not Debian)';
  if (process.getuid?.() !== 0) return ' (only root may install packages)';
  return null;
}

/** Installs packages. Returns the end of apt's output if that failed, otherwise null. */
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
