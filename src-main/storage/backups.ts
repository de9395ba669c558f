import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A copy of the database in the backups folder. */
export interface Backup {
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
}

/** How many are kept of those that are taken before migrations, and of those of every day. */
const KEPT = { migration: 3, daily: 2 } as const;
const NAMES = {
  migration: /^hyperagent-v\d+-(.+)\.db$/,
  daily: /^hyperagent-daily-(.+)\.db$/,
} as const;

/** A whole copy that was never put in place, with what SQLite lays beside it. */
const BROKEN_OFF = /^hyperagent-.+\.db\.part(?:-\w+)?$/;

/** A moment as part of a file's name: sorts by time, and every file system takes it. */
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

/** Makes the folder, without what broken-off backups left in it, and gives the name that a backup has until it is whole. */
export function prepareBackup(dir: string, name: string): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const left of readdirSync(dir).filter((one) => BROKEN_OFF.test(one))) {
    rmSync(join(dir, left), { force: true });
  }
  const half = join(dir, `${name}.part`);
  // Made here, so that nobody else may read it from its first byte on.
  closeSync(openSync(half, 'wx', 0o600));
  return half;
}

/** Removes the oldest of a kind. */
export function pruneBackups(dir: string, kind: keyof typeof NAMES): void {
  for (const { file } of listBackups(dir, kind).slice(KEPT[kind])) rmSync(file, { force: true });
}

function parseTime(inName: string): number {
  return Date.parse(inName.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/, 'T$1:$2:$3.$4'));
}
