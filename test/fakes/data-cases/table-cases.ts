import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { workbook } from '../workbook.ts';
import { type DataCase, ROWS, sum, thrown } from './data-case.ts';

export function dates(): DataCase {
  const written = [
    '2026-01-15',
    '2026-04-30',
    '25/02/2026',
    '03/04/2026',
    '11/12/2026',
    'Mar 9, 2026',
    '7 June 2026',
  ];
  const visits = [10, 20, 30, 40, 50, 60, 70];
  return {
    name: 'dates in several formats',
    path: 'visits.csv',
    bytes: () =>
      Buffer.from(
        `day,visits\n${written.map((day, row) => `"${day}",${visits[row]}`).join('\n')}\n`,
      ),
    request: 'How many visits were there in April 2026?',
    program: `${ROWS}april = [row for row in rows("visits.csv") if (row["day"].year, row["day"].month) == (2026, 4)]\nprint("April:", sum(row["visits"] for row in april), "visits on", len(april), "days; last", max(row["day"] for row in rows("visits.csv")))\n`,
    // 25/02 tells that the day comes first, so that 03/04 is in April.
    statements: [`April had ${20 + 40} visits on 2 days.`, 'The last visit was on 2026-12-11.'],
    file: {},
    tables: {
      '': {
        day: {
          ...{ type: 'date', date_order: 'day first', first_date: '2026-01-15' },
          last_date: '2026-12-11',
          date_formats: {
            ...{ 'yyyy-mm-dd': 2, 'dd/mm/yyyy': 1, 'dd/mm/yyyy or mm/dd/yyyy': 2 },
            ...{ 'mon d, yyyy': 1, 'd mon yyyy': 1 },
          },
        },
        visits: { type: 'integer', sum: 280 },
      },
    },
  };
}

export function mixed(): DataCase {
  const cells = ['12', '15.5', 'twelve', 'n/a', '2026-02-01', '20', '', 'true', '2026-02-30'];
  return {
    name: 'mixed types in a column',
    path: 'mixed.csv',
    bytes: () =>
      Buffer.from(`key,value\n${cells.map((cell, row) => `k${row},${cell}`).join('\n')}\n`),
    request: 'What do the numbers add up to?',
    program: `${ROWS}numbers = [row["value"] for row in rows("mixed.csv") if isinstance(row["value"], (int, float)) and not isinstance(row["value"], bool)]\nprint(len(numbers), "numbers, sum", sum(numbers))\n`,
    statements: ['The 3 numbers add up to 47.5.'],
    file: {},
    tables: {
      '': {
        value: {
          ...{ type: 'mixed', missing: 2, sum: 47.5, min: 12, max: 20 },
          kinds: { number: 3, text: 2, date: 1, boolean: 1 },
        },
      },
    },
  };
}

export function headerOnly(): DataCase {
  return {
    name: 'a header and nothing else',
    path: 'empty.csv',
    bytes: () => Buffer.from('date,customer,amount\n'),
    request: 'What is the total?',
    program: `${ROWS}print("rows:", sum(1 for _ in rows("empty.csv")))\n`,
    statements: ['There are 0 rows, so there is no total.'],
    file: {},
    tables: { '': { amount: { type: 'empty', missing: 0, distinct: 0 } } },
  };
}

export function twoSheets(): DataCase {
  const regions = ['North', 'South', 'East'];
  const numbers = thrown(12, 6).map((one) => Math.floor(one * 1000));
  const at = (row: number, column: number): number => numbers[row * 4 + column] ?? 0;
  const revenue = sum(regions.map((_, row) => at(row, 1) + at(row, 3)));
  return {
    name: 'a workbook of two sheets with merged headers',
    path: 'book.xlsx',
    bytes: () =>
      workbook([
        {
          name: 'Sales',
          rows: [
            ['Sales 2026'],
            ['Region', 'Q1', null, 'Q2', null],
            [null, 'units', 'revenue', 'units', 'revenue'],
            ...regions.map((region, row) => [
              region,
              ...[0, 1, 2, 3].map((column) => at(row, column)),
            ]),
          ],
          merges: ['A1:E1', 'A2:A3', 'B2:C2', 'D2:E2'],
        },
        {
          name: 'Staff',
          rows: [
            ['name', 'since', 'hours'],
            ['Ann', { date: 46_023 }, 38.5],
            ['Bob', { date: 46_054 }, 20],
          ],
          merges: [],
        },
      ]),
    request: 'What is the revenue of both quarters, and who works how long?',
    program: `${ROWS}revenue = sum(row["Q1 revenue"] + row["Q2 revenue"] for row in rows("book.xlsx", "Sales"))\nprint("revenue", revenue)\nprint("hours", sum(row["hours"] for row in rows("book.xlsx", "Staff")), "first", min(row["since"] for row in rows("book.xlsx", "Staff")))\n`,
    statements: [
      `Both quarters brought ${revenue.toLocaleString('en')}.`,
      'Since 2026-01-01 there are 58.5 hours.',
    ],
    file: { format: 'xlsx' },
    tables: {
      Sales: {
        Region: { type: 'text', distinct: 3, missing: 0 },
        'Q1 units': { type: 'integer', sum: sum(regions.map((_, row) => at(row, 0))) },
        'Q2 revenue': { type: 'integer', sum: sum(regions.map((_, row) => at(row, 3))) },
      },
      Staff: {
        since: { type: 'date', first_date: '2026-01-01', last_date: '2026-02-01' },
        hours: { type: 'number', sum: 58.5, mean: 29.25 },
      },
    },
  };
}

