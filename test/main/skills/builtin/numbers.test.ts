import { expect, test } from 'vitest';
import {
  NumberEvidence,
  typedFigures,
} from '#main/skills/builtin/data-analysis/number-evidence.ts';
import { numbersIn } from '#main/skills/builtin/data-analysis/numbers.ts';

function unsupported(printed: string, statement: string): string[] {
  const evidence = new NumberEvidence();
  evidence.add(printed);
  return evidence.unsupported(statement);
}

test.each([
  ['1234.5', 'It is 1,234.5.'],
  ['1234.5', 'Es sind 1.234,5 Euro.'],
  ['1234.5', 'It is 1 234.5 in all.'],
  ['1234.5', "It is 1'234.50."],
  ['1234567.89', 'About 1.2 million.'],
  ['1234567.89', 'It is $1.23M.'],
  ['1234567.89', '销量约为123万。'],
  ['250000000', '共2.5亿元'],
  ['1500', 'It is 1.5k.'],
  ['1500', '1.5 Tausend'],
  ['0.12345', 'A share of 12.3 %.'],
  ['0.12345', '占百分之12'],
  ['12.345 %', 'A share of 12%.'],
  ['-42.4', 'It fell by 42.'],
  ['1.23e+06', 'It is 1,230,000.'],
  ['249812', 'around 250,000'],
  ['2026-03-05 North 7', 'On 2026-03-05 there were 7.'],
  ['2026-03-05', 'Am 05.03.2026.'],
  ['North 12 345', 'North has 12 and 345.'],
  ['12,34,567', 'It is 1234567.'],
  ['3', '1. There are 3.\n2. And 3.'],
  ['1234', 'More than 1,000, and over 1,200.'],
  ['987', 'Nearly 1,000.'],
  ['1234567', '12.3 lakh'],
  ['1995', 'In the 1990s.'],
  ['1234', 'CHF 1’234.– or USD1,234'],
  ['42', 'There are forty-two of them.'],
  ['0.42', 'A share of forty-two percent.'],
  ['120300 7', 'One hundred and twenty thousand three hundred, between seven and seven.'],
  ['320 12000', '共三百二十，一万二千。'],
  ['5000', '５，０００ or ٥٠٠٠'],
  ['5', 'In Q1 and H2 sales_2026 had 5 of CO2.'],
])('%j supports %j', (printed, statement) => {
  expect(unsupported(printed, statement)).toEqual([]);
});

test.each([
  ['1234.5', 'It is 1,235.5.', ['1,235.5']],
  ['1234.5', 'It is 1234.56.', ['1234.56']],
  ['1234567', 'It is 1.3 million.', ['1.3 million']],
  ['1.2e+06', 'It is 1,234,567.', ['1,234,567']],
  ['0.12345', 'A share of 13 %.', ['13 %']],
  ['12', 'It is 12 million.', ['12 million']],
  ['249812', 'exactly 250,000', ['250,000']],
  ['2026-03-05 17', 'On 2026-03-17.', ['2026-03-17']],
  ['10 20', 'Between 10 and 30, and 40.', ['30', '40']],
  ['', 'There are 4.', ['4']],
  // Words that make a number a round one say on which side of it the figure lies, and not how far.
  ['100', 'Over 1,000.', ['1,000']],
  ['900', 'More than 1,000.', ['1,000']],
  ['1900', 'About 1,000.', ['1,000']],
  ['1100', 'Almost 1,000.', ['1,000']],
  ['500', '不到1000', ['1000']],
  ['1234567', 'About 2,000,000.', ['2,000,000']],
  ['0.6', 'Some 10 percent.', ['10 percent']],
  // However it is written.
  ['10', 'USD999,999 and EUR5000 and Rs7500', ['999,999', '5000', '7500']],
  ['10', 'There are forty-two, of two million.', ['forty-two', 'two million']],
  ['6 4', 'Between four and six, and then ten.', ['ten']],
  ['10', '共三百二十，占百分之四十。', ['三百二十', '百分之四十']],
  ['10', '５０００', ['5000']],
])('%j does not support %j', (printed, statement, missing) => {
  expect(unsupported(printed, statement)).toEqual(missing);
});

test.each([
  ['print("Total:", 48213.75)', 'Total: 48213.75', ['48,213.75']],
  ['total = 48_213\nprint(f"{total:,} EUR")', '48,213 EUR', ['48,213']],
  // Worked out, though a limit and a year stand in it.
  ['print(sum(r["v"] for r in rows if r["v"] > 5000 and r["y"] == 2024))', '48213.75 2024', []],
])('what %j was given to print is no figure of the data', (code, printed, missing) => {
  const evidence = new NumberEvidence();
  evidence.add(printed, typedFigures(code));
  const figure = missing[0] ?? '48,213.75';
  expect(evidence.unsupported(`It is ${figure}.`)).toEqual(missing);
});

test('numbers are found as they are written', () => {
  const text = 'From −5 to 1.234,5 €, 3rd of 12 %, v2, 2,5 Mio, x1 and 万.';
  expect(numbersIn(text).map((one) => one.text)).toEqual(['−5', '1.234,5', '3', '12 %', '2,5 Mio']);
});
