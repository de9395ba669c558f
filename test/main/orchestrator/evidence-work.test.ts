import { describe, expect, test } from 'vitest';
import type { MadeCall } from '#main/agents/types.ts';
import { checkActions } from '#main/orchestrator/evidence/action-facts.ts';
import { readClaims } from '#main/orchestrator/evidence/claims.ts';
import { checkStatedCommands } from '#main/orchestrator/evidence/command-facts.ts';
import { foldedConstants } from '#main/orchestrator/evidence/constant-values.ts';
import { resultsOfEquations } from '#main/orchestrator/evidence/derived-figures.ts';
import { ShownFigures } from '#main/orchestrator/evidence/figures.ts';
import { checkPageClaims } from '#main/orchestrator/evidence/page-claims.ts';
import { readRecordedTests } from '#main/orchestrator/evidence/recorded-tests.ts';
import { shellCommands } from '#main/orchestrator/evidence/shell-commands.ts';
import { expectLinearWork } from '../../setup/growth.ts';

const fold = (text: string): unknown => foldedConstants([text]);
const figuresOf = (code: string, output: string): unknown =>
  new ShownFigures('', [
    {
      ...{ name: 'execute_code', arguments: { language: 'python', code }, status: 'ok' },
      content: `exit code 0\n${output}`,
    },
  ]);
const ALL_PASS = {
  ...{ pass: true, passed: null, failed: null },
  ...{ tellsSkipped: false, files: [], words: '' },
};
const recorded = (code: string, output: string): unknown =>
  readRecordedTests(ALL_PASS, [
    {
      ...{ name: 'execute_code', arguments: { language: 'python', code }, status: 'ok' },
      content: `exit code 0\n${output}`,
    },
  ]);
const looked = (text: string): MadeCall => ({
  ...{ name: 'browser_snapshot', arguments: {}, status: 'ok' },
  content: `Page: A - https://a.example/\n${text}`,
});
const CASES: Readonly<Record<string, readonly [units: number, unit: string, run: Run]>> = {
  'actions, none of them on a thing': [8_000, 'I fixed ', (text) => checkActions(text, [])],
  'what pages show': [2_000, 'the page shows "a" ', (text) => checkPageClaims(text, [looked('a')])],
  'addresses that show': [
    4_000,
    'a.b',
    (text) => checkPageClaims(`${text} shows "a"`, [looked('a')]),
  ],
  'quotations without an end': [
    4_000,
    "page shows '",
    (text) => checkPageClaims(text, [looked('a')]),
  ],
  'what a page showed': [
    4_000,
    '= "a ',
    (text) => checkPageClaims('The page shows "b".', [looked(text)]),
  ],
  'claims about tests': [3_000, 'all tests pass in a.test.ts\n', readClaims],
  'words before tests': [8_000, 'new ', readClaims],
  'builds that succeed': [8_000, 'build no ', (text) => checkStatedCommands(text, [])],
  'commands of a shell': [4_000, 'a\n', shellCommands],
  'words that run the words after them': [4_000, 'env ', shellCommands],
  'here-documents without an end': [4_000, 'cat <<A\n', shellCommands],
  'one long word of a shell': [8_000, 'a', shellCommands],
  'parentheses of a calculation': [4_000, '(', (text) => resultsOfEquations(text, () => true)],
  'nested parentheses': [2_000, '(', fold],
  'signs before nothing': [2_000, '-', fold],
  'texts side by side': [2_000, "''", fold],
  'slashes before a quotation': [2_000, '// ', (text) => fold(`${text}'`)],
  'output of one long Chinese number': [1_900, '一', (text) => figuresOf('1', text)],
  'a program of open brackets': [4_000, '[a:', (text) => figuresOf(text, '1')],
  'a program of functions without an end': [4_000, 'function ', (text) => figuresOf(text, '1')],
  'programs that a program starts': [8_000, 'execSync ', (text) => recorded(text, '')],
  'digits in the report of a runner': [
    4_000,
    '1',
    (text) => recorded("subprocess.run(['pytest'])", text),
  ],
};
type Run = (text: string) => unknown;

describe('the work on evidence grows with the length of a text, and not faster', () => {
  test.each(Object.entries(CASES))('%s', (_name, [units, unit, run]) => {
    expectLinearWork((size) => unit.repeat(Math.ceil(size / unit.length)), run, units);
  });
});

test.each([
  ['a number of repeats', "a = 'x' * 10**9"],
  ['repeats of repeats', `a = 'x' * 9999\n${'a = a * 9999\n'.repeat(20)}`],
  ['lists of repeats', `a = [1] * 9999\n${'a = a * 9999\n'.repeat(20)}`],
  ['a text that is doubled', `a = 'x'\n${'a = a + a\n'.repeat(80)}a + a`],
  ['a list that is doubled', `a = [1]\n${'a = a + a\n'.repeat(80)}a + a`],
  ['lists of lists', `a = [1]\n${'a = [a, a]\n'.repeat(80)}print(a)`],
  ['a list in a list, many times', `a = [1]\n${'a = [a]\n'.repeat(2_000)}print(a)`],
  ['a text that is joined', `a = 'x' * 9999\n${"a = a.join([a, a, 'x'])\n".repeat(20)}`],
  ['a text that is put between', `a = 'x' * 9999\n${"a = a.replace('', a)\n".repeat(20)}`],
  ['a text that is inserted', `a = 'x' * 9999\n${"a = f'{a}{a}{a}'\n".repeat(80)}`],
  ['a text that is formatted', `a = 'x'\n${"a = '{}{}{}'.format(a, a, a)\n".repeat(80)}`],
  ['a text with signs for others', `a = 'x'\n${"a = '%s%s%s' % (a, a, a)\n".repeat(80)}`],
])('no constant grows without end: %s', (_name, source) => {
  const values = foldedConstants([source]).map(({ value }) => value);
  expect(JSON.stringify(values).length).toBeLessThan(100_000);
});

test.each([
  ['round(1234.567, 2)', 1234.57],
  ['round(1234.567, -2)', 1200],
  ['round(1234.567, -500)', 0],
  ['round(1.5, -10**9)', 0],
  ['round(1.256, 10**9)', 1.256],
  ["round(1.5, 'a')", 2],
  ['(1234.567).toFixed(1)', '1234.6'],
  ['(1.5).toFixed(-3)', '2'],
  ["(1.5).toFixed('a')", '2'],
])('a number is rounded to whatever places a program names: %s', (source, value) => {
  expect(foldedConstants([`print(${source})`]).map((one) => one.value)).toContain(value);
});
