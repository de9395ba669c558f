import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../build-state.ts';
import type { TestResults } from './results-reporter.ts';

/** How names of tests and suites introduce the reason why they are skipped. */
const WHY = /\((?:skipped|not run): /;

export interface TestCounts {
  readonly passed: number;
  readonly skipped: number;
  /** One line per failed test and per error outside of tests, with the first line of the error. */
  readonly failures: readonly string[];
  /** Number of skipped tests, by suite if it states a reason, otherwise by test. */
  readonly skippedSuites: ReadonlyMap<string, number>;
}

export const NO_COUNTS: TestCounts = {
  passed: 0,
  skipped: 0,
  failures: [],
  skippedSuites: new Map(),
};

/** The sum of several reports. */
export function addCounts(parts: readonly TestCounts[]): TestCounts {
  return {
    passed: parts.reduce((all, { passed }) => all + passed, 0),
    skipped: parts.reduce((all, { skipped }) => all + skipped, 0),
    failures: parts.flatMap(({ failures }) => failures),
    skippedSuites: new Map(parts.flatMap(({ skippedSuites }) => [...skippedSuites])),
  };
}

function firstLine(error: string | undefined): string {
  return (
    stripVTControlCharacters(error ?? '')
      .trim()
      .split('\n')[0] ?? ''
  );
}

/** Counts from what `results-reporter.ts` wrote. Errors outside of tests count as failures. */
export function readCounts(file: string): TestCounts {
  const { tests, errors } = JSON.parse(readFileSync(file, 'utf8')) as TestResults;
  const failures: string[] = [];
  const skippedSuites = new Map<string, number>();
  let passed = 0;
  for (const { path, titles, state, message } of tests) {
    const whole = [relative(ROOT, path), ...titles];
    if (state === 'passed') passed += 1;
    else if (state === 'failed') failures.push(`${whole.join(' › ')}: ${firstLine(message)}`);
    else {
      // A suite with a reason stands for all its tests; other tests are listed one by one.
      const suites = whole.slice(0, -1);
      const suite = (suites.some((one) => WHY.test(one)) ? suites : whole).join(' › ');
      skippedSuites.set(suite, (skippedSuites.get(suite) ?? 0) + 1);
    }
  }
  for (const { path, message } of errors) {
    failures.push(
      `${path === null ? 'outside of tests' : relative(ROOT, path)}: ${firstLine(message)}`,
    );
  }
  const skipped = [...skippedSuites.values()].reduce((sum, count) => sum + count, 0);
  return { passed, skipped, failures, skippedSuites };
}
