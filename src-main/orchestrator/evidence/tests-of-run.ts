import type { MadeCall } from '../../agents/types.ts';
import type { Workspace } from '../../sandbox/types.ts';
import { changesOf, fileCallOf, sourceOf, tidyPath } from './program-source.ts';
import { isTestFile, readText } from './test-projects.ts';

export interface TestsOfRun {
  readonly files: Pick<Workspace, 'read'>;
  readonly calls: readonly MadeCall[];
  readonly prompt: string;
  readonly tests: readonly string[];
  /** Names of tests that were skipped. */
  readonly skipped: readonly string[];
}

export interface Doubts {
  /** What makes a report of no worth: the run itself shaped it. */
  readonly doubts: readonly string[];
  /** What the user should know, and does not speak against it. */
  readonly notes: readonly string[];
}

const PYTHON_CONFIG = /(?:^|\/)(?:pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.coveragerc)$/;
const JS_CONFIG =
  /(?:^|\/)(?:(?:vitest|vite|jest)\.config\.[cm]?[jt]s|jest\.config\.json|\.mocharc\.\w+)$/;
/** Python runs or imports these by their names alone. */
const HOOKS = /(?:^|\/)(?:conftest|sitecustomize|usercustomize)\.py$|\.pth$/;
const RUNNER_FILES =
  /node_modules\/(?:\.bin\/)?(?:vitest|jest|mocha|@vitest|@jest)\b|site-packages\/_?pytest\b/;

/** What changes outcomes in a file of hooks. */
const SHAPES_OUTCOMES =
  /pytest_(?:runtest|collection|collect|sessionfinish|sessionstart|report|configure|ignore|exception|pyfunc|cmdline|unconfigure|terminal|load)\w*|collect_ignore|os\._exit|sys\.exit|exitstatus|hookimpl|hookwrapper|pytest_plugins|\batexit\b|\bbuiltins\b|\.mark\.(?:skip|xfail)|add_marker/;
