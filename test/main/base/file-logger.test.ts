import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '#main/base/clock.ts';
import { createFileLogger, type FileLoggerOptions } from '#main/base/file-logger.ts';
import { Redactor } from '#main/base/redactor.ts';
import { mark, random } from '../../fakes/secret-kinds/generate.ts';

const clock: Clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5), monotonic: () => 0 };
let root: string;
let dir: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hyperagent-log-'));
  dir = join(root, 'logs');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function open(changes: Partial<FileLoggerOptions> = {}) {
  return createFileLogger({
    dir,
    level: 'info',
    maxBytes: 1_000_000,
    files: 3,
    redactor: new Redactor(),
    clock,
    ...changes,
  });
}

const text = (name = 'hyperagent.log'): string => readFileSync(join(dir, name), 'utf8');
const lines = (): unknown[] =>
  text()
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

describe('createFileLogger', () => {
  test('writes a line of JSON for each entry from its level on', () => {
    const logger = open();
    logger.debug('Too small');
    logger.info('A run began', { runId: 'run_1', rounds: 3, none: null });
    logger.close();
    logger.info('After the end');
    expect(lines()).toEqual([
      {
        at: '2026-01-02T03:04:05.000Z',
        level: 'info',
        message: 'A run began',
        runId: 'run_1',
        rounds: 3,
        none: null,
      },
    ]);
  });

  test('makes nothing before the first line', () => {
    open().close();
    expect(readdirSync(root)).toEqual([]);
  });

  test('writes no secret: by field, by shape, by value', () => {
    const slackToken = mark('xap', 'p-1-A0') + random('alnum', 40);
    const redactor = new Redactor();
    const logger = open({ redactor });
    redactor.register('correct horse 7');
    logger.warn('Refused correct horse 7', {
      apiKey: 'plain',
      headers: { Authorization: 'x', accept: 'Bearer abcdef123456' },
      url: 'http://me:hunter22@host/?token=abc&q=1',
      encoded: 'correct%20horse%207',
      text: 'key sk-abcdefgh12345 and ghp_abcdefghijkl1234',
      kind: `it has ${slackToken}`,
      error: new Error('correct horse 7 refused'),
      promptTokens: 12,
      password: null,
    });
    const written = text();
    for (const secret of [
      'correct horse',
      'correct%20horse',
      'plain"',
      'abcdef123456',
      'hunter22',
      'token=abc',
      'sk-abcdefgh',
      'ghp_abc',
    ]) {
      expect(written).not.toContain(secret);
    }
    expect(lines()).toMatchObject([
      {
        message: 'Refused [redacted]',
        apiKey: '[redacted]',
        headers: { Authorization: '[redacted]', accept: 'Bearer [redacted]' },
        url: 'http://me:[redacted]@host/?token=[redacted]&q=1',
        kind: 'it has [redacted: Slack token]',
        promptTokens: 12,
        password: null,
      },
    ]);
  });

  test('flattens errors with their causes and shortens what is long or round', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const cause = Object.assign(new TypeError('inner'), { code: 'EPIPE' });
    open().error('Failed', {
      error: new Error('outer', { cause }),
      long: 'x'.repeat(5_000),
      many: Array.from({ length: 60 }, (_, i) => i),
      bytes: Buffer.alloc(9),
      big: 10n,
      circle,
    });
    expect(lines()).toMatchObject([
      {
        error: {
          name: 'Error',
          message: 'outer',
          stack: expect.stringContaining('file-logger.test'),
          cause: { name: 'TypeError', message: 'inner', code: 'EPIPE' },
        },
        long: `${'x'.repeat(2_000)}… +3000 characters`,
        many: [...Array.from({ length: 50 }, (_, i) => i), '… +10'],
        bytes: '[9 bytes]',
        big: '10',
      },
    ]);
  });

  test('a cut leaves no half of a secret', () => {
    const redactor = new Redactor();
    redactor.register('very-secret-value');
    open({ redactor }).info('m', { text: `${'x'.repeat(1_990)}very-secret-value` });
    expect(text()).not.toContain('very');
  });

  test('begins a new file at the limit and keeps so many', () => {
    const logger = open({ maxBytes: 200, files: 3 });
    for (let i = 0; i < 20; i += 1) logger.info(`Line ${i}`, { pad: 'x'.repeat(60) });
    logger.close();
    expect(readdirSync(dir).sort()).toEqual([
      'hyperagent.1.log',
      'hyperagent.2.log',
      'hyperagent.log',
    ]);
    expect(text()).toContain('Line 19');
    expect(text('hyperagent.1.log')).toContain('Line 18');
  });

  test('goes on from the size of the file that it finds', () => {
    open({ maxBytes: 200 }).info('Before', { pad: 'x'.repeat(100) });
    const logger = open({ maxBytes: 200 });
    logger.info('First', { pad: 'x'.repeat(30) });
    logger.info('Second', { pad: 'x'.repeat(30) });
    expect(text('hyperagent.1.log')).toContain('Before');
    expect(text()).toContain('Second');
  });

  test('does not throw where nothing can be written', () => {
    writeFileSync(dir, 'a file where the folder should be');
    const logger = open();
    logger.error('Lost');
    rmSync(dir);
    logger.error('Kept');
    expect(lines()).toMatchObject([{ message: 'Lines were lost', lines: 1 }, { message: 'Kept' }]);
  });
});
