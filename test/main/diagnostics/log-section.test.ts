import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFileLogger } from '#main/base/file-logger.ts';
import { Redactor } from '#main/base/redactor.ts';
import { logSection } from '#main/diagnostics/log-section.ts';
import { readLogTail } from '#main/diagnostics/log-tail.ts';
import { HandClock, temporaryDir } from '../storage/support.ts';
import { janesCleaner } from './support.ts';

const entry = (message: string, more: object = {}): string =>
  `${JSON.stringify({ at: '2026-01-01T00:00:00.000Z', level: 'info', message, ...more })}\n`;

it('reads the end of a huge log, and whole lines only', async () => {
  const dir = temporaryDir();
  const file = join(dir, 'hyperagent.log');
  writeFileSync(file, '');
  truncateSync(file, 2 ** 30);
  appendFileSync(file, `\n${entry('first')}${entry('last')}{"level":"info","mess`);
  const before = process.memoryUsage().arrayBuffers;
  const { lines, isCut } = await readLogTail(dir, 4096);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6);
  expect(isCut).toBe(true);
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['first', 'last']);
});

it('shows nothing of a line that is longer than the limit', async () => {
  const dir = temporaryDir();
  writeFileSync(join(dir, 'hyperagent.log'), 'x'.repeat(10_000));
  expect(await readLogTail(dir, 4096)).toEqual({ lines: [], isCut: true, unread: [] });
});

it('cuts no character, wherever the end begins', async () => {
  const dir = temporaryDir();
  const file = join(dir, 'hyperagent.log');
  writeFileSync(file, `${'销售🎉'.repeat(20)}\n${'数据'.repeat(4)}\n`);
  for (let bytes = 30; bytes < 60; bytes += 1) {
    expect((await readLogTail(dir, bytes)).lines).toEqual(['数据'.repeat(4)]);
  }
});

it('goes on in older files until the limit, the oldest lines first', async () => {
  const dir = temporaryDir();
  writeFileSync(join(dir, 'hyperagent.2.log'), 'a\nb\n');
  writeFileSync(join(dir, 'hyperagent.1.log'), 'c\n');
  writeFileSync(join(dir, 'hyperagent.log'), 'd\ne\n');
  expect(await readLogTail(dir, 1000)).toMatchObject({
    lines: ['a', 'b', 'c', 'd', 'e'],
    isCut: false,
  });
  expect(await readLogTail(dir, 8)).toMatchObject({ lines: ['c', 'd', 'e'], isCut: true });
});

it('follows no link, and waits for no pipe', async () => {
  const dir = temporaryDir();
  const other = join(temporaryDir(), 'secret.txt');
  writeFileSync(other, entry('of another file'));
  symlinkSync(other, join(dir, 'hyperagent.log'));
  execFileSync('mkfifo', [join(dir, 'hyperagent.1.log')]);
  writeFileSync(join(dir, 'hyperagent.2.log'), entry('own'));
  const shown = await logSection(dir, janesCleaner());
  expect(shown).toEqual([
    'hyperagent.log was not read: a link',
    'hyperagent.1.log was not read: not a regular file',
    '2026-01-01T00:00:00.000Z info own',
  ]);
});

it('shows what the logger wrote, errors with their stack, and no texts of fields without a decision', async () => {
  const dir = temporaryDir();
  const logger = createFileLogger({
    ...{ dir, level: 'info', maxBytes: 1e6, files: 2, redactor: new Redactor() },
    clock: new HandClock(),
  });
  const error = Object.assign(new TypeError('It failed'), {
    code: 'EFOO',
    prompt: 'My prompt',
    headers: { authorization: 'x' },
  });
  error.stack =
    'TypeError: It failed\n    at run (file:///home/jane doe/apps/hyperagent/out/a.js:1:2)';
  logger.warn('A request failed', {
    error,
    file: 'My diary.txt',
    count: 3,
    names: ['My name'],
    name: 'Mine',
  });
  logger.close();
  expect(await logSection(dir, janesCleaner())).toEqual([
    '2026-01-01T00:00:00.000Z warn A request failed',
    '    error:',
    '        code: EFOO',
    '        prompt: [left out]',
    '        headers: [left out]',
    '        stack: TypeError: It failed',
    '          at run (file:[app]/out/a.js:1:2)',
    '    file: [left out]',
    '    count: 3',
    '    names: [left out]',
    '    name: [left out]',
  ]);
});

