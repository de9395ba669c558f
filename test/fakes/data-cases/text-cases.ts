import { type DataCase, ROWS, sum, thrown, totals } from './data-case.ts';

export function withBom(): DataCase {
  const cities = thrown(60, 1).map((one) => ['Köln', 'Zürich', 'Łódź'][Math.floor(one * 3)] ?? '');
  const amounts = thrown(60, 2).map((one, row) =>
    row % 10 === 3 ? null : Math.round(one * 1e5) / 100,
  );
  const known = amounts.filter((one) => one !== null);
  const lines = cities.map((city, row) => `${row + 1},${city},${amounts[row]?.toFixed(2) ?? ''}`);
  const byCity = totals(
    cities,
    amounts.map((one) => one ?? 0),
  );
  return {
    name: 'utf-8 with a byte order mark',
    path: 'sales.csv',
    bytes: () => Buffer.from(`\ufeffid,city,amount\r\n${lines.join('\r\n')}\r\n`),
    request: 'Total the amounts by city.',
    program: `${ROWS}totals = {}\nfor row in rows("sales.csv"):\n    totals[row["city"]] = totals.get(row["city"], 0) + (row["amount"] or 0)\nfor city, total in totals.items():\n    print(f"{city}: {total:,.2f}")\n`,
    statements: Object.entries(byCity).map(
      ([city, total]) => `${city} sold ${total.toLocaleString('en')}.`,
    ),
    file: { encoding: 'utf-8-sig', bom: true, broken_bytes: 0, delimiter: ',' },
    tables: {
      '': {
        id: { type: 'integer', missing: 0, distinct: 60, min: 1, max: 60 },
        amount: { type: 'number', missing: 6, sum: sum(known), max: Math.max(...known) },
      },
    },
  };
}

export function german(): DataCase {
  const amounts = thrown(40, 3).map((one) => Math.round(one * 900_000) / 100 + 1000);
  const lines = amounts.map((one, row) => {
    const day = `${String((row % 28) + 1).padStart(2, '0')}.03.2026`;
    return `${day};Müller & Söhne;${one.toLocaleString('de-DE', { minimumFractionDigits: 2 })}`;
  });
  const mean = sum(amounts) / amounts.length;
  return {
    name: 'latin-1 with semicolons and decimal commas',
    path: 'umsätze.csv',
    bytes: () => Buffer.from(`Datum;Kunde;Betrag\n${lines.join('\n')}\n`, 'latin1'),
    request: 'Wie hoch ist der mittlere Betrag?',
    program: `${ROWS}amounts = [row["Betrag"] for row in rows("umsätze.csv")]\nprint("Mittel", sum(amounts) / len(amounts), "Summe", round(sum(amounts), 2))\n`,
    statements: [
      `Der mittlere Betrag ist ${mean.toLocaleString('de-DE', { maximumFractionDigits: 2 })} €.`,
      `Zusammen sind es ${(sum(amounts) / 1000).toLocaleString('de-DE', { maximumFractionDigits: 1 })} Tausend.`,
    ],
    file: { encoding: 'latin-1', certain: false, delimiter: ';' },
    tables: {
      '': {
        Datum: { type: 'date', first_date: '2026-03-01', last_date: '2026-03-28' },
        Betrag: { type: 'number', decimal: ',', sum: sum(amounts), min: Math.min(...amounts) },
      },
    },
  };
}

/** 城市,销量 with 北京 and 上海, in GB 18030: the characters by their codes. */
export function chinese(): DataCase {
  const codes: Readonly<Record<string, string>> = {
    城: 'b3c7',
    市: 'cad0',
    销: 'cffa',
    量: 'c1bf',
    北: 'b1b1',
    京: 'bea9',
    上: 'c9cf',
    海: 'baa3',
  };
  const encode = (text: string): Buffer =>
    Buffer.concat(
      [...text].map((one) =>
        codes[one] === undefined ? Buffer.from(one) : Buffer.from(codes[one], 'hex'),
      ),
    );
  const amounts = thrown(50, 4).map((one) => Math.floor(one * 90_000) + 10_000);
  const lines = amounts.map((one, row) => `${row % 2 === 0 ? '北京' : '上海'},${one}`);
  const total = sum(amounts);
  return {
    name: 'gb18030',
    path: 'sales-cn.csv',
    bytes: () => encode(`城市,销量\n${lines.join('\n')}\n`),
    request: '总销量是多少？',
    program: `${ROWS}print("总销量", sum(row["销量"] for row in rows("sales-cn.csv")))\n`,
    statements: [`总销量为${(total / 1e4).toFixed(2)}万，共${amounts.length}行。`],
    file: { encoding: 'gb18030', broken_bytes: 0 },
    tables: {
      '': {
        城市: { type: 'text', distinct: 2, missing: 0 },
        销量: { type: 'integer', sum: total, mean: total / amounts.length },
      },
    },
  };
}

