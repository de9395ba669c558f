import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConnectorLog } from '#main/connectors/connector-log.ts';

const SECRET = 'sk-secret-0123456789abcdefghijklmnopqrstuvwxyz';
let root: string;
let file: string;
let now: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hyperagent-connector-log-'));
  file = join(root, 'logs/notes.jsonl');
  now = 1_000_000;
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (): ConnectorLog =>
  new ConnectorLog({
    file,
    clock: { now: () => now, monotonic: () => now },
    clean: (text) => text.replaceAll(SECRET, '[secret]'),
  });
const texts = (log: ConnectorLog): string[] => log.lines().map(({ text }) => text);

it('gives lines in order, with their kind and time, to another instance too', () => {
  const log = open();
  expect(log.lines()).toEqual([]);
  log.add('state', 'starting');
  now += 5;
  log.add('problem', 'gone');
  const expected = [
    { at: 1_000_000, kind: 'state', text: 'starting' },
    { at: 1_000_005, kind: 'problem', text: 'gone' },
  ];
  const other = open();
  expect([log.lines(), other.lines()]).toEqual([expected, expected]);
  other.add('call', 'by the other');
  expect(texts(log)).toEqual(['starting', 'gone', 'by the other']);
});

it.skipIf(process.platform === 'win32')('is for its user only', () => {
  open().add('state', 'x');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(statSync(join(root, 'logs')).mode & 0o077).toBe(0);
});

it('keeps two files of a bounded size, and gives the newest 300 lines', () => {
  const log = open();
  for (let at = 0; at < 2_500; at += 1) {
    log.add('message', `${at} ${'x'.repeat(600)}`);
  }
  const numbers = open()
    .lines()
    .map(({ text }) => Number.parseInt(text, 10));
  expect(numbers).toEqual(Array.from({ length: 300 }, (_, at) => 2_200 + at));
  for (const one of [file, `${file}.1`]) expect(statSync(one).size).toBeLessThan(300_000);
  log.delete();
  expect([existsSync(file), existsSync(`${file}.1`), log.lines()]).toEqual([false, false, []]);
  log.add('state', 'again');
  expect(texts(log)).toEqual(['again']);
});

it('removes secrets before it cuts', () => {
  const log = open();
  log.add('problem', `${'x'.repeat(480)}${SECRET}`);
  log.add('message', `key ${SECRET}.`);
  log.addStderr(`${'y'.repeat(480)}${SECRET} more\n`);
  const stored = readFileSync(file, 'utf8');
  expect(stored).not.toContain(SECRET.slice(0, 12));
  expect(texts(log)[1]).toBe('key [secret].');
});

it('removes a secret from standard error that comes in pieces', () => {
  for (const filler of [0, 470, 480]) {
    for (let at = 0; at <= SECRET.length; at += 9) {
      const log = open();
      log.addStderr('z'.repeat(filler) + SECRET.slice(0, at));
      log.addStderr(SECRET.slice(at));
      log.addStderr('\n');
      now += 1_000;
    }
  }
  expect(readFileSync(file, 'utf8')).not.toContain(SECRET.slice(0, 12));
});

it('makes control characters visible, and keeps one line for one entry', () => {
  const log = open();
  log.add('stderr', '\u001b[31mred\u202e\u0000\r');
  log.add('message', 'one\ntwo');
  log.add('message', '{"at":1,"kind":"state","text":"forged"}');
  expect(texts(log)).toEqual([
    ...['⟨U+001B⟩[31mred⟨U+202E⟩⟨U+0000⟩⟨U+000D⟩', 'one\ntwo'],
    '{"at":1,"kind":"state","text":"forged"}',
  ]);
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(3);
});

it('takes standard error in any pieces, without empty lines', () => {
  const log = open();
  for (const piece of ['on', 'e\n\n  \ntw', 'o', '\nthree\nfo']) log.addStderr(piece);
  expect(texts(log)).toEqual(['one', 'two', 'three']);
  log.addStderr('ur\n');
  expect(texts(log)).toEqual(['one', 'two', 'three', 'four']);
});

it('limits a flood of standard error in each second, and says so once', () => {
  const log = open();
  for (let second = 0; second < 3; second += 1) {
    for (let at = 0; at < 1_000; at += 1) log.addStderr(`${second}-${at}\n`);
    now += 1_000;
  }
  const all = texts(log);
  expect(all.filter((line) => line.includes('left out'))).toHaveLength(3);
  expect(all.length).toBeLessThanOrEqual(150);
  expect(all).toContain('2-0');
  // Other lines are not held back.
  for (let at = 0; at < 200; at += 1) log.addStderr('flood\n');
  log.add('state', 'ended');
  expect(texts(log).at(-1)).toBe('ended');
});

it('keeps little of a line without an end', () => {
  const log = open();
  for (let at = 0; at < 1_000; at += 1) log.addStderr('x'.repeat(10_000));
  log.addStderr('\nnext\n');
  expect(texts(log).map((line) => line.length)).toEqual([500, 4]);
});

it('skips lines of a file that were cut', async () => {
  const { appendFileSync } = await import('node:fs');
  const log = open();
  log.add('state', 'one');
  appendFileSync(file, '{"at":1,"kind":"st\n[]\nnull\n{"at":"x","kind":"state","text":"y"}\n');
  log.add('state', 'two');
  expect(texts(log)).toEqual(['one', 'two']);
});
