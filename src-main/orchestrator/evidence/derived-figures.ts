import { numbersIn, type StatedNumber } from '../../skills/builtin/data-analysis/numbers.ts';

/** A range that a number lies in: one value for whole numbers, what rounds to it for others. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Numbers that are combined with each other; more would give almost any figure. */
const MAX_OPERANDS = 8;
/** Of a longer text, the beginning is searched for calculations. */
const READ_CHARS = 40_000;
const EQUATION =
  /(?<![\w.,])([(\d][\d.,\s()+\-−–*×·÷/^%]{0,120}?[\d)%])(?:\s?[\p{L}€$£¥]{1,8})?\s*[=＝≈]\s*(?=[-−]?[€$£¥]?\s?\d)/gu;

/** The results of the calculations that a text writes out, with `isKnown` numbers or short ones, if they are right. */
export function resultsOfEquations(text: string, isKnown: (figure: string) => boolean): string[] {
  const right: string[] = [];
  for (const found of text.slice(0, READ_CHARS).matchAll(EQUATION)) {
    const [whole, expression = ''] = found;
    const rest = text.slice(found.index + whole.length, found.index + whole.length + 40);
    const result = numbersIn(rest.replace(/^[€$£¥]\s?/, ''))[0];
    const value = resultOf(expression);
    if (result === undefined || value === null || !/[+\-−–*×·÷/^]/.test(expression)) continue;
    const operands = numbersIn(expression.replaceAll(/[+\-−–*×·÷/^()]/g, ' ; '));
    const rests = operands.every(({ text: one }) => isKnown(one) || digitsOf(one) < 3);
    const fits = result.readings.some(
      ({ from, to }) => Math.abs(value) >= from - 1e-9 && Math.abs(value) <= to + 1e-9,
    );
    if (rests && fits) right.push(result.text, ...operands.map((one) => one.text));
  }
  return right;
}

/** Whether two of the numbers, or all of them together, give the figure: sum, difference, product, ratio, growth. */
export function isDerivedFrom(figure: string, operands: readonly StatedNumber[]): boolean {
  const [claimed] = numbersIn(figure);
  if (claimed === undefined || operands.length < 2 || operands.length > MAX_OPERANDS) return false;
  const ranges = operands.flatMap(({ readings: [first] }) =>
    first === undefined || first.value < 2 ? [] : [rangeOf(first)],
  );
  const results: Range[] = [];
  for (const [i, a] of ranges.entries()) {
    for (const [j, b] of ranges.entries()) {
      if (i === j || a.from <= 0 || b.from <= 0) continue;
      results.push({ from: a.from - b.to, to: a.to - b.from });
      results.push({ from: a.from / b.to, to: a.to / b.from });
      results.push({ from: a.from / b.to - 1, to: a.to / b.from - 1 });
      if (i > j) continue;
      results.push({ from: a.from + b.from, to: a.to + b.to });
      results.push({ from: a.from * b.from, to: a.to * b.to });
    }
  }
  const sum = (key: keyof Range): number => ranges.reduce((all, one) => all + one[key], 0);
  results.push({ from: sum('from'), to: sum('to') });
  return claimed.readings.some(({ from, to }) =>
    results.some((one) => overlap(one, from, to) || overlap(negative(one), from, to)),
  );
}

/** How many lines, rows, entries and columns a text has. */
export function countsIn(text: string): number[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const items = lines.filter((line) => /^\s*(?:[-*•]|\d+[.)])\s/.test(line)).length;
  const columns = [',', ';', '\t', '|'].map((mark) => (lines[0] ?? '').split(mark).length);
  return [lines.length, lines.length - 1, items, ...columns].filter((count) => count > 0);
}

/** Rows of a table with each cell for itself: `200,1.75` is two numbers there. And times such as `1m5.2s`, in seconds. */
export function cellsOf(text: string): string {
  const rows = text
    .split('\n')
    .filter((line) => /\S,\S/.test(line) && !/,\s/.test(line.trim()))
    .map((line) => line.replaceAll(',', ' ; '));
  const times = [...text.matchAll(/\b(\d+)m(\d+(?:\.\d+)?)s\b/g)].map(
    ([, minutes, seconds]) =>
      `${minutes} min ${seconds} s ; ${Number(minutes) * 60 + Number(seconds)} s`,
  );
  return [...rows, ...times].join('\n');
}

/** What a factor adds or takes away: 1.18 is 18 % more, 0.82 is 18 % less. */
export function factorsOf({ readings: [first] }: StatedNumber): string[] {
  const value = first?.value ?? 0;
  return value > 0 && value < 2 && value !== 1 ? [String(+Math.abs(value - 1).toFixed(10))] : [];
}

const overlap = (one: Range, from: number, to: number): boolean =>
  one.from <= to + 1e-9 && one.to >= from - 1e-9;
const negative = ({ from, to }: Range): Range => ({ from: -to, to: -from });

function rangeOf({ value, from, to }: Range & { readonly value: number }): Range {
  return Number.isInteger(value) ? { from: value, to: value } : { from, to };
}

function digitsOf(text: string): number {
  return text.replaceAll(/\D/g, '').replace(/^0+|0+$/g, '').length;
}

/** The value of a written calculation; null where it cannot be read. */
function resultOf(expression: string): number | null {
  const plain = expression
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replaceAll(/(?<=\d),(?=\d)/g, '.');
  const tokens = plain.match(/\d+(?:\.\d+)?|[()+\-−–*×·÷/^%]|\S/g) ?? [];
  let at = 0;
  const level = (next: () => number, operations: Readonly<Record<string, Operation>>): number => {
    let value = next();
    for (let operation = operations[tokens[at] ?? '']; operation; ) {
      at += 1;
      value = operation(value, next());
      operation = operations[tokens[at] ?? ''];
    }
    return value;
  };
  const atom = (): number => {
    const token = tokens[at++] ?? '';
    let value = Number.NaN;
    if (token === '(') {
      value = sum();
      if (tokens[at++] !== ')') return Number.NaN;
    } else if (/^\d/.test(token)) value = Number(token);
    if (tokens[at] !== '%') return value;
    at += 1;
    return value / 100;
  };
  const power = (): number => level(atom, { '^': (a, b) => a ** b });
  const product = (): number => level(power, PRODUCTS);
  const sum = (): number => level(product, SUMS);
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}

type Operation = (a: number, b: number) => number;
const times: Operation = (a, b) => a * b;
const minus: Operation = (a, b) => a - b;
const PRODUCTS = { '*': times, '×': times, '·': times, '/': over, '÷': over };
const SUMS = { '+': (a: number, b: number) => a + b, '-': minus, '−': minus, '–': minus };

function over(a: number, b: number): number {
  return a / b;
}
