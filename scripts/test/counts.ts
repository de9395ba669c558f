import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from '../build-state.ts';

/** The part of vitest's JSON report that is read here. */
interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** How names of tests and suites begin the reason why they are skipped. */
const WHY = /\((?:skipped|not run): /;

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** What was skipped, and how many tests that are: suites that say why, and tests of others. */
  readonly skippedSuites: Map<string, number>;
}

/** The counts of several reports together. */
export function addCounts(parts: readonly TestCounts[]): TestCounts {
  const sum = (of: (part: TestCounts) => number): number =>
    parts.reduce((all, part) => all + of(part), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    skippedSuites: new Map(parts.flatMap(({ skippedSuites }) => [...skippedSuites])),
  };
}

/** Counts from vitest's JSON report. A file that could not even be loaded counts as one failure. */
export function readCounts(file: string): TestCounts {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JsonReport;
  let passed = 0;
  let failed = 0;
  const skippedSuites = new Map<string, number>();
  for (const { name, status, assertionResults } of testResults) {
    if (status === 'failed' && assertionResults.length === 0) failed += 1;
    for (const test of assertionResults) {
      if (test.status === 'passed') passed += 1;
      else if (test.status === 'failed') failed += 1;
      else {
        const titles = test.ancestorTitles.filter((title) => title !== '');
        // A suite that says why it is skipped speaks for all of its tests; others are named one by one.
        const named = titles.some((title) => WHY.test(title)) ? titles : [...titles, test.title];
        const suite = `${relative(ROOT, name)} › ${named.join(' › ')}`;
        skippedSuites.set(suite, (skippedSuites.get(suite) ?? 0) + 1);
      }
    }
  }
  const skipped = [...skippedSuites.values()].reduce((sum, count) => sum + count, 0);
  return { passed, failed, skipped, skippedSuites };
}
