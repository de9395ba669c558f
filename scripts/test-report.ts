import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './build-state.ts';

/** The part of vitest's JSON report that is read here. */
interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      /** Also those of a first try that failed where the second did not. */
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Every suite with tests that were skipped, and how many. */
  readonly skippedSuites: ReadonlyMap<string, number>;
  /** Tests that passed at their second try only. */
  readonly secondTries: readonly string[];
}

/** Counts from vitest's JSON report. A file that could not even be loaded counts as one failure. */
export function readCounts(file: string): TestCounts {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JsonReport;
  let passed = 0;
  let failed = 0;
  const skippedSuites = new Map<string, number>();
  const secondTries: string[] = [];
  for (const { name, status, assertionResults } of testResults) {
    if (status === 'failed' && assertionResults.length === 0) failed += 1;
    for (const test of assertionResults) {
      const titles = test.ancestorTitles.filter((title) => title !== '');
      if (test.status === 'passed') {
        passed += 1;
        if ((test.failureMessages?.length ?? 0) > 0) {
          secondTries.push([relative(ROOT, name), ...titles, test.title].join(' › '));
        }
      } else if (test.status === 'failed') failed += 1;
      else {
        const suite = `${relative(ROOT, name)} › ${titles.join(' › ') || test.title}`;
        skippedSuites.set(suite, (skippedSuites.get(suite) ?? 0) + 1);
      }
    }
  }
  const skipped = [...skippedSuites.values()].reduce((sum, count) => sum + count, 0);
  return { passed, failed, skipped, skippedSuites, secondTries };
}