const SHAPES_IN_INI =
  /--ignore|--deselect|--collect-only|\s-[kmp]\b|["'-]-k\b|norecursedirs|testpaths|python_(?:files|functions|classes)/;
const SHAPES_IN_JS =
  /exclude|IgnorePatterns|reporters?\b|setupFiles|globalSetup|passWithNoTests|testRunner|\brunner\b|testNamePattern|allowOnly|\binclude\b|testMatch|grep|invert/;
const SKIPS =
  /\bskip(?:If|Unless|if)?\b|\bxfail\b|\btodo\b|\b(?:it|test|describe)\.only\b|\bxit\b|\bxdescribe\b|t\.Skip\b|#\[ignore/;
const ASSERTS =
  /\bassert|\bexpect\s*\(|\braises\b|\bself\.fail|\.should\b|\bt\.(?:Error|Fatal|Fail)|\brequire\.|\bpanic!|\.ok\(|\.equal\(/;
const ASKS_FOR_TESTS =
  /\b(?:write|add|create|update|change|edit|fix|extend|rewrite|adapt|adjust|improve|modify|correct|repair|migrate|generate)\b(?:\W+\w+){0,6}?\W+(?:tests?|specs?|pytest)\b|\btest[- ]driven\b|\bwith tests\b|测试(?:用例|代码)|(?:写|加|补|改|修)[^。，]{0,6}测试/i;

/** What this run did to its tests, their runner and its configuration. */
export async function doubtsAbout(run: TestsOfRun): Promise<Doubts> {
  const doubts: string[] = [];
  const notes: string[] = [];
  const { deleted, created, modified } = changedIn(run.calls);
  const changed = [...created, ...modified];
  const goneTests = deleted.filter(isTestFile);
  if (goneTests.length > 0) doubts.push(`This run deleted ${list(goneTests)}.`);
  const runners = [...changed, ...mentioned(run.calls)].filter((path) => RUNNER_FILES.test(path));
  if (runners.length > 0) doubts.push(`This run changed the test runner: ${list(runners)}.`);
  for (const path of changed) {
    if (!(HOOKS.test(path) || PYTHON_CONFIG.test(path) || JS_CONFIG.test(path))) continue;
    const text = await readText(run.files, path);
    const shapes = HOOKS.test(path)
      ? SHAPES_OUTCOMES
      : JS_CONFIG.test(path)
        ? SHAPES_IN_JS
        : SHAPES_IN_INI;
    if (shapes.test(text))
      doubts.push(`This run changed ${path}, which shapes what the tests report.`);
    else notes.push(`This run changed ${path}.`);
  }
  const changedTests = modified.filter(isTestFile);
  if (changedTests.length > 0) {
    const isAsked = ASKS_FOR_TESTS.test(run.prompt);
    (isAsked ? notes : doubts).push(`This run changed ${list(changedTests)}.`);
  }
  const ownTests = changed.filter(isTestFile);
  for (const path of ownTests) {
    const text = await readText(run.files, path);
    const plain = text.replaceAll(
      /\bassert\s+(?:True|1|not False)(?=\s*(?:$|[,#\n]))|expect\(\s{0,9}(true|1)\s{0,9}\)\.to\w{1,30}\(\s{0,9}\1?\s{0,9}\)|assert\(true\)|self\.assertTrue\(True\)/g,
      ' ',
    );
    if (text !== '' && !ASSERTS.test(plain))
      doubts.push(`${path}, which this run wrote, checks nothing.`);
  }
  if (run.skipped.length > 0) {
    const skipping: string[] = [];
    for (const path of ownTests)
      if (SKIPS.test(await readText(run.files, path))) skipping.push(path);
    const names = list(run.skipped);
    if (skipping.length > 0) doubts.push(`This run made tests skip: ${names}.`);
    else notes.push(`Skipped: ${names}.`);
  }
  const newTests = created.filter(isTestFile);
  if (newTests.length > 0) notes.push(`This run wrote ${list(newTests)}.`);
  return { doubts, notes };
}

/** By the last thing that happened to each file, and whether it was there before. */
function changedIn(
  calls: readonly MadeCall[],
): Readonly<Record<'deleted' | 'created' | 'modified', string[]>> {
  const first = new Map<string, string>();
  const last = new Map<string, string>();
  for (const call of calls) {
    for (const { path, operation } of [...changesOf(call), ...removalsIn(call)]) {
      if (!first.has(path)) first.set(path, operation);
      last.set(path, operation);
    }
  }
  const by = (keep: (begin: string, end: string) => boolean): string[] =>
    [...last].filter(([path, end]) => keep(first.get(path) ?? '', end)).map(([path]) => path);
  return {
    deleted: by((begin, end) => end === 'delete' && begin !== 'create'),
    created: by((begin, end) => end !== 'delete' && begin === 'create'),
    modified: by((begin, end) => end !== 'delete' && begin !== 'create'),
  };
}

/** Removals that a shortened result no longer names. */
function removalsIn(call: MadeCall): { path: string; operation: 'delete' }[] {
  if (call.status !== 'ok') return [];
  const named = [...sourceOf(call).matchAll(/(?:^|[;&|\s])(?:git )?rm (?:-\w+ )*([\w./-]+)/g)];
  return named.map(([, path]) => ({ path: tidyPath(path), operation: 'delete' as const }));
}

/** Paths below folders that tools fill, which changes leave out. */
function mentioned(calls: readonly MadeCall[]): string[] {
  return calls.flatMap((call) => {
    const file = fileCallOf(call);
    if (file !== null && file.operation !== 'read') return [tidyPath(file.path)];
    return [
      ...sourceOf(call).matchAll(
        /(?:>>?|\btee\b|\bcp\b[^\n;|&]{0,300}|open\(['"])\s{0,9}(?<![\w./@-])([\w./@-]*(?:node_modules|site-packages)\/[\w./@-]+)/g,
      ),
    ].map(([, path]) => path ?? '');
  });
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
