import { describe, test } from 'vitest';
import { collectFacts } from '#main/agents/context/facts.ts';
import { plainText } from '#main/agents/research/check-statements.ts';
import { plainKind } from '#main/orchestrator/routing/plain-kinds.ts';
import { expectLinearWork } from '../../setup/growth.ts';

const facts = (content: string): unknown => collectFacts([{ role: 'user', content }], 2_000);
const CASES: Readonly<Record<string, readonly [units: number, unit: string, run: Run]>> = {
  'signs that paths may begin with': [4_000, '@', facts],
  'names that may be paths': [4_000, 'a+', facts],
  'blanks before a citation': [4_000, ' ', plainText],
  'open brackets': [4_000, '[', plainText],
  'open links': [4_000, '[a]((', plainText],
  'parts of a name of a file': [4_000, 'a-', (text) => plainKind(text, true)],
};
type Run = (text: string) => unknown;

describe('the work grows with the length of a text, and not faster', () => {
  test.each(Object.entries(CASES))('%s', (_name, [units, unit, run]) => {
    expectLinearWork((size) => unit.repeat(Math.ceil(size / unit.length)), run, units);
  });
});
