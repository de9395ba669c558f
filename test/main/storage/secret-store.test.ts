import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#main/base/clock.ts';
import { createFileLogger } from '#main/base/file-logger.ts';
import { KnownSecrets } from '#main/base/known-secrets.ts';
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

test('a key can be read back and is nowhere in plain text: not in the database, its log, or the logs', () => {
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

test('a key of another keychain fails with an error that names it', () => {
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

test('no row with a known secret is written, as text or as bytes, and lookups still match', () => {
  const dataDir = temporaryDir();
  const { connection, close } = open(dataDir);
  const known = new KnownSecrets();
  connection.cleanWith((text) => known.text(text));
  const secrets = openSecrets(connection, {
    seal: testKeychain(),
    onSecret: (value) => known.register(value),
  });
  secrets.set('openai', SECRET);
  connection.exec('CREATE TABLE any (name TEXT, body BLOB)');
  const put = connection.sql('INSERT INTO any VALUES (?, ?)');
  put.run(SECRET, Buffer.from(JSON.stringify({ said: [SECRET] })));
  put.run('bytes', Buffer.from([0, 255, 254, 1]));
  const find = connection.sql<{ body: Uint8Array }>('SELECT body FROM any WHERE name = ?');
  expect(Buffer.from(find.get(SECRET)?.body ?? []).toString()).toBe('{"said":["[redacted: key]"]}');
  expect([...(find.get('bytes')?.body ?? [])]).toEqual([0, 255, 254, 1]);
  expect(secrets.get('openai')).toBe(SECRET);
  expect(everyByteIn(dataDir)).not.toContain(SECRET);
  close();
});

test('`recall` makes every stored key known, except those that cannot be opened', () => {
  const { connection } = open(temporaryDir());
  const keychain = testKeychain();
  const quiet = { onSecret: () => undefined };
  openSecrets(connection, { ...quiet, seal: keychain }).set('openai', SECRET);
  openSecrets(connection, { ...quiet, seal: testKeychain() }).set('other', `${SECRET}-2`);
  const heard: string[] = [];
  const parts = { onSecret: (value: string) => void heard.push(value) };
  const secrets = openSecrets(connection, { ...parts, seal: keychain });
  secrets.recall();
  secrets.recall();
  expect(heard).toEqual([SECRET]);
  openSecrets(connection, { ...parts, seal: null }).recall();
  expect(heard).toEqual([SECRET]);
});
