/** What every sandbox looks like to the programs in it, whatever its wall is made of. */

export const WORKSPACE = '/workspace';
/** The shell's own folder, for the text of commands. */
export const SCRIPT_DIR = '/run/hyperagent';
export const INSIDE_HOME = '/home/agent';

/** The whole environment of commands but for PATH. */
export const COMMON_ENVIRONMENT: Readonly<Record<string, string>> = {
  HOME: INSIDE_HOME,
  USER: 'agent',
  LOGNAME: 'agent',
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  TMPDIR: '/tmp',
  // Charts go to files; there is no screen. Output comes as it is printed. No caches in the workspace.
  MPLBACKEND: 'Agg',
  PYTHONUNBUFFERED: '1',
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Variables that bash and we set for the program that a command starts. */
const SHELL_ENVIRONMENT = ['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_', 'PYTHONPATH'];

/** Every variable that programs may see. */
export const ALLOWED_ENVIRONMENT: readonly string[] = [
  ...Object.keys(COMMON_ENVIRONMENT),
  ...SHELL_ENVIRONMENT,
];

const MEGABYTE = 1024 * 1024;

/** File systems in memory that programs can write, and what each may hold in bytes. */
export function scratchFolders(memoryBytes: number): Readonly<Record<string, number>> {
  const share = (part: number): number => Math.max(Math.floor(memoryBytes / part), MEGABYTE);
  return {
    '/tmp': share(2),
    '/dev/shm': share(4),
    [INSIDE_HOME]: share(4),
    [SCRIPT_DIR]: 16 * MEGABYTE,
  };
}
