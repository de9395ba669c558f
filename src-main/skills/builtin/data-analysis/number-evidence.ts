import { numbersIn, type StatedNumber } from './numbers.ts';

/** More digits than doubles are exact to. */
const RELATIVE_ERROR = 1e-12;
const DATE = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b|\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g;

/** Numbers that programs printed, to hold what is said against. */
export class NumberEvidence {
  readonly #values: number[] = [];
  readonly #dates = new Set<string>();
  #isSorted = true;

  /** Takes in every number of a text, in each way that it may be meant. */
  add(text: string): void {
    for (const number of numbersIn(text)) this.addNumber(number);
    for (const date of datesIn(text)) this.#dates.add(date.day);
  }

  addNumber({ readings, parts }: StatedNumber): void {
    this.#values.push(...readings.map(({ value }) => value));
    for (const part of parts) this.addNumber(part);
    this.#isSorted = false;
  }

  /** The numbers and dates of a statement that nothing here rounds to, as they are written. */
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
      readings.some(({ value, tolerance }) => this.#near(value, tolerance)) ||
      (parts.length > 0 && parts.every((part) => this.#supports(part)))
    );
  }

  #near(value: number, tolerance: number): boolean {
    if (!this.#isSorted) {
      this.#values.sort((one, other) => one - other);
      this.#isSorted = true;
    }
    const reach = tolerance * (1 + 1e-9) + Math.abs(value) * RELATIVE_ERROR;
    let [from, to] = [0, this.#values.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#values[middle] ?? 0) < value - reach) from = middle + 1;
      else to = middle;
    }
    return (this.#values[from] ?? Number.POSITIVE_INFINITY) <= value + reach;
  }
}

function datesIn(text: string): { readonly day: string; readonly text: string }[] {
  return [...text.matchAll(DATE)].map(([whole, year, month, day, dayFirst, then, yearLast]) => ({
    day: [year ?? yearLast, month ?? then, day ?? dayFirst].map(Number).join('-'),
    text: whole,
  }));
}
