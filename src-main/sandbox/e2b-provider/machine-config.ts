import { COMMON_ENVIRONMENT, INSIDE_HOME, SCRIPT_DIR, WORKSPACE } from '../inside.ts';
import { ownerLabel } from '../process-owner.ts';
import { CANNOT_START } from '../shell/shell-text.ts';
import type { SandboxLimits } from '../types.ts';
import type { StartRequest } from './envd-client.ts';

/** The service's own template: Debian with Python, Node.js and git. */
export const TEMPLATE = 'base';

/** Found again by this label; the other says whose it is, see `isLeftover`. */
export const APP_LABEL = { name: 'hyperagent', value: 'sandbox' } as const;
export const OWNER_LABEL = 'hyperagent_owner';

/** Where archives of files are handed over. Not below `/run`, which is memory and small. */
export const TRANSFER_DIR = '/var/tmp/hyperagent';

/**
 * How long a machine lives that nobody says to be needed: what an app that was killed leaves behind,
 * and a machine whose making was never answered, ends by itself.
 */
export const TIME_TO_LIVE_SECONDS = 300;

/**
 * The wall, as far as it is asked for and not E2B's own: no way out to the internet, its ports not
 * public, its daemon only for who has the machine's own token, and no sleep with all its memory kept
 * when its time is up.
 */
export function machineConfig(timeToLiveSeconds: number): Record<string, unknown> {
  return {
    templateID: TEMPLATE,
    timeout: timeToLiveSeconds,
    autoPause: false,
    secure: true,
    allow_internet_access: false,
    network: { allowPublicTraffic: false },
  };
}

export function machineLabels(): Record<string, string> {
  return { [APP_LABEL.name]: APP_LABEL.value, [OWNER_LABEL]: ownerLabel() };
}

/** Makes the folders that every sandbox of ours has; by root, before anything else runs. */
export const PREPARE: StartRequest['command'] = [
  '/bin/bash',
  '-c',
  'mkdir -p -- "$@" && chown user: -- "$@"',
  'prepare',
  ...[WORKSPACE, SCRIPT_DIR, INSIDE_HOME, TRANSFER_DIR],
];

/**
 * Ends every program of the ordinary user at once: the kernel signals them all in one go, so that no
 * fork gets away, and they cannot have become anybody else (`shellCommand`).
 */
export const KILL_ALL: StartRequest['command'] = ['/bin/bash', '-c', 'kill -9 -1; true'];

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * The shell of the agent: an environment made from nothing, no way to become another user (the
 * template lets its user be root by sudo), and limits that it cannot raise. Memory and processors are
 * those of the template. What the shell started ends with it: the daemon tells the end of a program
 * only when nobody holds its output any more.
 */
export function shellCommand(limits: SandboxLimits): StartRequest['command'] {
  const bash = '/bin/bash --noprofile --norc';
  const settings = [`-f ${Math.ceil(limits.fileBytes / 1024)}`, '-c 0', `-u ${limits.pids}`];
  const prologue = settings
    .map((setting) => `ulimit ${setting} || exit ${CANNOT_START}; `)
    .join('');
  return [
    ...(['/usr/bin/env', '-i', `PATH=${PATH}`] as const),
    ...Object.entries(COMMON_ENVIRONMENT).map(([name, value]) => `${name}=${value}`),
    ...['/usr/bin/setpriv', '--no-new-privs', '--'],
    ...[...bash.split(' '), '-c', `${prologue}${bash}; status=$?; kill -9 -1; exit $status`],
  ];
}
