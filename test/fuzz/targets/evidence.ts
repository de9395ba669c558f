import type { MadeCall } from '#main/agents/types.ts';
import { checkActions } from '#main/orchestrator/evidence/action-facts.ts';
import { readClaims } from '#main/orchestrator/evidence/claims.ts';
import { checkStatedCommands } from '#main/orchestrator/evidence/command-facts.ts';
import { foldedConstants } from '#main/orchestrator/evidence/constant-values.ts';
import { checkExitCode } from '#main/orchestrator/evidence/exit-codes.ts';
import { checkStatedFigures } from '#main/orchestrator/evidence/figure-facts.ts';
import { readRecordedTests } from '#main/orchestrator/evidence/recorded-tests.ts';
import { shellCommands } from '#main/orchestrator/evidence/shell-commands.ts';
import { type FuzzTarget, HOLE } from '../types.ts';

/** What answers claim, and the programs and outputs that claims are compared with. */

const ran = (code: string, content: string, language: string): MadeCall => ({
  ...{ name: 'execute_code', arguments: { language, code }, status: 'ok' },
  content: `exit code 0\n${content}`,
});
const ALL_PASS = {
  ...{ pass: true, passed: null, failed: null },
  ...{ tellsSkipped: false, files: [], words: '' },
};
/** What the pipeline leaves of a result. */
const RESULT_CHARS = 16_000;

export const EVIDENCE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'claims',
    faces: 'model',
    seeds: [
      `I fixed the bug in a.py and saved it as report.md. All 12 tests pass. The build succeeded. ${HOLE}`,
      '我已修复了代码中的文件。测试全部通过，平均年龄是 46.1 岁。',
      'The total is 1,234.5 EUR in 12 rows, 45 % of them new.',
    ],
    tokens: [
      ...[
        'I fixed ',
        'I ',
        'ran ',
        'new tests ',
        'pass ',
        '12 of 13 ',
        'saved ',
        'a.py',
        '`',
        '> ',
      ],
      ...[
        '```',
        '已',
        '测试',
        '通过',
        '修复了',
        '. ',
        '\n',
        'total ',
        '1,',
        '%',
        'build no ',
        '一',
      ],
    ],
    maxBytes: 400_000,
    run: async ({ text }) => {
      checkActions(text, []);
      checkStatedCommands(text, []);
      readClaims(text);
      const calls = [ran('open("a").read()', 'total: 12\nmean: 4.5', 'python')];
      await checkStatedFigures(text, { calls, prompt: 'p', hasData: true });
    },
  },
  {
    name: 'shell-program',
    faces: 'model',
    seeds: [
      `set -euo pipefail; cd a && npx vitest run a.test.ts | tee out || echo "${HOLE}"`,
      `cat <<'EOF' > a.txt\n${HOLE}\nEOF\ntimeout 5 env A=1 pytest -q`,
    ],
    tokens: [
      ...['<<A\n', '\nA\n', ' && ', ' || ', ' | ', '; ', '\n', 'env ', 'set -e', '"', "'", '\\\n'],
      ...['()', '# ', '-x ', 'A=1 ', '> f ', 'rm ', 'cp ', 'pytest ', 'sed -i '],
    ],
    maxBytes: 400_000,
    run: ({ text }) => {
      shellCommands(text);
      const calls = [ran(text, '3 passed in 1s', 'bash'), ran('pytest', '3 passed in 1s', 'bash')];
      checkExitCode('pytest a', { calls, earlierCalls: [] });
      readRecordedTests(ALL_PASS, calls);
    },
  },
  {
    name: 'constants',
    faces: 'model',
    seeds: [
      `a = "x" * 20 + '-'.join(["1", "2"])\nprint(f"{a}{1 + ${HOLE}}".replace("x", "y"))`,
      'a = [1, 2] * 3\na += [a]\nprint(sum(a), "%d %s" % (5, a[::-1]), "{} {}".format(1, a))',
    ],
    tokens: [
      ...[
        'a',
        ' = ',
        ' + ',
        ' * ',
        '**',
        '(',
        ')',
        '[',
        ']',
        ',',
        '"',
        "'",
        '`',
        '\n',
        'a = a + a\n',
      ],
      ...['.join(', '.replace(', '.format(', 'f"{a}"', '1', '-', '//', 'print(', '[::-1]', '9999'],
    ],
    maxBytes: 400_000,
    run: ({ text }) => void foldedConstants([text]),
  },
  {
    name: 'figures-of-programs',
    faces: 'model',
    seeds: [`print(12.5 * 3, ${HOLE})`, 'open("a").read()[1:20]\nprint(round(1.5, 2))\n'],
    tokens: [
      ...[
        '1 ',
        '1,',
        '一',
        '[',
        ':',
        '(',
        'open(',
        ", 'w",
        'def a',
        'return',
        'for (',
        'n   ',
        '\n',
      ],
    ],
    maxBytes: 400_000,
    run: async ({ text }) => {
      const calls = [ran(text, text.slice(0, RESULT_CHARS), 'python'), ran(text, '1', 'bash')];
      await checkStatedFigures('The total is 7.', { calls, prompt: 'p', hasData: true });
    },
  },
];
