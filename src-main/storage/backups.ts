import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A copy of the database in the backups folder. */
export interface Backup {
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
}

/** How many backups of each kind are kept: those taken before a migration, and daily ones. */
const KEPT = { migration: 3, daily: 2 } as const;
const NAMES = {
  migration: /^hyperagent-v\d+-(.+)\.db$/,
  daily: /^hyperagent-daily-(.+)\.db$/,
} as const;

/** A backup that was never finished, with the files that SQLite puts beside it. */
const UNFINISHED = /^hyperagent-.+\.db\.part(?:-\w+)?$/;

/** A time as part of a file name: sorts by time, and is valid on every file system. */
export function timeInName(at: number): string {
  return new Date(at).toISOString().replaceAll(/[:.]/g, '-');
}

/** Newest first. */
export function listBackups(dir: string, kind?: keyof typeof NAMES): Backup[] {
  const kinds = kind === undefined ? Object.values(NAMES) : [NAMES[kind]];
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names
    .flatMap((name) => {
      const time = kinds.map((pattern) => pattern.exec(name)?.[1]).find((found) => found);
      const takenAt = time === undefined ? Number.NaN : parseTime(time);
      return Number.isNaN(takenAt) ? [] : [{ file: join(dir, name), takenAt }];
    })
    .sort((a, b) => b.takenAt - a.takenAt);
}

/** Creates the folder, removes unfinished backups from it, and returns the file that the new backup is written to. */
export function prepareBackup(dir: string, name: string): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const left of readdirSync(dir).filter((one) => UNFINISHED.test(one))) {
    rmSync(join(dir, left), { force: true });
  }
  const partFile = join(dir, `${name}.part`);
  // Created here, so that other users cannot read even its first byte.
  closeSync(openSync(partFile, 'wx', 0o600));
  return partFile;
}

/** Removes the oldest backups of a kind. */
export function pruneBackups(dir: string, kind: keyof typeof NAMES): void {
  for (const { file } of listBackups(dir, kind).slice(KEPT[kind])) rmSync(file, { force: true });
}

function parseTime(inName: string): number {
  return Date.parse(inName.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/, 'T$1:$2:$3.$4'));
}
