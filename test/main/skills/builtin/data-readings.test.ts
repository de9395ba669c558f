import { describe, expect, test } from 'vitest';
import { readAll } from '../../../fakes/read-data-files.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';

/** Rows of `days.csv` and `weights.csv` as the user says that they are meant. */
const TOLD = `
told = [row["day"] for row in rows("days.csv", notation={"day": "month first"})]
told += [row["kg"] for row in rows("weights.csv", notation={"kg": "."})]
told += [row["kg"] for row in rows("weights.csv", notation={"kg": "text"})]
json.dump(told, open("told.out", "w"), default=str)
try:
    next(rows("days.csv", notation={"dya": "month first"}))
except ValueError as error:
    print(error)
with open("own.csv", "w") as file:
    file.write("day;n\\n25/02/2026;0,5\\n03/04/2026;1,25\\n")
json.dump(list(rows("own.csv")), open("own.out", "w"), default=str)
`;

describe.skipIf(!osSandboxReady)(`what can be read in several ways${osSandboxNote}`, () => {
  test('offsets of times are kept, and different ones are named', async () => {
    const at = (...times: readonly string[]) =>
      `at,v\n${times.map((one) => `${one},1\n`).join('')}`;
    const { rows, file, output } = await readAll({
      'zones.csv': at('2026-03-05T10:30:00+02:00', '2026-03-05T08:30:00Z', '2026-03-05 14:00+0530'),
      'database.csv': at('2026-03-05 10:30:00+02', '2026-03-05 10:30:00.250-03'),
      'named.csv': at('2026-03-05 10:30 UTC', '05.03.2026 12:30 GMT+2'),
      'midnight.csv': at('2026-03-06T00:00:00Z', '2026-03-06T00:00:00Z'),
      'some.csv': at('2026-03-05T10:30:00+02:00', '2026-03-05 10:30'),
      'wrong.csv': at('2026-03-05 25:00', '2026-03-05 10:30+99:00', '2026-03-05 13:05 AM'),
    });
    const times = (path: string) => rows[path]?.['']?.map((row) => Reflect.get(row, 'at'));
    expect(Object.fromEntries(Object.keys(rows).map((path) => [path, times(path)]))).toEqual({
      'zones.csv': [
        ...['2026-03-05 10:30:00+02:00', '2026-03-05 08:30:00+00:00'],
        '2026-03-05 14:00:00+05:30',
      ],
      'database.csv': ['2026-03-05 10:30:00+02:00', '2026-03-05 10:30:00.250000-03:00'],
      'named.csv': ['2026-03-05 10:30:00+00:00', '2026-03-05 12:30:00+02:00'],
      'midnight.csv': ['2026-03-06 00:00:00+00:00', '2026-03-06 00:00:00+00:00'],
      'some.csv': ['2026-03-05 10:30:00+02:00', '2026-03-05 10:30:00'],
      // No time of day is dropped because it is impossible.
      'wrong.csv': ['2026-03-05 25:00', '2026-03-05 10:30+99:00', '2026-03-05 13:05 AM'],
    });
    expect(file('zones.csv')?.tables[0]?.columns[0]).toMatchObject({
      with_times: 3,
      offsets: { '+02:00': 1, '+00:00': 1, '+05:30': 1 },
    });
    expect(output.notes).toContain(
      'some.csv: Column at has times with different offsets from UTC: 1 with +02:00, 1 with none. They keep them; compare those without one only with each other.',
    );
    expect(String(output.notes)).not.toContain('midnight.csv');
  });

  test('numbers and dates that fit two readings are given with both, and read as the user says', async () => {
    const { rows, file, output, json } = await readAll(
      {
        'weights.csv': 'id;kg\na;1.234\nb;2.500\n',
        'grouped.csv': 'id;kg\na;1.234\nb;1.234.567\n',
        'zero.csv': 'id;kg\na;1.234\nb;0.500\n',
        'quoted.csv': 'id,kg\na,"1,234"\nb,"2,500"\n',
        'beside.csv': 'kg;price\n1.234;0.5\n2.500;7.25\n',
        'scientific.csv': 'id;kg\na;"1,234E+03"\n',
        'days.csv': 'day\n02/02/2026\n03/04/2026\n',
        'same.csv': 'day\n02/02/2026\n03/03/2026\n',
        'proved.csv': 'day\n02/02/2026\n03/04/2026\n04/25/2026\n',
        'dotted.csv': 'day\n02.02.2026\n03.04.2026\n',
        'short.csv': 'day\n25/12/26\n03/04/26\n',
        'clash.csv': 'day\n25/12/2026\n12/25/2026\n03/04/2026\n',
      },
      TOLD,
    );
    const column = (path: string, place = 0): Readonly<Record<string, unknown>> =>
      file(path)?.tables[0]?.columns[place] ?? {};
    expect(rows['weights.csv']).toEqual({
      '': [
        { id: 'a', kg: 1234 },
        { id: 'b', kg: 2500 },
      ],
    });
    expect(column('weights.csv', 1)).toMatchObject({
      ...{ sum: 3734, decimal: ',' },
      numbers_unsure: { count: 2, example: '1.234', min: 1.234, max: 2.5, sum: 3.734 },
    });
    expect(output.notes).toContain(
      'weights.csv: Column kg: 2 numbers such as "1.234" can be read in two ways. Read here with a decimal comma: min 1234, max 2500, sum 3734, mean 1867. With a decimal point it would be: min 1.234, max 2.5, sum 3.734, mean 1.867. Ask which is meant, or give both; rows(…, notation={"kg": "."}) reads the other way.',
    );
    expect(output.report).toContain('With a decimal point it would be: min 1.234');
    expect(rows['quoted.csv']?.['']?.[0]).toEqual({ id: 'a', kg: 1234 });
    expect(column('quoted.csv', 1)).toMatchObject({ numbers_unsure: { sum: 3.734 } });
    // One value that has one reading decides over the others of its column, and columns over their neighbours.
    for (const path of ['grouped.csv', 'zero.csv', 'scientific.csv']) {
      expect([path, column(path, 1).numbers_unsure]).toEqual([path, undefined]);
    }
    expect(rows['zero.csv']?.['']?.[0]).toEqual({ id: 'a', kg: 1.234 });
    expect(rows['scientific.csv']?.['']).toEqual([{ id: 'a', kg: 1234 }]);
    expect(rows['beside.csv']?.['']?.[0]).toEqual({ kg: 1.234, price: 0.5 });
    expect(column('beside.csv')).toMatchObject({ numbers_unsure: { sum: 3734 } });

    // 02/02 is the same day in both orders, and proves none of them.
    expect(rows['days.csv']).toEqual({ '': [{ day: '2026-02-02' }, { day: '03/04/2026' }] });
    expect(column('days.csv')).toMatchObject({
      ...{ date_order: 'unknown', dates_unsure: 1 },
      date_readings: [
        { order: 'day first', count: 2, first: '2026-02-02', last: '2026-04-03' },
        { order: 'month first', count: 2, first: '2026-02-02', last: '2026-03-04' },
      ],
    });
    expect(String(output.notes)).toContain(
      'days.csv: Column day: 1 dates can be read in several ways: day first (fits 2, 2026-02-02 to 2026-04-03) or month first (fits 2, 2026-02-02 to 2026-03-04). They stay text until that is known.',
    );
    expect(rows['same.csv']).toEqual({ '': [{ day: '2026-02-02' }, { day: '2026-03-03' }] });
    expect(column('same.csv').dates_unsure).toBeUndefined();
    expect(rows['proved.csv']?.['']?.[1]).toEqual({ day: '2026-03-04' });
    expect(column('proved.csv').dates_unsure).toBeUndefined();
    expect(rows['dotted.csv']?.['']?.[1]).toEqual({ day: '2026-04-03' });
    expect(column('dotted.csv').dates_unsure).toBeUndefined();
    expect(column('short.csv')).toMatchObject({
      ...{ date_order: 'day first', first_date: '2026-04-03', last_date: '2026-12-25' },
      date_readings: [{ order: 'day first' }, { order: 'year first', last: '2025-12-26' }],
    });
    expect(String(output.notes)).toContain('years of two digits are read as 1970 to 2069');
    expect(rows['clash.csv']?.['']?.[2]).toEqual({ day: '03/04/2026' });
    expect(column('clash.csv')).toMatchObject({ date_order: 'both', dates_unsure: 1 });

    expect(await json('told.out')).toEqual([
      ...['2026-02-02', '2026-03-04', 1.234, 2.5],
      ...['1.234', '2.500'],
    ]);
    // A file that the profile does not know is read as carefully.
    expect(await json('own.out')).toEqual([
      { day: '2026-02-25', n: 0.5 },
      { day: '2026-04-03', n: 1.25 },
    ]);
  });

  test('three thousand columns are counted and read', async () => {
    const names = Array.from({ length: 3_000 }, (_, place) => `c${place}`);
    const line = names.map((_, place) => `${place},5`).join(';');
    const { file, rows, output } = await readAll({
      'wide.csv': `${names.join(';')}\n${line}\n${line}\n`,
    });
    expect(output.files).toMatchObject([{ columns: 3_000, rows: 2, tables: [{ columns: 3_000 }] }]);
    expect(output.report).toContain('| 2 | 3000 |');
    expect(file('wide.csv')?.tables[0]?.columns[2_999]).toMatchObject({
      name: 'c2999',
      sum: 5_999,
    });
    expect(rows['wide.csv']?.['']?.[1]).toMatchObject({ c0: 0.5, c2999: 2999.5 });
  });

  test('texts that count as missing are named', async () => {
    const { output, file } = await readAll({ 'codes.csv': 'country,n\nNA,1\nDE,2\nNA,3\n' });
    expect(file('codes.csv')?.tables[0]?.columns[0]).toMatchObject({
      ...{ missing: 2, missing_as: { NA: 2 } },
    });
    expect(output.unverified_numbers).toEqual([]);
  });
});
