import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { sandboxBench } from '../../../fakes/sandbox-bench.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';
import { providerParts } from '../../sandbox/provider-parts.ts';

const MODULES = ['data_values', 'data_column', 'data_bytes', 'data_encoding', 'data_text'];
const MORE = ['data_files', 'data_json', 'data_xlsx', 'data_sheet', 'data_profile'];
const SEED = 20_261_123;
const ORDERS = ['day first', 'month first', 'year first'] as const;
type Order = (typeof ORDERS)[number];

interface Reading {
  readonly kind: string;
  readonly point: number | null;
  readonly comma: number | null;
  readonly day: string | null;
  readonly readings: Readonly<Partial<Record<Order, string>>>;
  readonly offset: number | null;
}
interface ColumnFacts {
  readonly type: string;
  readonly decimal?: string;
  readonly sum?: number;
  readonly numbers_unsure?: { readonly count: number; readonly sum: number };
  readonly date_order?: string | null;
  readonly dates_unsure?: number;
  readonly date_readings?: readonly { readonly order: Order }[];
}

/** Writes what each value, and each column of values, is read as. */
const READ = `
import sys, json
sys.path.insert(0, ".hyperagent")
from data_values import read_text
from data_column import Column
asked = json.load(open("asked.json"))
def shown(text):
    meant = read_text(text)
    return {name: getattr(meant, name, None) for name in ("kind", "point", "comma", "day", "readings", "offset")}
def facts(values):
    column = Column("c", of=1)
    column.take(list(range(2, 2 + len(values))), values, True)
    return column.facts(".")
json.dump({"values": [shown(one) for one in asked["values"]], "columns": [facts(one) for one in asked["columns"]]}, open("read.json", "w"))
`;

/** Profiles damaged files; whatever is not a \`DataError\` is a fault. */
const DAMAGED = `
import sys, json, time
sys.path.insert(0, ".hyperagent")
from data_profile import profile_file
faults = []
for number, text in enumerate(json.load(open("asked.json"))):
    path = "damaged-%d%s" % (number, text["ending"])
    with open(path, "wb") as file:
        file.write(bytes.fromhex(text["hex"]))
    found = profile_file(path, time.monotonic() + 60)
    json.dumps(found)
    if found.get("error", {}).get("code") == "unreadable":
        faults.append([path, found["error"]["message"], text["hex"][:80]])
json.dump(faults, open("read.json", "w"))
`;

async function inSandbox(program: string, asked: unknown): Promise<unknown> {
  const bench = await sandboxBench({
    provider: (dir) => new BubblewrapProvider(providerParts(dir)),
  });
  onTestFinished(() => bench[Symbol.asyncDispose]());
  const { workspace } = bench.sandbox;
  for (const name of [...MODULES, ...MORE]) {
    await workspace.write(`.hyperagent/${name}.py`, readFileSync(`resources/sandbox/${name}.py`));
  }
  await workspace.write('asked.json', JSON.stringify(asked));
  const done = await bench.call('execute_code', { language: 'python', code: program });
  expect([done.status, done.content]).toEqual(['ok', expect.stringContaining('exit code 0')]);
  const { data } = await workspace.read('read.json', 64 * 1024 * 1024);
  return JSON.parse(data.toString());
}

const readValues = async (values: readonly string[], columns: readonly (readonly string[])[]) =>
  (await inSandbox(READ, { values, columns })) as {
    readonly values: readonly Reading[];
    readonly columns: readonly ColumnFacts[];
  };

