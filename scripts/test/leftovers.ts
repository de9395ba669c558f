import { readdirSync, readFileSync } from 'node:fs';

/** Set by `test/setup/cpu-time.ts`. */
const TEST_FILE = 'HYPERAGENT_TEST_FILE=';

export interface Leftover {
  readonly pid: number;
  readonly command: string;
  /** The test file that started it; null where it was not started by one. */
  readonly testFile: string | null;
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
      const environment = read(`/proc/${name}/environ`).split('\0');
      const testFile = environment
        .find((one) => one.startsWith(TEST_FILE))
        ?.slice(TEST_FILE.length);
      const isMarked = environment.includes(mark) && command !== '';
      return isMarked ? [{ pid: Number(name), command, testFile: testFile || null }] : [];
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
