import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { HostFacts } from './host-facts.ts';

const execFileAsync = promisify(execFile);

/** Why bubblewrap cannot be used here, and what to do. */
export interface Obstacle {
  readonly detail: string;
  readonly remedy: string;
}

/**
 * The oldest bubblewrap with the options that we need (`--size`, `--perms`). It also fixes
 * CVE-2017-5226, CVE-2019-12439 and CVE-2020-5291. Of the later ones, CVE-2026-41163 is about setuid
 * installations, which are refused whatever their version, and CVE-2024-42472 and GHSA-pxhw-h44j-8pfx
 * need arguments that we never pass (see `bubblewrapArguments`).
 */
const OLDEST_VERSION = [0, 8, 0] as const;
const SETUID = 0o4000;

export interface ObstacleQuestion {
  readonly bwrap: string;
  readonly facts: HostFacts;
  readonly lacksSetpriv: boolean;
}

/** The first obstacle; null if there is none. */
export async function bubblewrapObstacle(question: ObstacleQuestion): Promise<Obstacle | null> {
  const { bwrap, facts, lacksSetpriv } = question;
  const version = facts.bwrapVersion;
  if (version === null || isOlder(version)) {
    const remedy = `Update bubblewrap to ${OLDEST_VERSION.join('.')} or later, or install Docker.`;
    return { detail: `bubblewrap ${version ?? 'of unknown version'} is too old`, remedy };
  }
  if (((await stat(bwrap)).mode & SETUID) !== 0) {
    const remedy = `Remove the setuid bit: sudo chmod u-s ${bwrap}`;
    return {
      detail: 'bubblewrap is installed setuid root, which has known vulnerabilities',
      remedy,
    };
  }
  if (facts.toolchain.missing.includes('python3')) {
    return {
      detail: 'Python 3 is not installed, so the sandbox can neither be checked nor used',
      remedy: await installRemedy('python3'),
    };
  }
  if (lacksSetpriv) {
    return {
      detail: 'setpriv, which drops root for programs, is not installed',
      remedy: await installRemedy('util-linux'),
    };
  }
  return await namespaceObstacle(bwrap);
}

function isOlder(version: string): boolean {
  const numbers = version.split('.').map(Number);
  for (const [index, wanted] of OLDEST_VERSION.entries()) {
    const has = numbers[index] ?? 0;
    if (has !== wanted) return has < wanted;
  }
  return false;
}

/** Whether the system forbids user namespaces to ordinary users. */
async function namespaceObstacle(bwrap: string): Promise<Obstacle | null> {
  if (process.getuid?.() === 0) return null;
  if ((await readSetting('kernel/unprivileged_userns_clone')) === '0') {
    const remedy = 'Allow them: sudo sysctl -w kernel.unprivileged_userns_clone=1';
    return { detail: 'this system forbids user namespaces to ordinary users', remedy };
  }
  if ((await readSetting('user/max_user_namespaces')) === '0') {
    const remedy = 'Allow them: sudo sysctl -w user.max_user_namespaces=15000';
    return { detail: 'this system allows no user namespaces', remedy };
  }
  // Ubuntu's restriction exempts programs with a profile; only trying shows.
  if ((await readSetting('kernel/apparmor_restrict_unprivileged_userns')) !== '1') return null;
  try {
    const options = { timeout: 5_000, env: {} };
    await execFileAsync(bwrap, ['--unshare-all', '--ro-bind', '/', '/', '/bin/true'], options);
    return null;
  } catch {
    return {
      detail: 'AppArmor prevents bubblewrap from creating user namespaces (Ubuntu 23.10 and later)',
      remedy:
        'Install its profile: sudo apt install apparmor-profiles && sudo cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor',
    };
  }
}

async function readSetting(name: string): Promise<string | null> {
  try {
    return (await readFile(`/proc/sys/${name}`, 'utf8')).trim();
  } catch {
    // This kernel does not have the setting.
    return null;
  }
}

const INSTALL_COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/debian|ubuntu/, 'sudo apt install'],
  [/fedora|rhel|centos/, 'sudo dnf install'],
  [/arch/, 'sudo pacman -S'],
  [/suse/, 'sudo zypper install'],
  [/alpine/, 'sudo apk add'],
];

/** How this distribution installs a package. */
export async function installRemedy(name: string): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const ids = release
    .split('\n')
    .filter((line) => /^ID(_LIKE)?=/.test(line))
    .join(' ');
  const command = INSTALL_COMMANDS.find(([pattern]) => pattern.test(ids))?.[1];
  return command === undefined
    ? `Install ${name} with the package manager of this system.`
    : `Install it: ${command} ${name}`;
}
