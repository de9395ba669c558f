import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { latestVersion } from '#main/storage/migrate.ts';
import { migrations } from '#main/storage/migrations/all.ts';
import { openDatabase } from '#main/storage/open-database.ts';
import { sample } from '../../setup/sampling.ts';
import { insertRun, open, temporaryDir } from './support.ts';

const CHILD = fileURLToPath(new URL('./children/migrate-and-die.ts', import.meta.url));
const TABLES =
  "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name";

interface Look {
  readonly version: number;
  readonly schema: string;
  readonly integrity: unknown;
  readonly threads: unknown[];
}

function lookAt(file: string): Look {
  const database = new BetterSqlite3(file);
  try {
    return {
      version: Number(database.pragma('user_version', { simple: true })),
      // Without comments and layout, which the child drops when it splits statements.
      schema: JSON.stringify(
        database.prepare<[], { type: string; name: string; sql: string | null }>(TABLES).all(),
        (key, value: unknown) =>
          key === 'sql' && typeof value === 'string'
            ? value.replace(/--[^\n]*/g, '').replace(/\s+/g, ' ')
            : value,
      ),
      integrity: database.pragma('integrity_check', { simple: true }),
      threads: database.prepare('SELECT id, title FROM threads').all(),
    };
  } finally {
    database.close();
  }
}

const upToVersion = (version: number) => migrations.filter((step) => step.version <= version);

/** A data folder with schema version `version`, with a task and a rule in it. */
function folderOf(version: number): string {
  const dataDir = temporaryDir();
  const database = open(dataDir, { migrations: upToVersion(version) });
  if (version >= 3) insertRun(database);
  else {
    const { connection } = database;
    connection.sql("INSERT INTO threads VALUES ('thr_1', 'A task', 'a task', 1, 1)").run();
    connection
      .sql("INSERT INTO approval_rules VALUES ('rule_1', 'shell_command', 'ls', 'approve', 1)")
      .run();
  }
  database.close();
  return dataDir;
}

const die = (dataDir: string, at: number) =>
  spawnSync(process.execPath, [CHILD, dataDir, String(at)], { encoding: 'utf8' });

describe.each(migrations.slice(0, -1).map(({ version }) => version))(
  'from schema %i on',
  (version) => {
    it('a kill at any statement leaves the old schema or a later one, complete, and continues', () => {
      const original = folderOf(version);
      const schemas = new Set<string>();
      for (const { version: upTo } of migrations.filter((step) => step.version >= version)) {
        const dataDir = temporaryDir();
        cpSync(original, dataDir, { recursive: true });
        open(dataDir, { migrations: upToVersion(upTo) }).close();
        schemas.add(`${upTo} ${lookAt(join(dataDir, 'hyperagent.db')).schema}`);
      }
      const whole = temporaryDir();
      cpSync(original, whole, { recursive: true });
      const count = Number(die(whole, 0).stdout);
      // The shortest one begins, makes a table, and is noted.
      expect(count).toBeGreaterThanOrEqual(3);
      const every = Array.from({ length: count }, (_, i) => i + 1);
      // From the first schema on, every migration runs; from later ones on, the same statements again.
      const name = `kills of a migration from schema ${version} on`;
      for (const at of version === 1 ? every : sample(every, { name, size: 1 })) {
        const dataDir = temporaryDir();
        cpSync(original, dataDir, { recursive: true });
        const { signal, stderr } = die(dataDir, at);
        expect({ at, signal, stderr }).toEqual({ at, signal: 'SIGKILL', stderr: '' });
        const left = lookAt(join(dataDir, 'hyperagent.db'));
        expect(schemas).toContain(`${left.version} ${left.schema}`);
        expect([left.integrity, left.threads]).toEqual(['ok', [{ id: 'thr_1', title: 'A task' }]]);
        const backups = join(dataDir, 'backups');
        const [backup] = existsSync(backups) ? readdirSync(backups) : [];
        if (backup === undefined) throw new Error('There is no backup');
        expect(lookAt(join(backups, backup))).toMatchObject({ version, integrity: 'ok' });
        const again = openDatabase({
          ...{ dataDir, logger: silentLogger, clock: systemClock, entryPoint: 'terminal' },
        });
        const rules = again.connection.sql<{ id: string }>('SELECT id FROM rules').all();
        expect([again.connection.pragma('user_version'), rules.length]).toEqual([
          latestVersion(migrations),
          version >= 3 ? 0 : 1,
        ]);
        again.close();
      }
    });
  },
);
