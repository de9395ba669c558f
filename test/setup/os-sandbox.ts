import { spawnSync } from 'node:child_process';

/** Whether bubblewrap can build a wall here; what needs it is skipped by name where it cannot. */
export const osSandboxReady: boolean =
  process.platform === 'linux' &&
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

/** What a suite that needs it says in its name when it is missing. */
export const osSandboxNote: string = osSandboxReady ? '' : ' (skipped: no bubblewrap here)';
