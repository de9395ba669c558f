import { describe, expect, test } from 'vitest';
import type { DirectedReply, DirectedRequest } from '../../../fakes/directed-model.ts';
import { inOrder, openSkillBench, playExample } from '../../../fakes/skill-bench.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';

/** What the model says when it writes, tests, repairs and explains. */
interface Said {
  readonly write: string;
  readonly test?: string;
  readonly repair?: (attempt: number) => string;
}

function model({ write, test: tests = '', repair = () => '' }: Said) {
  let attempt = 0;
  return ({ system }: DirectedRequest): DirectedReply => {
    if (system.startsWith('You write programs')) return { content: write };
    if (system.startsWith('You write tests')) return { content: tests };
    if (system.startsWith('You explain')) return { content: 'It does what was asked for.' };
    attempt += 1;
    return { content: repair(attempt) };
  };
}

const block = (language: string, code: string): string =>
  `\`\`\`${language}\n${code}\n\`\`\`\n\nThis is how it works, in short.`;
const task = { task: 'Double a number.' };
const withTests = { ...task, include_tests: true };

test.skipIf(!osSandboxReady)(
  'the example in its folder: a failing test is repaired, and run again',
  async () => {
    const { example, played, bench } = await playExample('code_generation');
    expect(played.output).toMatchObject(example.expected);
    expect(played.output.tests).toContain('test_centuries');
    expect(played.output.test_output).toMatch(/Ran 2 tests[\s\S]*OK/);
    expect(played.stages).toEqual(['write', 'test', 'mend', 'test_2']);
    // The user sees in the terminal exactly what ran: both files in full.
    const programs = played.of('terminal_command').map(({ command }) => command);
    expect(programs).toHaveLength(2);
    expect(programs[0]).toContain('return year % 4 == 0\n');
    expect(programs[0]).toContain('self.assertFalse(is_leap(1900))');
    const repairing = bench.requests.at(-1);
    expect(repairing?.turn).toMatch(/<data-\w+>\n[\s\S]*test_centuries[\s\S]*FAILED/);
    expect(repairing?.system).not.toContain('is_leap');
    // Nothing of it is left in the workspace.
    expect(played.of('workspace_update')).toEqual([]);
  },
);

describe('a program', () => {
  test('is taken out of whatever the model puts around it', async () => {
    const code = 'def double(x):\n    return x * 2';
    const answers = [
      `Sure!\n\n\`\`\`bash\npip install nothing-at-all-but-a-long-line-of-words\n\`\`\`\n\n${block('python', code)}`,
      `~~~py\n${code}\n~~~\nThis is how it works, in short.`,
      JSON.stringify({ code, explanation: 'This is how it works, in short.' }),
      `\`\`\`json\n${JSON.stringify({ code: `\`\`\`python\n${code}\n\`\`\`` })}\n\`\`\``,
      code,
      // Never closed.
      `Here it is, and this is how it works:\n\`\`\`python\n${code}`,
    ];
    for (const write of answers) {
      const bench = await openSkillBench(model({ write }));
      const { output, stages } = await bench.invoke('code_generation', task);
      expect(output).toMatchObject({ code, tests: null, tests_passed: null, test_output: null });
      expect(String(output.explanation).length).toBeGreaterThan(15);
      expect(stages).toEqual(['write']);
    }
  });

  test.each([
    ['a refusal', "I'm sorry, but I can't help with that."],
    ['prose', 'You could use a loop here.\nThen add it up, and that is all there is to it.'],
    ['another kind of block', '```text\nuse a loop\n```'],
    ['JSON without a program', '{"explanation": "use a loop"}'],
  ])(
    'that is %s is asked for again, and then a failure that says what came',
    async (_name, said) => {
      const bench = await openSkillBench(inOrder([said]));
      const played = await bench.invoke('code_generation', withTests);
      expect(played.toolAnswer).toMatchObject({ success: false, error_code: 'SKILL_MODEL_ANSWER' });
      expect(played.toolAnswer.error).toContain(said.slice(0, 20));
      expect(bench.requests).toHaveLength(2);
      expect(played.of('terminal_command')).toEqual([]);
    },
  );

  test('that comes the second time is taken', async () => {
    const bench = await openSkillBench(
      inOrder(['Certainly, one moment.', block('python', 'x = 2')]),
    );
    const { output } = await bench.invoke('code_generation', task);
    expect(output.code).toBe('x = 2');
  });

  test('of nothing is a failure', async () => {
    const bench = await openSkillBench(inOrder(['']));
    const played = await bench.invoke('code_generation', task);
    expect(played.toolAnswer).toMatchObject({ success: false, error_code: 'SKILL_MODEL_ANSWER' });
  });
});

