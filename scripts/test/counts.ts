import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../build-state.ts';

/** The part of vitest's JSON report that is used here. */
interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** Why the file could not be loaded. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** How names of tests and suites introduce the reason why they are skipped. */
const WHY = /\((?:skipped|not run): /;

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** One line per failure, with the first line of its error. */
  readonly failures: readonly string[];
  /** Number of skipped tests, by suite if it states a reason, otherwise by test. */
  readonly skippedSuites: Map<string, number>;
}

/** The sum of several reports. */
export function addCounts(parts: readonly TestCounts[]): TestCounts {
  const sum = (of: (part: TestCounts) => number): number =>
    parts.reduce((all, part) => all + of(part), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
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

/** Counts from vitest's JSON report. A file that could not even be loaded counts as one failure. */
export function readCounts(file: string): TestCounts {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JsonReport;
  let passed = 0;
  const failures: string[] = [];
  const skippedSuites = new Map<string, number>();
  for (const { name, status, message, assertionResults } of testResults) {
    const path = relative(ROOT, name);
    if (status === 'failed' && assertionResults.length === 0) {
      failures.push(`${path}: ${firstLine(message)}`);
    }
    for (const test of assertionResults) {
      const titles = test.ancestorTitles.filter((title) => title !== '');
      const whole = [...titles, test.title];
      if (test.status === 'passed') passed += 1;
      else if (test.status === 'failed') {
        failures.push(`${path} › ${whole.join(' › ')}: ${firstLine(test.failureMessages?.[0])}`);
      } else {
        // A suite with a reason stands for all its tests; other tests are listed one by one.
        const named = titles.some((title) => WHY.test(title)) ? titles : whole;
        const suite = `${path} › ${named.join(' › ')}`;
        skippedSuites.set(suite, (skippedSuites.get(suite) ?? 0) + 1);
      }
    }
  }
  const skipped = [...skippedSuites.values()].reduce((sum, count) => sum + count, 0);
  return { passed, failed: failures.length, skipped, failures, skippedSuites };
}
