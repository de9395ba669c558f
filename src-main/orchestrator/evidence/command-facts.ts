import type { MadeCall } from '../../agents/types.ts';
import { answerSentences } from './answer-sentences.ts';
import { checkExitCode } from './exit-codes.ts';
import type { CheckedFact } from './types.ts';

/** What an answer may say of a build or a check, and the programs that do it. */
const CHECKS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(?:build|compil\w+|bundle)\b|构建|编译/i,
    [
      'build',
      'make',
      'tsc',
      'gcc',
      'cargo',
      'mvn',
      'gradle',
      'webpack',
      'vite',
      'cmake',
      'docker',
      'go build',
    ],
  ],
  [
    /\blint\w*\b|\bstyle checks?\b/i,
    ['lint', 'eslint', 'ruff', 'flake8', 'biome', 'pylint', 'clippy', 'golangci'],
  ],
  [
    /\btype[- ]?check\w*\b|\bno type errors\b|类型检查/i,
    ['tsc', 'mypy', 'pyright', 'typecheck', 'type-check', 'check'],
  ],
];
const SUCCEEDS =
  /\b(?:succeed(?:s|ed)?|pass(?:es|ed)?|works?|worked|clean(?:ly)?|without (?:any )?errors?|success(?:ful(?:ly)?)?|no (?:\w+ )?errors|is green|completed|finished)\b|成功|通过/i;
const NOT_SAID =
  /\b(?:not|never|will|would|can|could|should|might|if|when|once|fails?|failed|make sure|ensure)\b|n't\b|[没未无]|不(?:能|会)|应该|如果|失败/i;

/** Facts about builds and checks that an answer says succeeded, by the programs that ran. */
export function checkStatedCommands(answer: string, calls: readonly MadeCall[]): CheckedFact[] {
  const sentences = answerSentences(answer);
  const facts: CheckedFact[] = [];
  for (const [what, programs] of CHECKS) {
    const isSaid = sentences.some(
      (one) => what.test(one) && SUCCEEDS.test(one) && !NOT_SAID.test(one),
    );
    if (!isSaid) continue;
    const found = programs
      .map((name) => checkExitCode(name, { calls, earlierCalls: [] }))
      .filter(({ evidence }) => !evidence.startsWith('None of'));
    const best =
      found.find(({ state }) => state === 'fails') ??
      found.find(({ state }) => state === 'holds') ??
      found[0];
    facts.push(best ?? checkExitCode(programs[0] ?? '', { calls, earlierCalls: [] }));
  }
  return facts;
}