export function broken(): DataCase {
  const amounts = thrown(300, 5).map((one) => Math.floor(one * 1000));
  const lines = amounts.map((one, row) =>
    row === 149 || row === 150
      ? Buffer.concat([
          Buffer.from(`${row},Gr`),
          Buffer.from([0xff, 0xfe, 0xc3]),
          Buffer.from(`e,${one}\n`),
        ])
      : Buffer.from(`${row},Größe ${row % 7},${one}\n`),
  );
  const mean = sum(amounts) / amounts.length;
  return {
    name: 'broken bytes in the middle',
    path: 'broken.csv',
    bytes: () => Buffer.concat([Buffer.from('id,label,value\n'), ...lines]),
    request: 'What is the mean of value?',
    program: `${ROWS}values = [row["value"] for row in rows("broken.csv")]\nprint(len(values), "rows, mean", round(sum(values) / len(values), 3))\n`,
    statements: [`The mean of all ${amounts.length} rows is ${mean.toFixed(2)}.`],
    file: { encoding: 'utf-8', certain: true, broken_bytes: 6, broken_lines: [151, 152] },
    tables: {
      '': {
        value: { type: 'integer', sum: sum(amounts), missing: 0 },
        label: { type: 'text', broken_values: 2, distinct: 8 },
      },
    },
  };
}

export function million(): DataCase {
  const count = 1_000_000;
  const units = (row: number): number => (row * 7919) % 500;
  const cents = (row: number): number => (row * 104_729) % 1_000_000;
  let [all, west, cash] = [0, 0, 0];
  for (let row = 0; row < count; row += 1) {
    all += units(row);
    if (row % 4 === 3) west += units(row);
    cash += cents(row);
  }
  const share = (west / all) * 100;
  return {
    name: 'a million rows',
    path: 'big.csv',
    bytes: () => {
      const lines = ['id,region,units,price'];
      for (let row = 0; row < count; row += 1) {
        const region = ['North', 'South', 'East', 'West'][row % 4];
        lines.push(`${row},${region},${units(row)},${(cents(row) / 100).toFixed(2)}`);
      }
      return Buffer.from(`${lines.join('\n')}\n`);
    },
    request: 'Which share of the units goes to the West?',
    program: `${ROWS}total = west = 0\nfor row in rows("big.csv"):\n    total += row["units"]\n    if row["region"] == "West":\n        west += row["units"]\nprint("West", west, "of", total, "=", round(100 * west / total, 3), "%")\n`,
    statements: [
      `The West has ${share.toFixed(1)} % of ${(all / 1e6).toFixed(1)} million units.`,
      `That is ${west.toLocaleString('en')} units of ${count.toLocaleString('en')} orders.`,
    ],
    file: { encoding: 'utf-8', delimiter: ',' },
    tables: {
      '': {
        id: { type: 'integer', distinct_is_minimum: true, max: count - 1 },
        region: { type: 'text', distinct: 4, top: expectCounts(count / 4) },
        units: { type: 'integer', sum: all, mean: all / count, missing: 0 },
        price: { type: 'number', sum: cash / 100 },
      },
    },
  };
}

function expectCounts(count: number) {
  return ['North', 'South', 'East', 'West'].map((value) => ({ value, count }));
}

export function wide(): DataCase {
  const points = [3, -4, 12];
  return {
    name: 'utf-16 with tabs, titles above the header, and a total below',
    path: 'export.tsv',
    bytes: () =>
      Buffer.from(
        `\ufeffExport of 2026\n\nstation\tpoints\nA\t3\nB\t-4\nC\t12\nTotal\t11\n`,
        'utf16le',
      ),
    request: 'Which station has the most points?',
    program: `${ROWS}best = max((row for row in rows("export.tsv") if row["station"] != "Total"), key=lambda row: row["points"])\nprint(best)\n`,
    statements: [`C has ${Math.max(...points)} points.`, 'B lost 4.'],
    file: { encoding: 'utf-16', bom: true, delimiter: '\t' },
    tables: { '': { points: { type: 'integer', min: -4, max: 12, sum: 22 } } },
  };
}
