import { stripVTControlCharacters } from 'node:util';
import type { MadeCall } from '../../agents/types.ts';
import {
  changesOf,
  fileCallOf,
  isCommand,
  isShell,
  printedBy,
  sourceOf,
} from './program-source.ts';
import { type ShellCommand, shellCommands } from './shell-commands.ts';
import type { TestClaim } from './test-claims.ts';
import { isTestFile } from './test-projects.ts';

/** How the skipped tests count: what was not run passes no claim of all. */
const SKIPPED_UNSAID = 'Some tests were skipped.';

export interface RecordedTests {
  readonly verdict: 'shown' | 'contradicted' | 'not shown';
  readonly why: string;
}

interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface RunnerCall {
  readonly call: MadeCall;
  readonly at: number;
  /** Its own exit code is that of the call. */
  readonly decides: boolean;
  /** Something ignores its failure on purpose. */
  readonly isForgiven: boolean;
  /** It was given files or names of tests. */
  readonly isNarrowed: boolean;
  /** What it was given, as text. */
  readonly given: string;
}

const RUNNER_IN_CODE =
  /pytest|unittest|npm['", ]{1,9}test|jest|vitest|go['", ]{1,9}test|cargo['", ]{1,9}test/;
const NAMES = /^(?:pytest|py\.test|vitest|jest|mocha|tox|nose2)$/;

/** What the agent's own runs of tests say. They can contradict a claim; only the app's run shows one. */
export function readRecordedTests(said: TestClaim, calls: readonly MadeCall[]): RecordedTests {
  const notShown = (why: string): RecordedTests => ({ verdict: 'not shown', why });
  const run = calls.flatMap((call, at) => runnerCall(call, at) ?? []).at(-1);
  if (run === undefined) return notShown('No test runner was run.');
  const fake = fakeRunner(calls.slice(0, run.at + 1));
  if (fake !== null) return notShown(fake);
  if (calls.slice(run.at + 1).some(changesFiles))
    return notShown('Files were changed after the tests.');
  const printed = printedBy(run.call);
  const summary = summaryIn(printed);
  const failed = run.call.status !== 'ok';
  if (said.pass) {
    if ((summary?.failed ?? 0) > 0) return contradicted(`${summary?.failed} failed.`);
    if (
      /no tests (?:ran|found|collected)|collected 0 items|Ran 0 tests|No test files|\[no test files\]|no tests to run/i.test(
        printed,
      )
    ) {
      return notShown('No test ran.');
    }
    if (failed && run.decides) return contradicted('The runner failed.');
  }
  if (summary === null) {
    return run.decides && !failed && said.passed === null && said.pass && !run.isNarrowed
      ? shown('The runner ended without error.')
      : notShown('The summary of the runner is not in the output.');
  }
  if (said.pass && summary.passed === 0) return notShown('No test ran.');
  if (said.failed !== null && said.failed !== summary.failed)
    return contradicted(`${summary.failed} failed.`);
  if (said.passed !== null && said.passed !== summary.passed)
    return contradicted(`${summary.passed} passed.`);
  if (run.isForgiven) return notShown('What follows the runner hides its exit code.');
  if (run.isNarrowed && said.pass && !namesPart(said, run.given))
    return notShown('Only some of the tests were run.');
  if (said.pass && shapedBy(calls.slice(0, run.at)))
    return notShown('The run itself changed what is tested.');
  if (summary.skipped > 0 && said.pass && !said.tellsSkipped) return notShown(SKIPPED_UNSAID);
  return shown(`${summary.passed} passed, ${summary.failed} failed.`);
}

const shown = (why: string): RecordedTests => ({ verdict: 'shown', why });
const contradicted = (why: string): RecordedTests => ({ verdict: 'contradicted', why });

/** Whether the claim is about the part of the tests that was run. */
function namesPart({ words, files }: TestClaim, given: string): boolean {
  if (files.length > 0) return true;
  const parts = given.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return parts.some(
    (part) =>
      !/^(?:tests?|specs?|pytest|unittest|discover|src|run)$/.test(part) && words.includes(part),
  );
}

