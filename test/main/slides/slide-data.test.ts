import { describe, expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { readDataTable } from '#main/slides/given/data-table.ts';
import { readSlideData, type SlideDataWish } from '#main/slides/given/slide-data.ts';
import { zip } from '../../fakes/zip.ts';

/** What a slide gets of a file with this content; an error as its message. */
async function read(wish: SlideDataWish, content: string | Buffer): Promise<unknown> {
  const data = Buffer.from(content);
  const opened: string[] = [];
  const files = {
    read: async (path: string, maxBytes: number) => {
      opened.push(path);
      return { data: data.subarray(0, maxBytes), size: data.length };
    },
  };
  try {
    const { file, ...found } = await readSlideData(wish, {
      files,
      path: `at/${wish.file}`,
      readTable: readDataTable,
    });
    expect([file, opened]).toEqual([wish.file, [`at/${wish.file}`]]);
    return found;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const chart = (content: string | Buffer, y: string[], more: object = {}) =>
  read({ kind: 'chart', file: 'a.csv', x: 'Month', y, isScatter: false, ...more }, content);
const table = (content: string | Buffer, columns: string[] | null, file = 'a.csv') =>
  read({ kind: 'table', file, columns }, content);
const values = (...all: (number | null)[]) => ({
  ...{ kind: 'chart', categories: all.map((_, i) => `M${i + 1}`) },
  series: [{ name: 'Sales', values: all }],
});
const column = (separator: string, ...cells: string[]) =>
  [`Month${separator}Sales`, ...cells.map((cell, i) => `M${i + 1}${separator}${cell}`)].join('\n');

describe('charts from files', () => {
  it('have the columns that are named, as they are', async () => {
    const content = '\ufeffMonth,Region,Sales,Costs\r\nJan,N,1,2\r\n\r\nFeb,S,,"3.5"\r\n';
    expect(await chart(content, ['Costs', ' sales'])).toEqual({
      ...{ kind: 'chart', categories: ['Jan', 'Feb'] },
      series: [
        { name: 'Costs', values: [2, 3.5] },
        { name: 'Sales', values: [1, null] },
      ],
    });
  });

  it.each([
    ['groups and percents', ',', ['"1,234.5"', '12 %', '-3'], values(1234.5, 12, -3)],
    ['nothing', ',', ['n/a', '', '–'], values(null, null, null)],
    ['commas that are decimal', ';', ['3,5', '1.234,75', '2'], values(3.5, 1234.75, 2)],
    ['groups beside points', ';', ['1,234.5', '2,000'], values(1234.5, 2000)],
    ['tabs', '\t', ['1', '2,500'], values(1, 2500)],
    ['bars', '|', ['1', '2'], values(1, 2)],
  ] as const)('read numbers with %s', async (_what, separator, cells, found) => {
    expect(await chart(column(separator, ...cells), ['Sales'])).toEqual(found);
  });

  it.each([
    [
      'a word',
      column(',', '1', 'many'),
      'a.csv cannot be used. Row 3, column "Sales", is "many", which is not a number. Fix it, or leave it empty.',
    ],
    [
      'a comma of two readings',
      column(';', '1,234', '5'),
      'a.csv cannot be used. Row 2, column "Sales", is "1,234", which can be read in two ways. Write plain numbers.',
    ],
    [
      'a comma that cut a number',
      column(',', '1,234'),
      'a.csv cannot be used. Row 2 has 3 cells, but the header has 2. Put cells that contain the separator in quotes.',
    ],
    [
      'a column that is not there',
      'Month,Turnover\nJan,1',
      'a.csv cannot be used. It has no column "Sales". Its columns are: Month, Turnover.',
    ],
    [
      'a column that is there twice',
      'Month,Sales,sales\nJan,1,2'.replace('Sales', 'SALES'),
      'a.csv cannot be used. It has 2 columns "Sales". Rename one of them. Its columns are: Month, SALES, sales.',
    ],
    [
      'a row without a category',
      'Month,Sales\nJan,1\n,2',
      'a.csv cannot be used. Row 3 has nothing in column "Month".',
    ],
    ['no rows', 'Month,Sales\n\n', 'a.csv cannot be used. It has a header, but no rows.'],
    ['nothing', '\n \n', 'a.csv cannot be used. It is empty.'],
    [
      'a quote without an end',
      'Month,Sales\n"Jan,1\n',
      'a.csv cannot be used. A quote in row 2 does not end.',
    ],
    [
      'too many rows',
      column(',', ...Array.from({ length: 61 }, (_, i) => `${i}`)),
      'a.csv cannot be used. It has 61 rows; a chart shows 60 at most. Aggregate them into a new file first, with a program.',
    ],
    [
      'far too many rows',
      column(',', ...Array.from({ length: 9_000 }, (_, i) => `${i}`)),
      'a.csv cannot be used. It has more than 5,000 rows; a chart shows 60 at most. Aggregate them into a new file first, with a program.',
    ],
    [
      'too many bytes',
      Buffer.alloc(5 * 1024 * 1024 + 1, 'a'),
      'a.csv cannot be used. It is larger than 5 MB. Aggregate the data into a new file first.',
    ],
  ])('refuse %s', async (_what, content, message) => {
    expect(await chart(content, ['Sales'])).toBe(message);
  });

  it('say what x and y are for where they are missing', async () => {
    const content = 'Month,Sales\nJan,1';
    const there = 'Its columns are: Month, Sales.';
    expect([await chart(content, [], {}), await chart(content, ['Sales'], { x: null })]).toEqual([
      `a.csv cannot be used. y is missing. Name the columns of the values. ${there}`,
      `a.csv cannot be used. x is missing. Name the column of the categories. ${there}`,
    ]);
  });

  it('have numbers on both axes, where they scatter', async () => {
    const content = 'Month,Sales\n"1,5";2'.replace(',', ';').replace('"1,5"', '1,5');
    expect(await chart(content, ['Sales'], { isScatter: true })).toEqual({
      ...{ kind: 'chart', categories: ['1.5'], series: [{ name: 'Sales', values: [2] }] },
    });
    expect(await chart('Month,Sales\nJan,2', ['Sales'], { isScatter: true })).toBe(
      'a.csv cannot be used. Row 2, column "Month", is "Jan", which is not a number. Fix it, or leave it empty.',
    );
  });

  it('come from records too', async () => {
    const records = [
      { Month: 'Jan', Sales: 1 },
      { Month: 'Feb', Sales: '2.5', more: { a: 1 } },
      { Month: 'Mar' },
    ];
    const wish = { file: 'a.json' };
    expect(await chart(JSON.stringify(records), ['Sales'], wish)).toEqual({
      ...{ kind: 'chart', categories: ['Jan', 'Feb', 'Mar'] },
      series: [{ name: 'Sales', values: [1, 2.5, null] }],
    });
    expect(await chart('{"Month": 1}', ['Sales'], wish)).toBe(
      'a.json cannot be used. It is not a list of objects.',
    );
    expect(await chart('[{', ['Sales'], wish)).toBe('a.json cannot be used. It is not JSON.');
    expect(await chart(`${'['.repeat(1e5)}${']'.repeat(1e5)}`, ['Sales'], wish)).toBe(
      'a.json cannot be used. It is not JSON.',
    );
  });
});

describe('tables from files', () => {
  const content = 'Name,"a, b",n\nA,"say ""hi""\nthere",1\nB,,2\n';

  it('have all columns, or those that are named', async () => {
    expect(await table(content, null)).toEqual({
      ...{ kind: 'table', columns: ['Name', 'a, b', 'n'] },
      rows: [
        ['A', 'say "hi"\nthere', '1'],
        ['B', '', '2'],
      ],
    });
    expect(await table(content, ['n', 'name'])).toEqual({
      ...{ kind: 'table', columns: ['n', 'Name'] },
      rows: [
        ['1', 'A'],
        ['2', 'B'],
      ],
    });
  });

  it('are refused where they are too long, or no data', async () => {
    const long = `a\n${'1\n'.repeat(201)}`;
    expect(await table(long, null)).toContain('It has 201 rows; a table shows 200 at most.');
    expect(await table('a', null, 'a.pdf')).toBe(
      'a.pdf cannot be used. Data is read from files that end in .csv, .tsv, .xlsx, .json.',
    );
  });
});

describe('workbooks', () => {
  const file = 'a.xlsx';
  const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
  const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

  const text = (place: string, value: string) =>
    `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const HEAD = `<row r="1">${text('A1', 'Month')}${text('B1', 'Sales')}</row>`;

  /** A workbook with these rows, then a sheet that nobody reads; a style for each number format. */
  const book = (rows: string, formats: readonly string[] = []) => {
    const own = formats.map((code, i) => `<numFmt numFmtId="${i + 170}" formatCode="${code}"/>`);
    const styles = formats.map((_, i) => `<xf numFmtId="${i + 170}" applyNumberFormat="1"/>`);
    const sheet = (n: number) =>
      `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`;
    const link = (n: number, type: string, target: string) =>
      `<Relationship Id="rId${n}" Type="${LINKS}/${type}" Target="${target}"/>`;
    const parts = {
      '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>${sheet(1)}${sheet(2)}</Types>`,
      '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">${link(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
      'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${LINKS}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/><sheet name="B" sheetId="2" r:id="rId2"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${link(1, 'worksheet', 'worksheets/sheet1.xml')}${link(2, 'worksheet', 'worksheets/sheet2.xml')}${link(3, 'styles', 'styles.xml')}</Relationships>`,
      'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${own.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
      'xl/worksheets/sheet2.xml': `<worksheet xmlns="${MAIN}"><sheetData>${HEAD}<row r="2">${text('A2', 'X')}</row></sheetData></worksheet>`,
    };
    return zip(Object.entries(parts).map(([name, data]) => ({ name, data })));
  };
  const one = (cell: string, formats: readonly string[] = []) =>
    book(`${HEAD}<row r="2">${text('A2', 'M1')}${cell}</row>`, formats);

  it('give the values of their first sheet, days as days', async () => {
    const rows = `${HEAD}<row r="2"><c r="A2" s="1"><v>45292</v></c><c r="B2"><v>1.5</v></c></row><row r="4">${text('A4', 'Feb')}</row>`;
    expect(await chart(book(rows, ['yyyy\\-mm']), ['Sales'], { file })).toEqual({
      ...{ kind: 'chart', categories: ['2024-01-01', 'Feb'] },
      series: [{ name: 'Sales', values: [1.5, null] }],
    });
  });

  it('give what people see: percents as percents, in tables with their look', async () => {
    const percent = one('<c r="B2" s="1"><v>0.07</v></c>', ['0.0%']);
    expect(await chart(percent, ['Sales'], { file })).toEqual(values(7));
    expect(await table(percent, ['Sales'], file)).toMatchObject({ rows: [['7.0%']] });
    const money = one('<c r="B2" s="1"><v>1234.5</v></c>', ['#,##0.00']);
    expect(await table(money, ['Sales'], file)).toMatchObject({ rows: [['1,234.50']] });
  });

  it('give stored values of formulas, and compute none', async () => {
    const stored = one('<c r="B2"><f>1+1</f><v>5</v></c>');
    expect(await chart(stored, ['Sales'], { file })).toEqual(values(5));
    const other = one('<c r="B2"><f>1+1</f></c>');
    expect(await chart(other, ['Sales'], { file })).toBe(
      'a.xlsx cannot be used. The formula of cell B2 has no stored value. Open it in a spreadsheet and save it, or write values.',
    );
    expect(await chart(one('<c r="B2"><f>1-1</f><v>0</v></c>'), ['Sales'], { file })).toEqual(
      values(0),
    );
    expect(await chart(one('<c r="B2" s="0"/>'), ['Sales'], { file })).toEqual(values(null));
    expect(await chart(one('<c r="B2"><f>1+1</f><v></v></c>'), ['Sales'], { file })).toContain(
      'The formula of cell B2',
    );
    const broken = one('<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c>');
    expect(await chart(broken, ['Sales'], { file })).toContain(
      'is "#DIV/0!", which is not a number',
    );
  });

  it('are refused where they are something else, damaged or larger than they seem', async () => {
    const isNone = expect.stringMatching(/^a\.xlsx cannot be used\. /);
    expect(await table('<table><tr><td>a</td></tr></table>', null, file)).toEqual(isNone);
    expect(await table(one('').subarray(0, 300), null, file)).toEqual(isNone);
    const bomb = zip([{ name: 'xl/workbook.xml', data: 'a'.repeat(26 * 1024 * 1024) }]);
    expect(await table(bomb, null, file)).toBe(
      'a.xlsx cannot be used. Unpacked, it is larger than 25 MB.',
    );
    expect(await table(zip([{ name: 'a.txt', data: 'a' }]), null, file)).toEqual(isNone);
  });
});
