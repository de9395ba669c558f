import { readdirSync, readFileSync } from 'node:fs';

export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/**
 * Running processes with `mark` (`NAME=value`) in their environment, which all descendants inherit. Linux
 * only; empty elsewhere.
 */
export function findLeftovers(mark: string): Leftover[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
      const isMarked = read(`/proc/${name}/environ`).split('\0').includes(mark);
      return isMarked && command !== '' ? [{ pid: Number(name), command }] : [];
    });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended, or belongs to another user.
    return '';
  }
}
