import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAll } from '../../../fakes/read-data-files.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');
const line = '0a';

describe.skipIf(!osSandboxReady)(`files as they come${osSandboxNote}`, () => {
  test('numbers, dates and gaps are what they mean, however they are written', async () => {
    const { rows, file, output } = await readAll({
      'accounts.csv': 'v\n(1234.50)\n-$5.00\n5.00-\n$(2)\n($3)\n€ -7\n−8\n',
      'gaps.csv': 'a,b\n1,NULL\n,\\N\n?,None\n',
      'times.csv': 'at,v\n2026-03-05 10:30:00,1\n2026-03-06T00:00:00Z,2\n',
      'midnights.csv': 'at,v\n2026-03-05 00:00:00,1\n',
      'clock.csv': 'at\n03/13/2026 1:05 PM\n03/14/2026 12:00 AM\n',
      'oracle.csv': 'at\n05-Mar-26\n06-MAR-99\n',
      'years.csv': 'region,2023,2024\nN,1,2\nS,3,4\n',
      'months.csv': 'region,2026-01-01,2026-02-01\nN,10,20\nS,30,40\n',
      'no-header.csv': 'N,2023,5\nS,2024,6\n',
      'old-mac.csv': 'a,b\r1,2\r3,4\r',
      'stray.csv': `a,b\n"2,y\n${'3,z\n'.repeat(50)}`,
    });
    expect(rows).toEqual({
      'accounts.csv': { '': [-1234.5, -5, -5, '$(2)', -3, -7, -8].map((v) => ({ v })) },
      'gaps.csv': { '': [{ a: 1, b: null }, NOTHING, NOTHING] },
      'times.csv': {
        '': [
          { at: '2026-03-05 10:30:00', v: 1 },
          { at: '2026-03-06 00:00:00+00:00', v: 2 },
        ],
      },
      'midnights.csv': { '': [{ at: '2026-03-05', v: 1 }] },
      'clock.csv': { '': [{ at: '2026-03-13 13:05:00' }, { at: '2026-03-14 00:00:00' }] },
      'oracle.csv': { '': [{ at: '2026-03-05' }, { at: '1999-03-06' }] },
      'years.csv': {
        '': [
          { region: 'N', 2023: 1, 2024: 2 },
          { region: 'S', 2023: 3, 2024: 4 },
        ],
      },
      'months.csv': {
        '': [
          { region: 'N', '2026-01-01': 10, '2026-02-01': 20 },
          { region: 'S', '2026-01-01': 30, '2026-02-01': 40 },
        ],
      },
      'no-header.csv': {
        '': [
          { column_1: 'N', column_2: 2023, column_3: 5 },
          { column_1: 'S', column_2: 2024, column_3: 6 },
        ],
      },
      'old-mac.csv': {
        '': [
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ],
      },
      'stray.csv': { '': [expect.anything()] },
    });
    const unclosed =
      'One value spans 51 line ends, up to line 52: a closing quotation mark may be missing.';
    expect(file('stray.csv')?.tables[0]?.notes).toEqual([unclosed]);
    expect(output.notes).toContain(`stray.csv: ${unclosed}`);
  });

  test('letters are read in the encodings of the world, and a guess is called one', async () => {
    const { rows, file } = await readAll({
      // 日付,地域 / 東京,1 in Shift JIS.
      'japan.csv': bytes(
        `93fa95742c926e88e6${line}938c8b9e2c31${line}91e58de3 2c32${line}`.replaceAll(' ', ''),
      ),
      // 日期,地區 / 臺北,1 / 高雄,2 in Big5.
      'taiwan.csv': bytes(`a4e9b4c12ca661b0cf${line}bb4fa55f2c31${line}b0aab6af2c32${line}`),
      // 날짜,지역 / 서울,1 / 부산,2 … in EUC-KR.
      'korea.csv': bytes(
        `b3afc2a52cc1f6bfaa${line}${`bcadbfef2c31${line}bacebbea2c32${line}`.repeat(9)}`,
      ),
      // 日期,地区 / 华东,1 / 华南,2 in GBK.
      'china.csv': bytes(`c8d5c6da2cb5d8c7f8${line}bbaab6ab2c31${line}bbaac4cf2c32${line}`),
      // Город;Сумма / Москва;1 in Windows-1251.
      'russia.csv': bytes(`c3eef0eee43bd1f3ecece0${line}cceef1eae2e03b31${line}`),
      // Straße;Preis / Müller “x”;1 in Windows-1252.
      'germany.csv': bytes(`53747261df653b5072656973${line}4dfc6c6c6572209378943b31${line}`),
    });
    expect(rows).toEqual({
      'japan.csv': {
        '': [
          { 日付: '東京', 地域: 1 },
          { 日付: '大阪', 地域: 2 },
        ],
      },
      'taiwan.csv': {
        '': [
          { 日期: '臺北', 地區: 1 },
          { 日期: '高雄', 地區: 2 },
        ],
      },
      'korea.csv': {
        '': Array.from({ length: 18 }, (_, row) =>
          row % 2 === 0 ? { 날짜: '서울', 지역: 1 } : { 날짜: '부산', 지역: 2 },
        ),
      },
      'china.csv': {
        '': [
          { 日期: '华东', 地区: 1 },
          { 日期: '华南', 地区: 2 },
        ],
      },
      'russia.csv': { '': [{ Город: 'Москва', Сумма: 1 }] },
      'germany.csv': { '': [{ Straße: 'Müller “x”', Preis: 1 }] },
    });
    // So little Chinese could be Korean.
    const guesses = ['japan', 'taiwan', 'korea', 'china', 'russia', 'germany'];
    expect(guesses.map((name) => file(`${name}.csv`)?.certain)).toEqual(guesses.map(() => false));
  });

  test('objects of JSON that are one table are read as one, and a database with its log', async () => {
    const table = {
      '': [
        { a: 1, b: 'x' },
        { a: 2, b: 'y' },
      ],
    };
    const { rows } = await readAll({
      'lists.json': '{"a": [1, 2], "b": ["x", "y"]}',
      'columns.json': '{"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": "y"}}',
      'split.json': '{"columns": ["a", "b"], "index": [0, 1], "data": [[1, "x"], [2, "y"]]}',
      'named.json': '{"N": {"v": 1}, "S": {"v": 2}}',
      'nan.json': '[{"v": NaN}, {"v": 1.5}]',
      ...logged(),
    });
    expect(rows).toEqual({
      ...{ 'lists.json': table, 'columns.json': table, 'split.json': table },
      'named.json': {
        '': [
          { key: 'N', v: 1 },
          { key: 'S', v: 2 },
        ],
      },
      'nan.json': { '': [{ v: null }, { v: 1.5 }] },
      'shop.sqlite': { orders: [{ id: 7 }], words: [{ body: 'hello' }] },
    });
  });
});

const NOTHING = { a: null, b: null };

/** A database that was copied while it was in use: all that it holds is in its log. */
function logged(): Record<string, Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'data-shapes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'shop.sqlite');
  const base = new Database(path);
  base.pragma('journal_mode = wal');
  base.exec('CREATE TABLE orders (id); INSERT INTO orders VALUES (7)');
  base.exec("CREATE VIRTUAL TABLE words USING fts5(body); INSERT INTO words VALUES ('hello')");
  const files = {
    'shop.sqlite': readFileSync(path),
    'shop.sqlite-wal': readFileSync(`${path}-wal`),
  };
  base.close();
  return files;
}