function runnerCall(call: MadeCall, at: number): RunnerCall[] | null {
  if (!isCommand(call)) return null;
  const source = sourceOf(call);
  if (!isShell(call)) {
    const startAt = source.search(/subprocess|os\.system|run_command|execSync|spawnSync/);
    if (startAt < 0 || !RUNNER_IN_CODE.test(source.slice(startAt))) return null;
    const decides = /check\s*=\s*True|check_call|check_output|sys\.exit|execSync/.test(source);
    return [
      {
        call,
        at,
        decides,
        isForgiven: false,
        isNarrowed: /test_\w+\.py|::|-k\b/.test(source),
        given: source,
      },
    ];
  }
  const found = shellCommands(source).find(isRunner);
  if (found === undefined) return null;
  const rest = found.words.slice(1).filter((word) => !/^\d?[<>]/.test(word));
  const isNarrowed =
    rest.some((word) =>
      /\.(?:py|[cm]?[jt]sx?)(?:::|$)|::|^-(?:k|t|m|run)$|^--(?:testNamePattern|grep|lf|deselect|ignore)/.test(
        word,
      ),
    ) && !/^-m$/.test(rest[0] ?? '');
  return [
    {
      ...{
        call,
        at,
        isNarrowed:
          isNarrowed ||
          (found.words[0] === 'go' && rest.some((word) => /^\.\/(?!\.\.\.)/.test(word))) ||
          (rest[0] === '-m' && rest.slice(2).some((word) => /\.py|::|^-k$|^\w+\.\w+/.test(word))),
      },
      given: rest.join(' '),
      decides: found.exitCode === 'decides',
      isForgiven: found.exitCode !== 'decides' && /\|\|/.test(source),
    },
  ];
}

function isRunner({ words: [name = '', first = '', second = ''] }: ShellCommand): boolean {
  const plain = name.replace(/^(?:\.\/)?node_modules\/\.bin\//, '');
  if (NAMES.test(plain)) return true;
  if (/^python[\d.]*$/.test(name)) return first === '-m' && /^(?:pytest|unittest)$/.test(second);
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name))
    return /^(?:test|t)$/.test(first) || (first === 'run' && /^test/.test(second));
  if (name === 'node') return [first, second].includes('--test');
  if (name === 'make') return /^(?:test|check)/.test(first);
  if (/^(?:go|cargo|deno)$/.test(name)) return first === 'test';
  return /^(?:uv|poetry|pipenv|bundle)$/.test(name) && first === 'run' && NAMES.test(second);
}

/** Why the runner may not be the real one; null if nothing speaks for that. */
function fakeRunner(calls: readonly MadeCall[]): string | null {
  for (const call of calls) {
    const source = sourceOf(call);
    if (
      /\b(?:function\s+)?(?:pytest|python3?|npm|npx|node|jest|vitest|go|cargo)\s*\(\)|\balias\s+\w+=|\bPATH=/.test(
        source,
      )
    ) {
      return 'The shell was given another runner.';
    }
    const written = [...changesOf(call).map(({ path }) => path), ...writtenIn(source)];
    const posing = written.find((path) =>
      /(?:^|\/)(?:pytest|unittest|jest|vitest|mocha|npm|go|cargo|sitecustomize|conftest)(?:\.py|\.js|\.sh)?$|node_modules\/|(?:^|\/)package\.json$|pytest\.ini$/.test(
        path,
      ),
    );
    if (posing !== undefined) return `The run wrote ${posing}.`;
  }
  return null;
}

