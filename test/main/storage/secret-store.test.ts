import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#main/base/clock.ts';
import { createFileLogger } from '#main/base/file-logger.ts';
import { Redactor } from '#main/base/redactor.ts';
import { openSecrets } from '#main/storage/secret-store.ts';
import { testKeychain } from '../../setup/secret-hunt.ts';
import { open, temporaryDir, thrownBy } from './support.ts';

const SECRET = 'correct-horse-battery-staple';

function everyByteIn(dir: string): string {
  return readdirSync(dir, { recursive: true })
    .map((name) => join(dir, String(name)))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

test('a key comes back and lies nowhere in the clear: not in the database, its log, or the logs', () => {
  const dataDir = temporaryDir();
  const redactor = new Redactor();
  const logger = createFileLogger({
    dir: join(dataDir, 'logs'),
    level: 'debug',
    maxBytes: 100_000,
    files: 2,
    redactor,
    clock: systemClock,
  });
  const database = open(dataDir, { logger });
  const secrets = openSecrets(database.connection, {
    seal: testKeychain(),
    onSecret: (value) => redactor.register(value),
  });
  secrets.set('openai', SECRET);
  secrets.set('openai', `${SECRET}-2`);
  secrets.set('other', SECRET);
  logger.warn(`The server refused ${SECRET}`, { body: { said: `no: ${SECRET}-2` } });
  expect([secrets.names(), secrets.get('openai'), secrets.get('none'), secrets.storage]).toEqual([
    ['openai', 'other'],
    `${SECRET}-2`,
    null,
    'a keychain for tests',
  ]);
  const whileOpen = everyByteIn(dataDir);
  secrets.delete('openai');
  database.close();
  logger.close();
  expect(whileOpen).toContain('The server refused [redacted]');
  expect(whileOpen + everyByteIn(dataDir)).not.toContain('correct-horse');
});

test('without a keychain nothing is stored, and the answer says what to do', () => {
  const dataDir = temporaryDir();
  const { connection } = open(dataDir);
  const heard: string[] = [];
  const secrets = openSecrets(connection, { seal: null, onSecret: (value) => heard.push(value) });
  const error = thrownBy(() => secrets.set('openai', SECRET));
  expect(error).toMatchObject({ code: 'CONFLICT' });
  expect(String(error)).toContain('--api-key-env');
  expect([secrets.names(), secrets.get('openai'), heard]).toEqual([[], null, [SECRET]]);
  expect(everyByteIn(dataDir)).not.toContain(SECRET);
});

test('a key of another keychain is named, not guessed', () => {
  const { connection } = open(temporaryDir());
  const parts = { onSecret: () => undefined };
  openSecrets(connection, { ...parts, seal: testKeychain() }).set('openai', SECRET);
  const elsewhere = openSecrets(connection, { ...parts, seal: testKeychain() });
  const plainNode = openSecrets(connection, { ...parts, seal: null });
  expect([
    thrownBy(() => elsewhere.get('openai')),
    plainNode.get('openai'),
    plainNode.names(),
  ]).toEqual([
    expect.objectContaining({ code: 'CONFLICT', details: { name: 'openai' } }),
    null,
    ['openai'],
  ]);
});
