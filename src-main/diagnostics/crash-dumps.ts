import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TextCleaner } from './text-cleaner.ts';

/** How many crash dumps are kept; each has a few megabytes. */
export const KEPT_DUMPS = 10;

/** A memory image of a process that crashed. It can contain anything that the process had in memory. */
interface CrashDump {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  /** In ms. */
  readonly at: number;
}

/** Where Crashpad puts dumps: below its folder on Linux and macOS, in `reports` on Windows. */
const FOLDERS = ['completed', 'new', 'pending', 'reports'];

/** The crash dumps in Crashpad's folder, the newest first. Links are not followed. */
export function crashDumps(crashesDir: string): CrashDump[] {
  return FOLDERS.map((name) => join(crashesDir, name))
    .flatMap((dir) => namesIn(dir).map((name) => ({ path: join(dir, name), name })))
    .filter(({ name }) => name.endsWith('.dmp'))
    .flatMap(({ path, name }) => {
      const info = lstatSync(path, { throwIfNoEntry: false });
      return info?.isFile() === true ? [{ path, name, bytes: info.size, at: info.mtimeMs }] : [];
    })
    .sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
}

/** Removes all but the newest dumps, each with what Crashpad keeps beside it. */
export function pruneCrashDumps(crashesDir: string): void {
  for (const { path } of crashDumps(crashesDir).slice(KEPT_DUMPS)) {
    for (const end of ['.dmp', '.meta', '.lock']) {
      rmSync(path.replace(/\.dmp$/, end), { force: true });
    }
  }
}

/** Names, sizes and dates; never what is in them. */
export function crashSection(crashesDir: string, cleaner: TextCleaner): string[] {
  const dumps = crashDumps(crashesDir);
  if (dumps.length === 0) return ['There are no crash dumps.'];
  // Crashpad's names are random, and say nothing.
  return dumps
    .slice(0, KEPT_DUMPS)
    .map(({ name, bytes, at }) => {
      const shown = /^[0-9a-f-]{36}\.dmp$/i.test(name) ? name : cleaner.line(name);
      return `${new Date(at).toISOString()} ${shown} ${bytes} bytes`;
    })
    .concat(dumps.length > KEPT_DUMPS ? [`${dumps.length - KEPT_DUMPS} more`] : []);
}

function namesIn(dir: string): string[] {
  const info = lstatSync(dir, { throwIfNoEntry: false });
  return info?.isDirectory() === true ? readdirSync(dir) : [];
}