describe.skipIf(!osSandboxReady)(`tests${osSandboxNote}`, () => {
  const python = (body: string): string =>
    block(
      'python',
      `import unittest\nfrom solution import double\n\nclass T(unittest.TestCase):\n    def test_one(self):\n        ${body}`,
    );
  const right = block('python', 'def double(x):\n    return x * 2');
  const wrong = block('python', 'def double(x):\n    return x + 2');

  test('that never pass go back twice, and then it is said that they fail', async () => {
    const bench = await openSkillBench(
      model({
        write: wrong,
        test: python('self.assertEqual(double(5), 10)'),
        repair: (attempt) => block('python', `def double(x):\n    return x + ${attempt + 10}`),
      }),
    );
    const { output, stages, of } = await bench.invoke('code_generation', withTests);
    expect(output).toMatchObject({ tests_passed: false, code: expect.stringContaining('x + 12') });
    expect(output.test_output).toContain('17 != 10');
    expect(stages).toEqual(['write', 'test', 'mend', 'test_2', 'mend_2', 'test_3']);
    expect(of('terminal_command')).toHaveLength(3);
  });

  test.each([
    ['the same program again', wrong],
    ['nothing', ''],
    ['a refusal', 'I can’t help with that.'],
    ['fewer tests', block('python', '# test_solution.py\nimport unittest')],
  ])('are not run again where the model repairs with %s', async (_name, said) => {
    const test = python('self.assertEqual(double(5), 10)');
    const bench = await openSkillBench(model({ write: wrong, test, repair: () => said }));
    const { output, of } = await bench.invoke('code_generation', withTests);
    expect(output.tests_passed).toBe(false);
    expect(output.tests).toContain('double(5), 10');
    expect(of('terminal_command')).toHaveLength(1);
  });

  test('that are wrong themselves are repaired', async () => {
    const bench = await openSkillBench(
      model({
        write: right,
        test: python('self.assertEqual(double(5), 11)'),
        repair: () => python('self.assertEqual(double(5), 10)'),
      }),
    );
    const { output } = await bench.invoke('code_generation', withTests);
    expect(output).toMatchObject({ tests_passed: true });
    expect(output.tests).toContain('double(5), 10');
    expect(output.code).toContain('x * 2');
  });

  test('that test nothing have not passed', async () => {
    const none = block(
      'python',
      'import unittest\nfrom solution import double\nassert double(1) == 2',
    );
    const bench = await openSkillBench(model({ write: right, test: none }));
    const { output } = await bench.invoke('code_generation', withTests);
    expect(output.tests_passed).toBe(false);
    expect(output.test_output).toContain('No test in test_solution.py ran and passed');
  });

  test('that the model does not write are said not to be there', async () => {
    const bench = await openSkillBench(model({ write: right, test: 'I see no need for tests.' }));
    const { output } = await bench.invoke('code_generation', withTests);
    expect(output).toMatchObject({
      ...{ tests: null, tests_passed: null },
      test_output: 'Not run: the model gave no tests.',
    });
  });

  test('of a language that the sandbox does not run are written, and said not to have run', async () => {
    const rust = block('rust', 'pub fn double(x: i64) -> i64 {\n    x * 2\n}');
    const bench = await openSkillBench(model({ write: rust, test: rust }));
    const { output, of } = await bench.invoke('code_generation', {
      ...withTests,
      language: 'Rust',
    });
    expect(output).toMatchObject({ language: 'rust', tests_passed: null });
    expect(output.test_output).toBe('Not run: the sandbox does not run Rust.');
    expect(of('terminal_command')).toEqual([]);
  });

  test('run for JavaScript, as modules and as CommonJS, and for bash', async () => {
    const js = (ending: string): string =>
      block(
        'js',
        `import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { double } from './solution.${ending}';\n\ntest('doubles', () => assert.equal(double(2), 4));`,
      );
    const bash = block(
      'bash',
      'if [ "$(bash solution.sh 4)" = 8 ]; then echo "ok four"; else echo "not ok four"; exit 1; fi',
    );
    const kinds: [string, string, string][] = [
      ['javascript', block('js', 'export const double = (x) => x * 2;'), js('mjs')],
      [
        'js',
        block('', 'function double(x) { return x * 2; }\nmodule.exports = { double };'),
        js('cjs'),
      ],
      ['shell', block('sh', 'echo $(( $1 * 2 ))'), bash],
    ];
    for (const [language, write, tests] of kinds) {
      const bench = await openSkillBench(model({ write, test: tests }));
      const { output } = await bench.invoke('code_generation', { ...withTests, language });
      expect([language, output.tests_passed, output.test_output]).toEqual([
        ...[language, true, expect.anything()],
      ]);
    }
  });

  test('that the user does not let run are said not to have run', async () => {
    const test = python('self.assertEqual(double(5), 10)');
    const bench = await openSkillBench(model({ write: right, test }));
    const begun = await bench.begin('code_generation', withTests, { run: { approve: 'ask' } });
    const { api, runs } = bench.app;
    await expect
      .poll(() => runs.events(begun.run.id, 0, 1_000).find(({ type }) => type === 'interrupt'))
      .toBeDefined();
    const asked = runs.events(begun.run.id, 0, 1_000).find((event) => event.type === 'interrupt');
    if (asked?.type !== 'interrupt') throw new Error('Nobody was asked');
    expect(JSON.stringify(asked)).toContain('double(5), 10');
    await api['runs.respond']({
      runId: begun.run.id,
      interruptId: asked.interruptId,
      response: { action: 'deny', reason: 'not today' },
    });
    const { output, of } = await begun.ended();
    expect(output).toMatchObject({ tests_passed: null, code: expect.stringContaining('x * 2') });
    expect(output.test_output).toMatch(/^Not run: /);
    expect(of('terminal_command')).toEqual([]);
  });
});
