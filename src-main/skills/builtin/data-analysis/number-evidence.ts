import { numbersIn, type StatedNumber } from './numbers.ts';

/** Wider than the rounding error of doubles. */
const RELATIVE_ERROR = 1e-12;
const DATE = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b|\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g;

/** Numbers that programs printed, to check statements against. */
export class NumberEvidence {
  readonly #values: number[] = [];
  readonly #dates = new Set<string>();
  #isSorted = true;

  /** Adds every number of a text, in each way that it can be read, except those of `typed`. */
  add(text: string, typed: ReadonlySet<number> = NONE): void {
    for (const number of numbersIn(text)) {
      if (!number.readings.some(({ value }) => typed.has(value))) this.addNumber(number);
    }
    for (const date of datesIn(text)) this.#dates.add(date.day);
  }

  addNumber({ readings, parts }: StatedNumber): void {
    this.#values.push(...readings.map(({ value }) => value));
    for (const part of parts) this.addNumber(part);
    this.#isSorted = false;
  }

  /** The numbers and dates of a statement that no evidence rounds to, as they are written. */
  unsupported(statement: string): string[] {
    const missing: string[] = [];
    let rest = statement;
    if (this.#dates.size > 0) {
      for (const { day, text } of datesIn(statement)) {
        if (!this.#dates.has(day)) missing.push(text);
        rest = rest.replace(text, ' ');
      }
    }
    for (const number of numbersIn(rest)) {
      if (!this.#supports(number)) missing.push(number.text);
    }
    return [...new Set(missing)];
  }

  #supports({ readings, parts }: StatedNumber): boolean {
    return (
      readings.some(({ from, to }) => this.#between(from, to)) ||
      (parts.length > 0 && parts.every((part) => this.#supports(part)))
    );
  }

  #between(least: number, most: number): boolean {
    if (!this.#isSorted) {
      this.#values.sort((one, other) => one - other);
      this.#isSorted = true;
    }
    const slack = (most - least) * 1e-9 + Math.abs(most) * RELATIVE_ERROR;
    let [from, to] = [0, this.#values.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#values[middle] ?? 0) < least - slack) from = middle + 1;
      else to = middle;
    }
    return (this.#values[from] ?? Number.POSITIVE_INFINITY) <= most + slack;
  }
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Figures in a program's own source: printing them proves nothing. Short ones (limits, bins, shares) and
 * years belong in programs, and are left out.
 */
export function typedFigures(code: string): ReadonlySet<number> {
  const plain = code.replaceAll(/(?<=\d)_(?=\d)/g, '');
  return new Set(
    numbersIn(plain)
      .flatMap(({ readings }) => readings.map(({ value }) => value))
      .filter((value) => {
        const digits = String(value)
          .replace(/e.*$/, '')
          .replace('.', '')
          .replace(/^0+|0+$/g, '');
        const isYear = Number.isInteger(value) && value >= 1900 && value <= 2100;
        return digits.length >= TELLING_DIGITS && !isYear;
      }),
  );
}

const TELLING_DIGITS = 4;

function datesIn(text: string): { readonly day: string; readonly text: string }[] {
  return [...text.matchAll(DATE)].map(([whole, year, month, day, dayFirst, then, yearLast]) => ({
    day: [year ?? yearLast, month ?? then, day ?? dayFirst].map(Number).join('-'),
    text: whole,
  }));
}