describe.skipIf(!osSandboxReady)(`every reading that fits${osSandboxNote}`, () => {
  test('numbers: a notation is a reading exactly where it writes the text', async () => {
    const texts = sample(NUMBER, 3_000);
    const { values } = await readValues(texts, []);
    const wrong = texts.flatMap((text, place) => {
      const { point, comma, kind } = values[place] as Reading;
      const expected = [numberIn(text, '.', ','), numberIn(text, ',', '.')];
      const isRight =
        same(point, expected[0] ?? null) &&
        same(comma, expected[1] ?? null) &&
        (kind === 'number') === expected.some((one) => one !== null);
      return isRight ? [] : [{ text, point, comma, kind, expected }];
    });
    expect(wrong).toEqual([]);
    // Enough of the kind that matters.
    expect(
      values.filter(({ point, comma }) => point !== null && comma !== null && point !== comma)
        .length,
    ).toBeGreaterThan(300);
  });

  test('dates: an order is a reading exactly where it makes a day', async () => {
    const texts = sample(DATE, 3_000);
    const { values } = await readValues(texts, []);
    const wrong = texts.flatMap((text, place) => {
      const { kind, readings, day } = values[place] as Reading;
      const expected = daysIn(text);
      const days = new Set(Object.values(expected));
      const only = days.size === 1 ? [...days][0] : null;
      const isRight =
        days.size === 0
          ? kind === 'text'
          : JSON.stringify(sorted(readings)) === JSON.stringify(sorted(expected)) && day === only;
      return isRight ? [] : [{ text, kind, readings, day, expected }];
    });
    expect(wrong).toEqual([]);
  });

  test('columns: what fits several readings is stated with each of them, and nothing else is', async () => {
    const dates = sample(fc.array(DATE, { minLength: 1, maxLength: 5 }), 1_000);
    const numbers = sample(fc.array(NUMBER, { minLength: 1, maxLength: 5 }), 1_000);
    const { columns } = await readValues([], [...dates, ...numbers]);
    const wrong: unknown[] = [];
    for (const [place, column] of dates.entries()) {
      const facts = columns[place] as ColumnFacts;
      const days = column.map(daysIn).filter((one) => Object.keys(one).length > 0);
      const isUnsure = days.some((one) => new Set(Object.values(one)).size > 1);
      const fitting = ORDERS.filter((order) => days.every((one) => order in one));
      // The notation with points and four digits has its day first, where that fits.
      const isDotted = column
        .filter((text) => Object.keys(daysIn(text)).length > 0)
        .every((text) => /^\d+\.\d+\.\d{4}$/.test(text));
      const stated =
        fitting.length === 0 ? ORDERS.filter((order) => days.some((one) => order in one)) : fitting;
      const mustState =
        isUnsure && !(fitting.length === 1 || (isDotted && fitting.includes('day first')));
      const found = facts.date_readings?.map(({ order }) => order);
      if (JSON.stringify(found) !== (mustState ? JSON.stringify(stated) : undefined)) {
        wrong.push({ column, found, stated, mustState });
      }
    }
    for (const [at, column] of numbers.entries()) {
      const facts = columns[dates.length + at] as ColumnFacts;
      const read = column.map(
        (text) => [numberIn(text, '.', ','), numberIn(text, ',', '.')] as const,
      );
      const both = read.filter(
        ([point, comma]) => point !== null && comma !== null && point !== comma,
      );
      const points = read.filter(([point, comma]) => point !== null && comma === null).length;
      const commas = read.filter(([point, comma]) => point === null && comma !== null).length;
      const mustState = both.length > 0 && points > 0 === commas > 0;
      if ((facts.numbers_unsure?.count ?? 0) !== (mustState ? both.length : 0)) {
        wrong.push({ column, facts, mustState });
      }
      if (mustState && points + commas === 0) {
        const sums = [0, 1].map((side) => read.reduce((all, one) => all + (one[side] ?? 0), 0));
        const given = [facts.sum ?? 0, facts.numbers_unsure?.sum ?? 0];
        if (!given.every((one, side) => close(one, sums[side] ?? 0)))
          wrong.push({ column, sums, given });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('offsets: the minutes that are written, or no time at all', async () => {
    const written = sample(
      fc.record({
        sign: fc.constantFrom('+', '-'),
        hours: fc.integer({ min: 0, max: 20 }),
        minutes: fc.integer({ min: 0, max: 70 }),
        form: fc.constantFrom('colon', 'plain', 'hours', 'utc'),
      }),
      500,
    );
    const two = (number: number): string => String(number).padStart(2, '0');
    const texts = written.map(({ sign, hours, minutes, form }) => {
      const zone = {
        colon: `${sign}${two(hours)}:${two(minutes)}`,
        plain: `${sign}${two(hours)}${two(minutes)}`,
        hours: `${sign}${two(hours)}`,
        utc: ` UTC${sign}${hours}`,
      }[form];
      return `2026-03-05 10:30${zone}`;
    });
    const { values } = await readValues(texts, []);
    const expected = written.map(({ sign, hours, minutes, form }) => {
      const rest = form === 'colon' || form === 'plain' ? minutes : 0;
      if (hours > 14 || rest > 59) return null;
      return (hours * 60 + rest) * (sign === '-' ? -1 : 1) + 0;
    });
    expect(values.map(({ offset }) => (offset === null ? null : offset + 0))).toEqual(expected);
  });

  test('damaged files end in a sentence, never in a fault of the reader', async () => {
    const whole = [
      'name;n;day\nZürich;1.234;03/04/2026 10:30+02:00\nKöln;0,5;02/02/26\n',
      '{"a": [1, 2], "b": {"c": null}}\n{"a": "\\u00e4"}\n',
      `\ufeffa\tb\n"x\ny"\t1\n`,
    ];
    const damaged = sample(
      fc.record({
        text: fc.constantFrom(...whole),
        ending: fc.constantFrom('.csv', '.tsv', '.json', '.jsonl', '.csv.gz', '.xlsx', '.sqlite'),
        at: fc.nat({ max: 60 }),
        piece: fc.uint8Array({ maxLength: 12 }),
        head: fc.constantFrom('', '1f8b', '1f8b0800', 'fffe', 'feff', 'efbbbf', '504b0304'),
      }),
      400,
    ).map(({ text, ending, at, piece, head }) => {
      const bytes = Buffer.from(text);
      const parts = [Buffer.from(head, 'hex'), bytes.subarray(0, at), piece, bytes.subarray(at)];
      return { ending, hex: Buffer.concat(parts).toString('hex') };
    });
    expect(await inSandbox(DAMAGED, damaged)).toEqual([]);
  });
});

/** Digits with separators: what people write, and what only looks like it. */
const NUMBER = fc
  .record({
    sign: fc.constantFrom('', '', '', '-', '+'),
    groups: fc.array(fc.stringMatching(/^\d{1,4}$/), { minLength: 1, maxLength: 3 }),
    group: fc.constantFrom('', ',', '.'),
    mark: fc.constantFrom('', '.', ','),
    part: fc.stringMatching(/^\d{1,4}$/),
    shape: fc.constantFrom('plain', 'three', 'three', 'three', 'exponent'),
  })
  .map(({ sign, groups, group, mark, part, shape }) => {
    const whole = (
      shape === 'three'
        ? groups.map((one, at) => (at === 0 ? one.slice(0, 3) : one.padStart(3, '7').slice(0, 3)))
        : groups
    ).join(group);
    const digits = shape === 'three' ? part.padEnd(3, '5').slice(0, 3) : part;
    return `${sign}${whole}${mark === '' ? '' : mark + digits}${shape === 'exponent' ? 'e3' : ''}`;
  });

const DATE = fc
  .record({
    parts: fc.tuple(fc.integer({ min: 0, max: 34 }), fc.integer({ min: 0, max: 14 })),
    small: fc.integer({ min: 1, max: 12 }),
    isSmall: fc.boolean(),
    swapped: fc.boolean(),
    sign: fc.constantFrom('/', '-', '.'),
    year: fc.oneof(fc.integer({ min: 1970, max: 2069 }), fc.integer({ min: 0, max: 99 })),
    padded: fc.boolean(),
  })
  .map(({ parts: [one, other], small, isSmall, swapped, sign, year, padded }) => {
    const pair = isSmall ? [small, other] : [one, other];
    if (swapped) pair.reverse();
    const shown = pair.map((part) => (padded ? String(part).padStart(2, '0') : String(part)));
    return [...shown, String(year).padStart(2, '0')].join(sign);
  });

function sample<Value>(from: fc.Arbitrary<Value>, count: number): Value[] {
  return fc.sample(from, { seed: SEED, numRuns: count });
}

/** The number that this notation writes so; by writing it back, where the product parses. */
function numberIn(text: string, mark: string, group: string): number | null {
  const [, sign = '', body = '', exponent = ''] = /^([+-]?)([\d.,]+)(e3)?$/.exec(text) ?? [];
  const [whole = '', part, ...more] = body.split(mark);
  if (body === '' || more.length > 0 || part?.includes(group)) return null;
  const digits = whole.split(group).join('');
  if (!/^\d+$/.test(digits)) return null;
  const backwards = [...digits].reverse().join('');
  const grouped = [...(backwards.match(/.{1,3}/g)?.join(group) ?? '')].reverse().join('');
  const isGrouped = whole !== digits;
  if (isGrouped && (whole !== grouped || digits.startsWith('0') || exponent !== '')) return null;
  return Number(`${sign}${digits}.${part === undefined || part === '' ? '0' : part}${exponent}`);
}

/** The day in each order that makes one, by the calendar of JavaScript. */
function daysIn(text: string): Partial<Record<Order, string>> {
  const [first = '', second = '', last = ''] = text.split(/[/.-]/);
  const found: Partial<Record<Order, string>> = {};
  const put = (order: Order, [year, month, day]: readonly [string, string, string]): void => {
    const full =
      year.length === 4 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900);
    const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)));
    const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
    if (isReal && Number(month) > 0) found[order] = date.toISOString().slice(0, 10);
  };
  put('day first', [last, second, first]);
  put('month first', [last, first, second]);
  if (first.length === 2 && last.length === 2) put('year first', [first, second, last]);
  return found;
}

function sorted(readings: object): readonly unknown[] {
  return Object.entries(readings).sort(([one], [other]) => (one < other ? -1 : 1));
}

const close = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));

const same = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one === other : close(one, other);