export function jsonLines(): DataCase {
  const prices = thrown(80, 7).map((one) => Math.round(one * 1e4) / 100);
  const lines = prices.map((price, row) =>
    JSON.stringify({
      ...{
        id: row,
        user: { name: `u${row % 9}`, address: { city: row % 2 === 0 ? 'Oslo' : 'Rome' } },
      },
      ...(row % 5 === 0 ? {} : { price }),
      tags: ['a', 'b'],
    }),
  );
  const known = prices.filter((_, row) => row % 5 !== 0);
  const oslo = sum(prices.filter((_, row) => row % 5 !== 0 && row % 2 === 0));
  return {
    name: 'nested JSON, a value on each line, one of them broken',
    path: 'events.jsonl',
    bytes: () =>
      Buffer.from(`${lines.slice(0, 40).join('\n')}\n{"id": 4\n${lines.slice(40).join('\n')}\n`),
    request: 'What was paid in Oslo?',
    program: `${ROWS}paid = [row["price"] for row in rows("events.jsonl") if row["user.address.city"] == "Oslo" and row["price"] is not None]\nprint("Oslo", round(sum(paid), 2), "in", len(paid), "payments")\n`,
    statements: [`Oslo paid ${oslo.toFixed(2)} in 32 payments.`],
    file: { format: 'json lines', broken_records: 1, broken_record_lines: [41] },
    tables: {
      '': {
        id: { type: 'integer', distinct: 80 },
        'user.address.city': { type: 'text', distinct: 2 },
        price: { type: 'number', missing: 16, sum: sum(known) },
      },
    },
  };
}

export function database(): DataCase {
  const amounts = thrown(30, 8).map((one) => Math.round(one * 5000) / 100);
  const big = amounts.filter((one) => one > 25).length;
  return {
    name: 'a database with two tables',
    path: 'shop.sqlite',
    bytes: () => {
      const dir = mkdtempSync(join(tmpdir(), 'hyperagent-sqlite-'));
      try {
        const base = new Database(join(dir, 'shop.sqlite'));
        base.exec(
          'CREATE TABLE customers (id INTEGER, name TEXT); CREATE TABLE orders (customer INTEGER, amount REAL)',
        );
        const order = base.prepare('INSERT INTO orders VALUES (?, ?)');
        base.prepare('INSERT INTO customers VALUES (1, ?), (2, ?), (3, NULL)').run('Ann', 'Bob');
        for (const [row, amount] of amounts.entries()) order.run((row % 3) + 1, amount);
        base.close();
        return readFileSync(join(dir, 'shop.sqlite'));
      } finally {
        rmSync(dir, { recursive: true });
      }
    },
    request: 'How many orders are above 25, and what do all come to?',
    program: `import sqlite3\nbase = sqlite3.connect("file:shop.sqlite?mode=ro", uri=True)\nprint(base.execute("SELECT count(*), round(sum(amount), 2) FROM orders").fetchone())\nprint("large:", base.execute("SELECT count(*) FROM orders WHERE amount > 25").fetchone()[0])\n`,
    statements: [
      `${big} orders are above 25.`,
      `All ${amounts.length} orders come to ${sum(amounts).toFixed(2)}.`,
    ],
    file: { format: 'sqlite' },
    tables: {
      customers: { name: { type: 'text', missing: 1, distinct: 2 } },
      orders: {
        amount: { type: 'number', sum: sum(amounts), mean: sum(amounts) / amounts.length },
      },
    },
  };
}

/** Written by pyarrow, packed with snappy, in two row groups; read here without it. */
export function parquet(): DataCase {
  const prices = Array.from({ length: 200 }, (_, row) => (row % 5 === 0 ? null : row * 1.25));
  const known = prices.filter((one) => one !== null);
  const rome = prices.filter((one, row) => one !== null && row % 3 === 1 && row % 10 !== 9);
  return {
    name: 'parquet',
    path: 'orders.parquet',
    bytes: () => readFileSync('test/fixtures/data/orders.parquet'),
    request: 'What was paid in Rome, and how many orders are paid?',
    program: `${ROWS}print("Rome", sum(row["price"] for row in rows("orders.parquet") if row["city"] == "Rome" and row["price"] is not None))\nprint("paid", sum(row["paid"] for row in rows("orders.parquet")))\n`,
    statements: [
      `Rome paid ${sum(rome.map((one) => one ?? 0)).toLocaleString('en')}.`,
      '50 orders are paid.',
    ],
    file: { format: 'parquet' },
    tables: {
      '': {
        id: { type: 'integer', max: 199, distinct: 200 },
        city: { type: 'text', missing: 20, distinct: 3 },
        price: { type: 'number', missing: 40, sum: sum(known) },
        day: { type: 'date', first_date: '2026-01-01', last_date: '2026-07-19' },
        paid: { type: 'boolean' },
      },
    },
  };
}
