/** A data file as there are such, a program that a model may write for it, and what is true of it. */
export interface DataCase {
  readonly name: string;
  readonly path: string;
  readonly bytes: () => Buffer;
  readonly request: string;
  readonly program: string;
  /** Statements with figures that the test itself took from the data. */
  readonly statements: readonly string[];
  /** What the profile says of the file, at least. */
  readonly file: Readonly<Record<string, unknown>>;
  /** By table, and column: what the profile says of it, at least. */
  readonly tables: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  >;
}

/** What programs begin with that read files by the app's own module. */
export const ROWS = 'import sys; sys.path.insert(0, ".hyperagent")\nfrom data_files import rows\n';

/** Of amounts with two decimals. */
export function sum(numbers: readonly number[]): number {
  // In hundredths, so that nothing is lost on the way.
  return numbers.reduce((all, one) => all + Math.round(one * 100), 0) / 100;
}

/** Numbers that look thrown, and are the same each time. */
export function thrown(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  });
}

/** Sums of the values by their keys. */
export function totals(keys: readonly string[], values: readonly number[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [place, key] of keys.entries()) {
    found[key] = sum([found[key] ?? 0, values[place] ?? 0]);
  }
  return found;
}
