import { COMMON_ENVIRONMENT, INSIDE_HOME, SCRIPT_DIR, WORKSPACE } from '../inside.ts';
import { ownerLabel } from '../process-owner.ts';
import { CANNOT_START } from '../shell/shell-text.ts';
import type { SandboxLimits } from '../types.ts';
import type { StartRequest } from './envd-client.ts';

/** The service's own template: Debian with Python, Node.js and git. */
export const TEMPLATE = 'base';

/** `APP_LABEL` finds the app's machines; `OWNER_LABEL` says whose they are, see `isLeftover`. */
export const APP_LABEL = { name: 'hyperagent', value: 'sandbox' } as const;
export const OWNER_LABEL = 'hyperagent_owner';

/** Folder for file archives. Not below `/run`, which is small and in memory. */
export const TRANSFER_DIR = '/var/tmp/hyperagent';

/**
 * How long a machine lives without renewal: one that a killed app left behind, or whose creation was
 * never confirmed, ends by itself.
 */
export const TIME_TO_LIVE_SECONDS = 300;

/**
 * The isolation that we request beyond E2B's own: no internet access, no public ports, a daemon that
 * requires the machine's token, and no pause that keeps its memory when its time is up.
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

/** Creates the folders that every sandbox has; runs as root, before anything else. */
export const PREPARE: StartRequest['command'] = [
  '/bin/bash',
  '-c',
  'mkdir -p -- "$@" && chown user: -- "$@"',
  'prepare',
  ...[WORKSPACE, SCRIPT_DIR, INSIDE_HOME, TRANSFER_DIR],
];

/**
 * Ends every program of the ordinary user: the kernel signals all of them at once, so that no fork
 * escapes, and they cannot have changed their user (`shellCommand`).
 */
export const KILL_ALL: StartRequest['command'] = ['/bin/bash', '-c', 'kill -9 -1; true'];

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * The shell of the agent: an empty initial environment, no way to become another user (the template
 * allows its user sudo), and limits that it cannot raise. Memory and processors are those of the template.
 * The shell's children end with it: the daemon reports the end of a program only once nothing holds its
 * output open.
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
