import { gzipSync } from 'node:zlib';
import * as XLSX from '@e965/xlsx';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { readAll } from '../../../fakes/read-data-files.ts';
import { workbook } from '../../../fakes/workbook.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';

const SALES = 'region,amount\nNorth,1.5\nSouth,2\n';
const ROWS = [
  { region: 'North', amount: 1.5 },
  { region: 'South', amount: 2 },
];

describe.skipIf(!osSandboxReady)(`files in other formats${osSandboxNote}`, () => {
  test('workbooks of before 2007, of other programs, and tables of HTML under their name', async () => {
    const { rows, file, output } = await readAll({
      'old.xls': sheets('biff8'),
      'older.xls': sheets('biff5'),
      'binary.xlsb': sheets('xlsb'),
      'office.ods': sheets('ods'),
      'page.xls':
        '<html><table><tr><th>day</th><th>n</th></tr><tr><td>03/04/2026</td><td>1.234</td></tr></table>',
      'tabs.xls': 'region\tamount\nNorth\t1.5\n',
      'locked.xls': locked(),
      'locked.xlsx': locked(),
      'cut.xls': sheets('biff8').subarray(0, 700),
    });
    const found = {
      Sales: [
        { day: '2026-01-05', region: 'Nord', amount: 12.5, paid: true },
        { day: '2026-02-05', region: 'Sud', amount: -3, paid: false },
      ],
      Staff: [{ name: 'Ann', hours: 38 }],
    };
    for (const path of ['old.xls', 'older.xls', 'binary.xlsb', 'office.ods']) {
      expect([path, rows[path]]).toEqual([path, found]);
    }
    // What HTML says is text, of which nobody knows how it is meant.
    expect(rows['page.xls']).toEqual({ Sheet1: [{ day: '03/04/2026', n: 1.234 }] });
    expect(file('page.xls')?.tables[0]?.columns).toMatchObject([
      { date_order: 'unknown', dates_unsure: 1 },
      { numbers_unsure: { example: '1.234', sum: 1234 } },
    ]);
    expect(rows['tabs.xls']).toEqual({ '': [{ region: 'North', amount: 1.5 }] });
    expect(file('locked.xls')?.error).toMatchObject({ code: 'locked' });
    expect(file('locked.xlsx')?.error).toMatchObject({ code: 'locked' });
    expect(file('cut.xls')?.error?.code).toBe('broken');
    expect(String(output.notes)).toContain('locked.xls: The workbook has a password.');
  });

  test('files packed with gzip, also without an end', async () => {
    const { rows, file, output } = await readAll({
      'sales.csv.gz': gzipSync(SALES),
      'export.csv': gzipSync(SALES),
      'events.jsonl.gz': gzipSync('{"a": 1}\n{"a": 2}\n'),
      'book.xlsx.gz': gzipSync(
        workbook([{ name: 'One', rows: [['region', 'amount'], ...PLAIN], merges: [] }]),
      ),
      'shop.sqlite.gz': gzipSync(database()),
      'old.xls.gz': gzipSync(sheets('biff8')),
      'cut.csv.gz': gzipSync(`${SALES}${Math.PI}`.repeat(99)).subarray(0, 60),
      'none.csv.gz': gzipSync(''),
    });
    expect(rows).toMatchObject({
      'sales.csv.gz': { '': ROWS },
      'export.csv': { '': ROWS },
      'events.jsonl.gz': { '': [{ a: 1 }, { a: 2 }] },
      'book.xlsx.gz': { One: ROWS },
      'shop.sqlite.gz': { orders: [{ id: 7 }] },
      'old.xls.gz': { Staff: [{ name: 'Ann', hours: 38 }] },
    });
    expect(file('cut.csv.gz')?.error).toMatchObject({ code: 'broken' });
    expect(file('none.csv.gz')?.error).toMatchObject({ code: 'empty' });
    expect(String(output.notes)).toContain('cut.csv.gz: The packed file is cut or damaged');
  });

  test('zero bytes are left out and counted, wherever they are', async () => {
    const long = Array.from({ length: 20_000 }, (_, row) => `row ${row},${row}\n`).join('');
    const { rows, file, output } = await readAll({
      'padded.csv': 'name,n\nAnn\0\0\0\0\0,1\nBob\0\0\0\0\0,2\n',
      'late.csv': `name,n\n${long}\0\0\0late,7\n`,
      'events.jsonl': '{"a": 1}\0\n{"a": 2}\n',
    });
    expect(rows['padded.csv']).toEqual({
      '': [
        { name: 'Ann', n: 1 },
        { name: 'Bob', n: 2 },
      ],
    });
    expect(rows['late.csv']?.['']?.at(-1)).toEqual({ name: 'late', n: 7 });
    expect(rows['events.jsonl']).toEqual({ '': [{ a: 1 }, { a: 2 }] });
    expect(file('padded.csv')).toMatchObject({ zero_bytes: 10, zero_lines: [2, 3] });
    expect(file('late.csv')).toMatchObject({ zero_bytes: 3, zero_lines: [20_002] });
    expect(String(output.notes)).toContain(
      'padded.csv: 10 zero bytes are left out, first in line 2, 3',
    );
  });

  test('lines in different encodings are each read in their own', async () => {
    const utf8 = 'Stadt,n\nZürich,1\nKöln,2\n';
    const western = Buffer.from('Málaga,3\nMünchen “x”,4\n'.replaceAll(/[“”]/g, ''), 'latin1');
    // 北京,5 / 上海市,6 in GB 18030, and Москва,7 in Windows-1251.
    const chinese = Buffer.from('b1b1bea92c350ac9cfbaa3cad02c360a', 'hex');
    const russian = Buffer.from('cceef1eae2e02c370a', 'hex');
    const { rows, file, output } = await readAll({
      'joined.csv': Buffer.concat([Buffer.from(utf8), western]),
      'bom.csv': Buffer.concat([Buffer.from(`\ufeff${utf8}`), western]),
      'in-one-line.csv': Buffer.concat([
        Buffer.from('a,b\nZürich,'),
        Buffer.from('Málaga\n', 'latin1'),
        Buffer.from('Köln,Łódź\n'),
      ]),
      'china.csv': Buffer.concat([Buffer.from('城市,n\n杭州市,1\n'), chinese]),
      'russia.csv': Buffer.concat([Buffer.from('город,n\nКазань,1\n'), russian]),
      // Wholly in one: 联通 in GB 18030 would be valid UTF-8.
      'unicom.csv': Buffer.concat([Buffer.from('c1aacda82c310a', 'hex'), chinese]),
      // Damage, and no other encoding: texts that were cut at a number of bytes.
      'cut.csv': Buffer.concat(
        ['中国,1\n', '天津,2\n', '上海,3\n'].flatMap((line, at) => [
          Buffer.from(line),
          Buffer.from(`北京${'州'.repeat(at)}`).subarray(0, -1),
          Buffer.from(',9\n'),
        ]),
      ),
      'latin.csv': Buffer.from('Stadt,n\nZürich,1\nMálaga,2\n', 'latin1'),
    });
    const cities = (path: string) => rows[path]?.['']?.map((row) => Object.values(row)[0]);
    expect(cities('joined.csv')).toEqual(['Zürich', 'Köln', 'Málaga', 'München x']);
    expect(rows['bom.csv']).toEqual(rows['joined.csv']);
    expect(rows['in-one-line.csv']).toEqual({
      '': [
        { a: 'Zürich', b: 'Málaga' },
        { a: 'Köln', b: 'Łódź' },
      ],
    });
    expect(cities('china.csv')).toEqual(['杭州市', '北京', '上海市']);
    expect(cities('russia.csv')).toEqual(['Казань', 'Москва']);
    expect(file('joined.csv')).toMatchObject({
      ...{ encoding: 'utf-8+cp1252', certain: false },
      ...{ strange_lines: 2, first_strange: [4, 5] },
    });
    expect(file('china.csv')).toMatchObject({ encoding: 'utf-8+gb18030', strange_lines: 2 });
    expect(file('unicom.csv')).toMatchObject({ encoding: 'gb18030' });
    expect(file('cut.csv')).toMatchObject({ encoding: 'utf-8', broken_lines: [2, 4, 6] });
    expect(file('latin.csv')).toMatchObject({ encoding: 'latin-1' });
    expect(output.notes).toContain(
      'joined.csv: 2 lines are not utf-8 as the others; they are read as cp1252, a guess, first line 4, 5.',
    );
  });
});

