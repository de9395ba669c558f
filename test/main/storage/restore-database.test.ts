import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '#main/base/logger.ts';
import { listBackups } from '#main/storage/backups.ts';
import { findBackup, findDamage, restoreDatabase } from '#main/storage/restore-database.ts';
import { readRuns } from '#main/storage/run-store.ts';
import { readThreads, writeThreads } from '#main/storage/thread-store.ts';
import { startUpkeep } from '#main/storage/upkeep.ts';
import { HandClock, insertRun, open, temporaryDir, thrownBy } from './support.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Keeping {
  readonly dataDir: string;
  readonly clock: HandClock;
  readonly onDamage?: (finding: string) => void;
}

/** Runs the upkeep once, until `isDone`. */
async function keep(
  { dataDir, clock, onDamage = () => undefined }: Keeping,
  isDone: () => boolean,
) {
  const database = open(dataDir, { clock });
  const upkeep = startUpkeep({
    ...{ paths: database.paths, root: process.cwd(), clock, logger: silentLogger, onDamage },
    firstMs: 1,
  });
  await expect.poll(isDone, { timeout: 60_000 }).toBe(true);
  await upkeep[Symbol.asyncDispose]();
  database.close();
}

const backups = (dataDir: string): string[] => readdirSync(join(dataDir, 'backups')).sort();

/** A folder with a task, a backup of it, and a task that came later. */
async function backedUp(): Promise<{ dataDir: string; clock: HandClock; file: string }> {
  const dataDir = temporaryDir();
  const clock = new HandClock();
  const database = open(dataDir, { clock });
  insertRun(database);
  database.close();
  await keep({ dataDir, clock }, () => listBackups(join(dataDir, 'backups')).length === 1);
  const later = open(dataDir, { clock });
  writeThreads(later.connection).insert({ id: 'thr_2', title: 'Later', createdAt: 2 });
  later.close();
  mkdirSync(join(dataDir, 'workspaces', 'thr_1'), { recursive: true });
  return { dataDir, clock, file: join(dataDir, 'hyperagent.db') };
}

test('a sound database is backed up once a day, and two are kept', async () => {
  const { dataDir, clock } = await backedUp();
  for (let day = 2; day <= 3; day += 1) {
    clock.time += DAY_MS;
    const name = `hyperagent-daily-2026-01-0${day}T00-00-00-000Z.db`;
    // The oldest goes after the new one is there.
    await keep(
      { dataDir, clock },
      () => backups(dataDir).includes(name) && backups(dataDir).length <= 2,
    );
  }
  expect(backups(dataDir)).toEqual([
    'hyperagent-daily-2026-01-02T00-00-00-000Z.db',
    'hyperagent-daily-2026-01-03T00-00-00-000Z.db',
  ]);
});

test.each([
  // What the app reads itself is elsewhere.
  [
    'of the newest table',
    (bytes: Buffer) => void bytes.fill(255, bytes.length - 8192 * 2, bytes.length - 4096),
  ],
  [
    'of the schema, where no check begins',
    (bytes: Buffer) => void bytes.fill(255, bytes.length - 4096),
  ],
])(
  'damage %s after the start is reported, replaces no backup, and stops the next start',
  async (_what, damage) => {
    const { dataDir, clock, file } = await backedUp();
    const kept = backups(dataDir);
    const database = open(dataDir, { clock });
    onTestFinished(() => database.close());
    const found: string[] = [];
    clock.time += DAY_MS;
    const bytes = readFileSync(file);
    damage(bytes);
    writeFileSync(file, bytes);
    const upkeep = startUpkeep({
      ...{ paths: database.paths, root: process.cwd(), clock, logger: silentLogger },
      ...{ firstMs: 1, onDamage: (finding) => found.push(finding) },
    });
    await expect.poll(() => found.length, { timeout: 60_000 }).toBe(1);
    await upkeep[Symbol.asyncDispose]();
    database.close();
    expect(backups(dataDir)).toEqual(kept);
    expect(thrownBy(() => open(dataDir, { clock }))).toMatchObject({ code: 'DATABASE_CORRUPT' });
  },
);

test('a damaged database is replaced by its last sound backup, with runs paused', async () => {
  const { dataDir, clock, file } = await backedUp();
  const bad = 'hyperagent-daily-2026-01-02T00-00-00-000Z.db';
  writeFileSync(join(dataDir, 'backups', bad), 'no database');
  truncateSync(file, 8192);
  writeFileSync(`${file}-wal`, 'of the damaged one');
  const damaged = readFileSync(file);
  expect(findDamage(dataDir)).toMatchObject({ code: 'DATABASE_CORRUPT' });
  const backup = findBackup(dataDir);
  expect(backup).toMatchObject({ takenAt: Date.UTC(2026, 0, 1) });
  const { keptAs } = restoreDatabase(backup, { dataDir, entryPoint: 'terminal', clock });
  expect(readFileSync(keptAs ?? '').equals(damaged)).toBe(true);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('hyperagent'))).toEqual([
    'hyperagent-damaged-2026-01-01T00-00-00-000Z.db',
    'hyperagent-damaged-2026-01-01T00-00-00-000Z.db-wal',
    'hyperagent.db',
  ]);
  expect(findDamage(dataDir)).toBeNull();
  const { connection } = open(dataDir, { clock });
  expect(readThreads(connection).list()).toMatchObject([{ id: 'thr_1', status: 'paused' }]);
  // It continues only when the user resumes it: what it did since the backup is unknown.
  expect(readRuns(connection).get('run_1').error?.message).toContain('2026-01-01');
});

test('without a backup it starts empty, and files of tasks stay', () => {
  const dataDir = temporaryDir();
  const clock = new HandClock();
  open(dataDir, { clock }).close();
  mkdirSync(join(dataDir, 'workspaces', 'thr_1'), { recursive: true });
  truncateSync(join(dataDir, 'hyperagent.db'), 0);
  expect([findDamage(dataDir)?.code, findBackup(dataDir)]).toEqual(['DATABASE_CORRUPT', null]);
  restoreDatabase(null, { dataDir, entryPoint: 'terminal', clock });
  expect(readThreads(open(dataDir, { clock }).connection).list()).toEqual([]);
  expect(readdirSync(join(dataDir, 'workspaces'))).toEqual(['thr_1']);
});
