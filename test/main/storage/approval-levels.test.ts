import { expect, it } from 'vitest';
import { silentLogger } from '#main/base/logger.ts';
import { migrations } from '#main/storage/migrations/all.ts';
import { openSettings } from '#main/storage/settings-store.ts';
import { readThreads, writeThreads } from '#main/storage/thread-store.ts';
import { insertRun, open, temporaryDir } from './support.ts';

/** What the settings of schema 11 become. */
function migrated(stored: Readonly<Record<string, unknown>>) {
  const dataDir = temporaryDir();
  const before = open(dataDir, { migrations: migrations.filter(({ version }) => version <= 11) });
  for (const [name, value] of Object.entries(stored)) {
    before.connection
      .sql('INSERT INTO settings (name, value) VALUES (?, ?)')
      .run(name, JSON.stringify(value));
  }
  insertRun(before);
  before.close();
  const database = open(dataDir);
  const { policyLevel, attentionTimeout, approve } = openSettings(
    database.connection,
    silentLogger,
  ).get();
  return {
    policyLevel,
    attentionTimeout,
    approve,
    threads: readThreads(database.connection).list(),
  };
}

it.each([
  [{}, { policyLevel: null, attentionTimeout: 'park' }],
  [{ policyLevel: 'ask_high' }, { policyLevel: null, attentionTimeout: 'park' }],
  [{ policyLevel: 'ask_risky' }, { policyLevel: 'ask_every_time', attentionTimeout: 'park' }],
  [{ policyLevel: 'unattended' }, { policyLevel: null, attentionTimeout: 'park' }],
  [
    { policyLevel: 'unattended', attentionTimeout: 'deny' },
    { policyLevel: null, attentionTimeout: 'park' },
  ],
  [
    { policyLevel: 'ask_high', attentionTimeout: 'deny' },
    { policyLevel: null, attentionTimeout: 'deny' },
  ],
  [{ approve: 'never' }, { policyLevel: null, attentionTimeout: 'park', approve: 'never' }],
])('settings from before the three levels, %j, become none that asks less', (stored, expected) => {
  const { threads, ...settings } = migrated(stored);
  expect(settings).toEqual({ approve: 'ask', ...expected });
  expect(threads.map(({ level }) => level)).toEqual([undefined]);
});

it('a task keeps its level until it is left to the settings', () => {
  const dataDir = temporaryDir();
  const first = open(dataDir);
  insertRun(first);
  expect(writeThreads(first.connection).setLevel('thr_1', 'ask_on_exit').level).toBe('ask_on_exit');
  first.close();
  const again = open(dataDir);
  const threads = writeThreads(again.connection);
  expect(threads.get('thr_1').level).toBe('ask_on_exit');
  expect(threads.setLevel('thr_1', null).level).toBeUndefined();
  expect(() => threads.setLevel('thr_2', null)).toThrow('There is no task');
});