const PLAIN = ROWS.map(({ region, amount }) => [region, amount]);

function sheets(bookType: XLSX.BookType): Buffer {
  const book = XLSX.utils.book_new();
  const sales = XLSX.utils.aoa_to_sheet(
    [
      ['Sales 2026'],
      ['day', 'region', 'amount', 'paid'],
      [new Date(Date.UTC(2026, 0, 5)), 'Nord', 12.5, true],
      [new Date(Date.UTC(2026, 1, 5)), 'Sud', -3, false],
    ],
    { UTC: true },
  );
  sales['!merges'] = [XLSX.utils.decode_range('A1:D1')];
  XLSX.utils.book_append_sheet(book, sales, 'Sales');
  const staff = XLSX.utils.aoa_to_sheet([
    ['name', 'hours'],
    ['Ann', 38],
  ]);
  XLSX.utils.book_append_sheet(book, staff, 'Staff');
  return XLSX.write(book, { bookType, type: 'buffer' }) as Buffer;
}

/** What Excel writes for a workbook with a password: an envelope with the encrypted rest. */
function locked(): Buffer {
  const file = XLSX.CFB.utils.cfb_new();
  XLSX.CFB.utils.cfb_add(file, '/EncryptionInfo', Buffer.alloc(64, 4));
  XLSX.CFB.utils.cfb_add(file, '/EncryptedPackage', Buffer.alloc(4_096, 7));
  return Buffer.from(XLSX.CFB.write(file, { type: 'buffer' }) as Uint8Array);
}

function database(): Buffer {
  const base = new Database(':memory:');
  base.exec('CREATE TABLE orders (id); INSERT INTO orders VALUES (7)');
  const bytes = base.serialize();
  base.close();
  return bytes;
}
