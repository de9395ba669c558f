import type { MadeCall } from '../../agents/types.ts';
import type { Workspace } from '../../sandbox/types.ts';
import {
  describeReport,
  type RunTestsInput,
  type TestReport,
} from '../../tools/definitions/run-tests.ts';
import { isCommand, sourceOf } from './program-source.ts';
import { readRecordedTests } from './recorded-tests.ts';
import type { TestClaim } from './test-claims.ts';
import { findTestProjects, type TestProject } from './test-projects.ts';
import { doubtsAbout } from './tests-of-run.ts';
import { type CheckedFact, fact, missing } from './types.ts';

/** How a run of tests by the app ended: a report, or why there is none. */
export type TestRun = { readonly report: TestReport } | { readonly problem: string };

/** Runs tests as calls of the run: logged, and under the user's approvals. */
export type RunTests = (requests: readonly RunTestsInput[]) => Promise<readonly TestRun[]>;

export interface TestContext {
  readonly files: Pick<Workspace, 'read' | 'list'>;
  /** Of the whole run, oldest first. */
  readonly calls: readonly MadeCall[];
  readonly prompt: string;
  readonly runTests: RunTests;
}

/** Projects that are run for one claim. */
const MAX_PROJECTS = 4;
/** Words in programs that run tests. */
const TESTS = /test|spec|check|assert|verify|tox\b|测试/i;

/**
 * Checks what was said about tests: the app runs them itself and reads the runner's report. What cannot be run is not
 * verified.
 */
export async function checkTests(
  claim: string,
  said: TestClaim,
  { files, calls, prompt, runTests }: TestContext,
): Promise<CheckedFact> {
  // What the agent's own run says against it needs no run by the app.
  const recorded = readRecordedTests(said, calls);
  if (recorded.verdict === 'contradicted') {
    return fact(claim, 'fails', `The last run of the tests: ${recorded.why}`);
  }
  const projects = await findTestProjects(files);
  const asked = projects.flatMap((project) => requestOf(project, said.files));
  if (projects.length === 0 || asked.length === 0) {
    const ran = calls.filter(isCommand);
    if (ran.length === 0) return missing(claim, 'No program was run.');
    if (!ran.some((call) => TESTS.test(sourceOf(call))))
      return missing(claim, 'No tests were run.');
    const problem = projects.find((one) => one.problem !== '')?.problem;
    return fact(claim, 'unknown', problem ?? 'The workspace has no tests that the app can run.');
  }
  if (asked.length > MAX_PROJECTS) {
    return fact(claim, 'unknown', `The workspace has ${asked.length} projects with tests.`);
  }
  const runs = await runTests(asked);
  const reports = runs.flatMap((run) => ('report' in run ? [run.report] : []));
  const problems = runs.flatMap((run) =>
    'problem' in run ? [run.problem] : (run.report.problem ?? []),
  );
  const shown = reports.filter(({ problem }) => problem === null);
  const described = shown.map(describeReport).join('; ');
  const wrong = contradictions(said, shown);
  if (wrong !== null) return fact(claim, 'fails', `${described}${wrong}`);
  if (problems.length === 0 && shown.every(({ passed = 0 }) => passed === 0) && said.pass) {
    return fact(claim, 'unknown', `${described}: no test ran.`);
  }
  const unrun = projects.filter(({ runner }) => runner === null).map(({ problem }) => problem);
  if (problems.length > 0 || shown.length === 0) {
    return fact(claim, 'unknown', [described, ...problems].filter((one) => one !== '').join('; '));
  }
  const { doubts, notes } = await doubtsAbout({
    files,
    calls,
    prompt,
    tests: projects.flatMap(({ tests }) => tests),
    skipped: shown.flatMap((report) => report.left_out),
  });
  const about = [...shown.flatMap((report) => report.notes), ...notes];
  const all = [...doubts, ...(said.files.length > 0 ? [] : unrun)];
  const evidence = [`${described}.`, ...all, ...about].join(' ');
  return fact(claim, all.length === 0 ? 'holds' : 'unknown', evidence);
}

function requestOf(
  { runner, folder, tests }: TestProject,
  named: readonly string[],
): RunTestsInput[] {
  if (runner === null) return [];
  const wanted = tests.filter((test) =>
    named.some((name) => test === name || test.endsWith(`/${name}`)),
  );
  if (named.length > 0 && wanted.length === 0) return [];
  // unittest gets its files; the other runners find them.
  const files =
    named.length > 0 || runner === 'unittest' ? (wanted.length > 0 ? wanted : [...tests]) : [];
  return [{ runner, folder, files: files.slice(0, 200) }];
}

/** What the reports say against the claim; null if nothing. */
function contradictions(said: TestClaim, reports: readonly TestReport[]): string | null {
  const sum = (key: 'passed' | 'failed' | 'errors' | 'skipped'): number =>
    reports.reduce((total, report) => total + (report[key] ?? 0), 0);
  if (reports.length === 0) return null;
  const [passed, failed] = [sum('passed'), sum('failed') + sum('errors')];
  const failing = reports.flatMap((report) => report.failing).slice(0, 5);
  // Nothing ran, so nothing was shown either way.
  if (passed === 0 && failed === 0) return null;
  if (said.pass && failed > 0) return `. Failing: ${failing.join(', ')}`;
  if (said.pass && reports.some(({ exit_code: code }) => code !== 0)) return '. It failed';
  if (said.passed !== null && said.passed !== passed) return `, not ${said.passed} passed`;
  if (said.failed !== null && said.failed !== failed) return `, not ${said.failed} failed`;
  return null;
}