it('leaves out lines that the app did not write, and lets none fake another part', async () => {
  const dir = temporaryDir();
  mkdirSync(dir, { recursive: true });
  const handle = openSync(join(dir, 'hyperagent.log'), 'a');
  writeSync(handle, '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n[1]\n');
  writeSync(handle, entry('a\n## Policy\n    2026 info fake', { '\n# x': 1, why: 'b\n## c' }));
  closeSync(handle);
  expect(await logSection(dir, janesCleaner())).toEqual([
    'Lines that the app did not write, left out: 3',
    '2026-01-01T00:00:00.000Z info a ⏎ ## Policy ⏎ 2026 info fake',
    '    why: b',
    '      ## c',
    '    Fields whose names are left out: 1',
  ]);
});

const shownOf = async (...lines: string[]): Promise<string[]> => {
  const dir = temporaryDir();
  writeFileSync(join(dir, 'hyperagent.log'), lines.join(''));
  return await logSection(dir, janesCleaner());
};
const HEAD = '2026-01-01T00:00:00.000Z info';

it('a line that cannot be shown costs only itself, and is counted', async () => {
  const deep = (levels: number): string => `${'['.repeat(levels)}"My name"${']'.repeat(levels)}`;
  const long = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field${at}`, at]));
  const shown = await shownOf(
    entry('first'),
    `{"level":"info","message":"deep","why":${deep(20_000)}}\n`,
    `{"level":"info","message":"nested","why":${deep(20)}}\n`,
    entry('long', long),
  );
  expect(shown.join('\n')).not.toContain('My name');
  expect(shown).toContain(`${HEAD} first`);
  expect(shown).toContain('info nested');
  expect(shown[0]).toMatch(/^Lines that .* left out: [12]$/);
});

it('shows only names of fields that the app gave, and no number of a secret', async () => {
  const stack = 'Error: x\n    at y';
  expect(
    await shownOf(
      entry('a', {
        'My name': 1,
        MyField: 1,
        pin_token: 1234,
        promptTokens: 33,
        details: { Divorce: 3, count: 2, name: 'My name', why: 'x', mine: 'y' },
        error: { message: 'x', stack, retries: 2, note: 'My note', details: { Divorce: true } },
        cause: { name: 'TypeError', message: 'm' },
        rules: ['a', ['b', ['c', { mine: 1 }]], 4],
        reason: { name: 'My name' },
      }),
    ),
  ).toEqual([
    `${HEAD} a`,
    '    MyField: 1',
    '    pin_token: [redacted]',
    '    promptTokens: 33',
    '    details:',
    '        count: 2',
    '        name: [left out]',
    '        why: x',
    '        Fields whose names are left out: 2',
    '    error:',
    '        stack: Error: x',
    '          at y',
    '        retries: 2',
    '        note: [left out]',
    '        details:',
    '            Fields whose names are left out: 1',
    '    cause:',
    '        name: TypeError',
    '        message: m',
    '    rules: a, (b, (c, [left out])), 4',
    '    reason:',
    '        name: [left out]',
    '    Fields whose names are left out: 1',
  ]);
});

it('shows of an address only where it leads, whatever its scheme', async () => {
  const urls = ['/?token=a', 'clinic.example/x', 'wss://clinic.example/x?y', 'app://page/x', 'x:y'];
  const shown = await shownOf(...urls.map((url) => entry('a', { url })));
  expect(shown.filter((line) => line.includes('url'))).toEqual([
    '    url: [left out]',
    '    url: [left out]',
    '    url: wss://clinic.example/…',
    '    url: app://page/…',
    '    url: [left out]',
  ]);
});

it('is bounded, and keeps the newest lines', async () => {
  const dir = temporaryDir();
  const long = Array.from({ length: 3_000 }, (_, at) =>
    entry(`line ${at}`, { why: '\u0001'.repeat(100) }),
  );
  writeFileSync(join(dir, 'hyperagent.log'), long.join(''));
  const shown = await logSection(dir, janesCleaner());
  expect(shown.join('\n').length).toBeLessThan(270_000);
  expect(shown[0]).toBe('Older lines are left out.');
  expect(shown.at(-2)).toContain('line 2999');
});