/** Files that a shell program writes, by its text. */
function writtenIn(source: string): string[] {
  return [
    ...source.matchAll(
      /(?:>>?\s*|\btee (?:-a )?|\bsed -i\S{0,99} [^\n;&|]{0,300} |open\(['"])([\w./-]+)/g,
    ),
  ]
    .map(([, path]) => path ?? '')
    .filter((path) => !/^\/dev\//.test(path));
}

function changesFiles(call: MadeCall): boolean {
  if (call.status !== 'ok') return false;
  return (
    changesOf(call).length > 0 ||
    writtenIn(sourceOf(call)).length > 0 ||
    /\b(?:git (?:checkout|stash|reset|apply)|patch|mv|rm|cp)\b/.test(
      isShell(call) ? sourceOf(call) : '',
    )
  );
}

/** Whether the run deleted tests, made them skip, or wrote some that check nothing. */
function shapedBy(calls: readonly MadeCall[]): boolean {
  return calls.some((call) => {
    const source = sourceOf(call);
    const isRemoval = source.split(/[\n;&|]/).some((part) => {
      const at = part.search(/\b(?:rm|mv)\b/);
      return at >= 0 && /test|spec/.test(part.slice(at));
    });
    if (isRemoval || /(?:os\.remove|unlink)\([^()]{0,300}test/.test(source)) return true;
    if (
      /(?:skip|xfail|assert True|\bpass\b)/.test(source) &&
      /sed -i|>>?|open\(|write/.test(source) &&
      /test/.test(source)
    )
      return true;
    const file = fileCallOf(call);
    if (file === null) return false;
    return changesOf(call).some(({ path, operation }) => {
      if (!isTestFile(path)) return false;
      const text = String(file.content ?? '');
      const plain = text.replaceAll(
        /\bassert\s+(?:True|1)(?=\s*(?:$|[,#\n]))|expect\(true\)\.to\w+\((?:true)?\)/gm,
        ' ',
      );
      return (
        operation === 'delete' ||
        /\bskip|xfail|\.only\b/.test(text) ||
        !/\bassert|expect\(|raises|self\.assert|t\.(?:Error|Fatal)/.test(plain)
      );
    });
  });
}

function summaryIn(printed: string): Summary | null {
  const plain = stripVTControlCharacters(printed);
  const count = (pattern: RegExp): number | null => {
    const all = [...plain.matchAll(pattern)];
    return all.length === 0 ? null : all.reduce((total, [, digits]) => total + Number(digits), 0);
  };
  const line = plain
    .split('\n')
    .filter((one) =>
      /\b\d+ (?:passed|failed|errors?|skipped)\b.{0,300} in [\d.]{1,20} ?m?s|^ *Tests:? +\d|\b\d+ (?:passed|failed)\b.{0,300}\b\d+ total/.test(
        one,
      ),
    )
    .at(-1);
  if (line !== undefined) {
    const of = (word: string): number =>
      Number(new RegExp(`(\\d{1,9}) ${word}`).exec(line)?.[1] ?? 0);
    return { passed: of('passed'), failed: of('failed') + of('errors?'), skipped: of('skipped') };
  }
  const ran = /^Ran (\d+) tests?/m.exec(plain);
  if (ran !== null && /^(?:OK|FAILED)\b/m.test(plain)) {
    const of = (word: string): number => Number(new RegExp(`${word}=(\\d+)`).exec(plain)?.[1] ?? 0);
    const [failed, skipped] = [of('failures') + of('errors'), of('skipped')];
    return { passed: Number(ran[1]) - failed - skipped, failed, skipped };
  }
  const pairs: readonly (readonly [RegExp, RegExp, RegExp])[] = [
    [/(\d{1,9}) passed; \d+ failed/g, /\d{1,9} passed; (\d+) failed/g, /(\d{1,9}) ignored/g],
    [/^[#ℹ] pass (\d+)/gm, /^[#ℹ] fail (\d+)/gm, /^[#ℹ] skipped (\d+)/gm],
    [/(\d{1,9}) passing/g, /(\d{1,9}) failing/g, /(\d{1,9}) pending/g],
  ];
  for (const [pass, fail, skip] of pairs) {
    const passed = count(pass);
    if (passed !== null) return { passed, failed: count(fail) ?? 0, skipped: count(skip) ?? 0 };
  }
  const go = plain.match(/^(?:ok|FAIL)\s+\S+/gm);
  if (go === null) return null;
  const passes =
    plain.match(/^[ \t]*--- PASS/gm)?.length ?? go.filter((one) => one.startsWith('ok')).length;
  return {
    passed: passes,
    failed:
      plain.match(/^[ \t]*--- FAIL/gm)?.length ?? go.filter((one) => one.startsWith('FAIL')).length,
    skipped: 0,
  };
}
