import { describe, test } from 'vitest';
import { checkActions } from '#main/orchestrator/evidence/action-facts.ts';
import { readClaims } from '#main/orchestrator/evidence/claims.ts';
import { checkStatedCommands } from '#main/orchestrator/evidence/command-facts.ts';
import { shellCommands } from '#main/orchestrator/evidence/shell-commands.ts';
import { expectLinearWork } from '../../setup/growth.ts';

const CASES: Readonly<Record<string, readonly [units: number, unit: string, run: Run]>> = {
  'actions, none of them on a thing': [8_000, 'I fixed ', (text) => checkActions(text, [])],
  'claims about tests': [3_000, 'all tests pass in a.test.ts\n', readClaims],
  'words before tests': [8_000, 'new ', readClaims],
  'builds that succeed': [8_000, 'build no ', (text) => checkStatedCommands(text, [])],
  'commands of a shell': [4_000, 'a\n', shellCommands],
  'words that run the words after them': [4_000, 'env ', shellCommands],
  'here-documents without an end': [4_000, 'cat <<A\n', shellCommands],
  'one long word of a shell': [8_000, 'a', shellCommands],
};
type Run = (text: string) => unknown;

describe('the work on evidence grows with the length of a text, and not faster', () => {
  test.each(Object.entries(CASES))('%s', (_name, [units, unit, run]) => {
    expectLinearWork((size) => unit.repeat(Math.ceil(size / unit.length)), run, units);
  });
});
