import type { CodeLanguage } from '#contract/vocabulary.ts';

const ALIASES: Readonly<Record<string, string>> = {
  py: 'python',
  python3: 'python',
  js: 'javascript',
  node: 'javascript',
  mjs: 'javascript',
  'node.js': 'javascript',
  ts: 'typescript',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  'c++': 'cpp',
  'c#': 'csharp',
  golang: 'go',
  rs: 'rust',
  rb: 'ruby',
};

/** The canonical name of a language. */
export function languageName(name: string): string {
  const word = name.trim().toLowerCase();
  return ALIASES[word] ?? word;
}

/** How programs of a language are tested in the sandbox. */
export interface TestKit {
  readonly language: CodeLanguage;
  readonly program: string;
  readonly solutionFile: string;
  readonly testFile: string;
  /** The rules for tests, for the model. */
  readonly rules: string;
  /** Runs `testFile` in the folder that has both. */
  readonly command: string;
  /** Prints how many tests ran and passed, from what the command left; null where the output alone says it. */
  readonly count: string | null;
  /** Matches the start of each test case. */
  readonly cases: RegExp;
  /** Matches an assertion: a test without one cannot fail. */
  readonly checks: RegExp;
  /** Matches tests and not the program. */
  readonly mark: RegExp;
}

/** The name of the program in its tests; tests that never name it test something else. */
const PROGRAM_NAME = /\bsolution\b/;
const COMMENTS = /^\s*(?:#|\/\/).*$/gm;

/** Why these tests are no tests of the program, in a sentence; null where they are. */
export function testsLack(
  tests: string,
  { testFile, solutionFile, checks }: TestKit,
): string | null {
  const code = tests.replace(COMMENTS, '');
  if (!PROGRAM_NAME.test(code))
    return `${testFile} does not use ${solutionFile}, so it tests nothing of it.`;
  return checks.test(code) ? null : `${testFile} checks nothing.`;
}

/** Runs the tests and writes how many of them ran and passed: skipped ones did not. */
const UNITTEST = `import sys, unittest
result = unittest.main(None, argv=["tests", "-v", "test_solution"], exit=False).result
passed = result.testsRun - len(result.skipped) - len(result.expectedFailures)
with open("report", "w") as file: file.write(str(passed))
sys.exit(0 if result.wasSuccessful() else 1)`;

/** The kit for a program; null where the sandbox does not run its language. */
export function testKit(language: string, code: string): TestKit | null {
  switch (language) {
    case 'python':
      return PYTHON;
    case 'javascript':
      return nodeKit('javascript', isCommonJs(code) ? 'cjs' : 'mjs');
    case 'typescript':
      return nodeKit('typescript', 'ts');
    case 'bash':
      return BASH;
    default:
      return null;
  }
}

const PYTHON: TestKit = {
  language: 'python',
  program: 'python3',
  solutionFile: 'solution.py',
  testFile: 'test_solution.py',
  rules:
    'Use unittest: a class derived from unittest.TestCase with methods that begin with test_. Import from the module `solution`.',
  command: `python3 -c '${UNITTEST}'`,
  count: 'cat report',
  checks: /\bassert|\.fail\(|\braise\b/,
  cases: /^\s*(?:async\s+)?def test/gm,
  mark: /\bimport unittest\b|\bimport pytest\b|^\s*(?:from|import) solution\b/m,
};

const BASH: TestKit = {
  language: 'bash',
  program: 'bash',
  solutionFile: 'solution.sh',
  testFile: 'test_solution.sh',
  rules:
    'A bash script that calls or sources ./solution.sh, prints a line `ok NAME` for each check that passes and `not ok NAME` for each that fails, and exits with 1 if one failed.',
  command: 'bash test_solution.sh',
  count: null,
  checks: /\bnot ok\b|\b(?:exit|return) [1-9$]|\bset -\w*e/,
  cases: /\bok\b/g,
  mark: /solution\.sh|\bnot ok\b/,
};

function nodeKit(language: 'javascript' | 'typescript', ending: 'cjs' | 'mjs' | 'ts'): TestKit {
  const testFile = `solution.test.${ending === 'ts' ? 'ts' : 'mjs'}`;
  return {
    language,
    program: 'node',
    solutionFile: `solution.${ending}`,
    testFile,
    rules: `Use node:test and node:assert/strict, as in: import { test } from 'node:test'; import assert from 'node:assert/strict'. Import from './solution.${ending}'.`,
    command: `node --test-reporter=tap --test-reporter-destination=stdout --test-reporter=tap --test-reporter-destination=report ${testFile}`,
    count: "sed -n 's/^# pass //p' report",
    checks: /\bassert\b|\bexpect\(|\bthrow\b/,
    cases: /^\s*(?:await\s+)?(?:test|it)\s*\(/gm,
    mark: /node:test|\.\/solution\b/,
  };
}

function isCommonJs(code: string): boolean {
  return (
    /\bmodule\.exports\b|^\s*exports\.\w+\s*=/m.test(code) && !/^\s*(?:import|export)\s/m.test(code)
  );
}
