import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node';

/** The file of the results, for vitest's process. */
export const RESULTS_VARIABLE = 'HYPERAGENT_TEST_RESULTS';

/** What a run of vitest found. Paths are those of files, absolute. */
export interface TestResults {
  readonly tests: readonly TestResult[];
  /** Errors that belong to no test: of hooks around tests, of files that did not load or finish, and unhandled ones. */
  readonly errors: readonly { readonly path: string | null; readonly message: string }[];
}

export interface TestResult {
  readonly path: string;
  /** Those of the suites around the test, outermost first, and its own. */
  readonly titles: readonly string[];
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Of a failed test. */
  readonly message?: string;
}

/** Writes {@link TestResults} as JSON. vitest's own JSON report leaves out the errors that belong to no test. */
export default class ResultsReporter implements Reporter {
  readonly onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, unhandled) => {
    const file = process.env[RESULTS_VARIABLE];
    if (file === undefined) throw new Error(`${RESULTS_VARIABLE} is not set`);
    const results: TestResults = {
      tests: modules.flatMap(testsOf),
      errors: [
        ...modules.flatMap(errorsAroundTests),
        ...unhandled.map((error) => ({
          path: typeof error.VITEST_TEST_PATH === 'string' ? error.VITEST_TEST_PATH : null,
          message: `${error.type ?? 'Unhandled Error'}: ${withCauses(error)}`,
        })),
      ],
    };
    writeFileSync(file, JSON.stringify(results));
  };
}

function testsOf(module: TestModule): TestResult[] {
  return [...module.children.allTests()].map((test) => {
    const { state, errors } = test.result();
    return {
      path: module.moduleId,
      titles: [...titlesOf(test.parent), test.name],
      // A test that was never run has no result. Its file is then an error of its own.
      state: state === 'pending' ? 'skipped' : state,
      ...(errors?.[0] === undefined ? {} : { message: errors[0].message }),
    };
  });
}

function titlesOf(parent: TestSuite | TestModule): string[] {
  return parent.type === 'module' ? [] : [...titlesOf(parent.parent), parent.name];
}

function errorsAroundTests(module: TestModule): TestResults['errors'] {
  const { moduleId: path } = module;
  const around = [module, ...module.children.allSuites()].flatMap((one) => one.errors());
  const isUnfinished = ['queued', 'pending'].includes(module.state());
  return [
    ...around.map((error) => ({ path, message: withCauses(error) })),
    ...(isUnfinished ? [{ path, message: 'Its process ended before all tests had run' }] : []),
  ];
}

function withCauses({ name = 'Error', message, cause }: SerializedError): string {
  return `${name}: ${message}${cause === undefined ? '' : `; because of ${withCauses(cause)}`}`;
}
