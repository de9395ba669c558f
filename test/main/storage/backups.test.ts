import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { listBackups, prepareBackup, pruneBackups } from '#main/storage/backups.ts';
import { Connection } from '#main/storage/connection.ts';

const dir = mkdtempSync(join(tmpdir(), 'hyperagent-backups-'));
const backups = join(dir, 'backups');
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('leaves nothing of an unfinished backup, and lets no other user read the next one', () => {
  mkdirSync(backups, { recursive: true });
  const names = ['hyperagent-daily-2026-01-01T00-00-00-000Z.db', 'mine.db.part'];
  for (const name of [...names, `${names[0]}.part`, `${names[0]}.part-journal`]) {
    writeFileSync(join(backups, name), 'x');
  }
  const half = prepareBackup(backups, 'hyperagent-daily-2026-01-02T00-00-00-000Z.db');
  expect(readdirSync(backups).sort()).toEqual([...names, half.slice(backups.length + 1)].sort());
  const source = new Connection({ file: join(dir, 'a.db'), dataDir: dir, busyTimeoutMs: 0 });
  source.exec('CREATE TABLE t (a)');
  source.sql('VACUUM INTO ?').run(half);
  source.close();
  const { size, mode } = statSync(half);
  expect({ isWritten: size > 0, mode: mode & 0o777 }).toEqual({ isWritten: true, mode: 0o600 });
  pruneBackups(backups, 'daily');
  expect(listBackups(backups)).toHaveLength(1);
});
