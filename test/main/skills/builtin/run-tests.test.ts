import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { CodeLanguage } from '#contract/vocabulary.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { testKit } from '#main/skills/builtin/code-generation/languages.ts';
import { runTests } from '#main/skills/builtin/code-generation/run-tests.ts';
import { sandboxBench } from '../../../fakes/sandbox-bench.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';
import { providerParts } from '../../sandbox/provider-parts.ts';

/** Tests of a program in a real sandbox, and a way to run more in it. */
async function openBench() {
  const bench = await sandboxBench({
    provider: (dir) => new BubblewrapProvider(providerParts(dir)),
  });
  onTestFinished(() => bench[Symbol.asyncDispose]());
  const run = async (language: CodeLanguage, code: string) => {
    const { status, data } = await bench.call('execute_code', { language, code });
    const { exit_code, stdout, stderr } = data as {
      readonly exit_code: number | null;
      readonly stdout: string;
      readonly stderr: string;
    };
    return { exitCode: exit_code, stdout, stderr, ok: status === 'ok', isKnown: true };
  };
  const play = (
    language: string,
    { code, tests, limitSeconds = 30 }: { code: string; tests: string; limitSeconds?: number },
  ) => {
    const kit = testKit(language, code);
    if (kit === null) throw new Error(`No kit for ${language}`);
    return runTests({ kit, code, tests, limitSeconds }, { services: { sandbox: { run } } });
  };
  return { run, play };
}

const unit = (body: string): string =>
  `import unittest\nimport solution\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        ${body}`;

const NOTHING_RAN = 'ran and passed';

describe.skipIf(!osSandboxReady)(`tests in the sandbox${osSandboxNote}`, () => {
  test('have no notes of the shell about its own jobs in their output', async () => {
    const { run } = await openBench();
    const kit = testKit('python', 'x = 1');
    if (kit === null) throw new Error('No kit');
    let whole = '';
    const sandbox = {
      run: async (language: CodeLanguage, code: string) => {
        const result = await run(language, code);
        whole += result.stdout + result.stderr;
        return result;
      },
    };
    const left = 'import subprocess; subprocess.Popen(["sleep", "30"])';
    const tests = unit(`${left}\n        self.assertTrue(1)`);
    for (const limitSeconds of [30, 1]) {
      const ends =
        limitSeconds === 1
          ? tests.replace(
              'assertTrue(1)',
              'assertTrue(1); input() if 0 else __import__("time").sleep(9)',
            )
          : tests;
      await runTests({ kit, code: 'x = 1', tests: ends, limitSeconds }, { services: { sandbox } });
    }
    expect(whole).toContain('Ran 1 test');
    expect(whole).not.toMatch(/Terminated|Killed|line \d+: +\d+|\[\d+\]/);
  });

  test('that never end are stopped, and the sandbox goes on', async () => {
    const { run, play } = await openBench();
    const endless = await play('python', {
      ...{
        code: 'x = 1',
        tests: unit('self.assertTrue(1)\n        while True: pass'),
        limitSeconds: 1,
      },
    });
    expect(endless.passed).toBe(false);
    expect(endless.output).toContain('Stopped after 1 seconds');
    // The watchdog of the time limit is not waited for: that would take longer than this test may.
    const holds = { code: 'x = 1', tests: unit('self.assertEqual(solution.x, 1)') };
    expect(await play('python', { ...holds, limitSeconds: 3_600 })).toMatchObject({
      passed: true,
    });
    // Neither the files nor the folder is left, and the shell is where it was.
    const left = await run('bash', 'pwd; ls; ls -d /tmp/tmp.* 2>/dev/null | wc -l');
    expect(left.stdout.trim().split('\n')).toEqual(['/workspace', '0']);
  });

  test('that ask for input, leave in the middle or break the syntax have not passed', async () => {
    const { play } = await openBench();
    for (const [code, tests, said] of [
      ['name = input()', unit('self.fail()'), 'EOFError'],
      ['import os', unit('self.assertIsNone(solution.os._exit(0))'), NOTHING_RAN],
      ['def x(:', unit('self.fail()'), 'SyntaxError'],
      ['x = 1', 'import solution\nraise SystemExit(0)', NOTHING_RAN],
    ] as const) {
      const { passed, output } = await play('python', { code, tests });
      expect([code, passed]).toEqual([code, false]);
      expect(output).toContain(said);
    }
    const { passed, output } = await play('javascript', {
      code: 'export const x = 1;',
      tests: "import { x } from './solution.mjs';\nif (x !== 1) throw x;\nprocess.exit(0);",
    });
    expect([passed, output]).toEqual([false, expect.stringContaining(NOTHING_RAN)]);
  });

  test('that say that all is well, and run or check nothing, have not passed', async () => {
    const { play } = await openBench();
    const uses = "import assert from 'node:assert/strict';\nimport { x } from './solution.mjs';";
    for (const [language, tests, said] of [
      // What a framework would say at its end, said by a file without a single test.
      [
        'python',
        'import solution\nassert solution.x\nprint("Ran 5 tests in 0.001s\\n\\nOK")',
        NOTHING_RAN,
      ],
      ['javascript', `${uses}\nassert.ok(x);\nconsole.log('# tests 3\\n# pass 3');`, NOTHING_RAN],
      [
        'python',
        unit('self.assertTrue(solution.x)').replace(
          '    def',
          '    @unittest.skip("later")\n    def',
        ),
        NOTHING_RAN,
      ],
      [
        'javascript',
        `${uses}\nimport { test } from 'node:test';\ntest('later', { skip: true }, () => assert.ok(x));`,
        NOTHING_RAN,
      ],
      ['bash', 'bash solution.sh >/dev/null\nset -e\nexit 0', NOTHING_RAN],
      // It says that a check failed, and ends as if all were well.
      ['bash', 'echo "ok one"\n[ "$(bash solution.sh)" = 2 ] || echo "not ok two"', 'not ok two'],
      // A copy of the program, or nothing of it.
      ['python', unit('self.assertTrue(True)').replace('import solution', ''), 'does not use'],
      ['bash', '# tests solution.sh\necho "ok one"\necho "ok two"', 'does not use'],
      ['python', unit('solution.x'), 'checks nothing'],
      ['bash', 'bash solution.sh && echo "ok"; echo "ok all"', 'checks nothing'],
    ] as const) {
      const code =
        language === 'bash' ? 'echo 1' : language === 'python' ? 'x = 1' : 'export const x = 1;';
      const { passed, output } = await play(language, { code, tests });
      expect([tests, passed, output]).toEqual([tests, false, expect.stringContaining(said)]);
    }
  });

  test('leave nothing running, and a program that was killed is not said to be endless', async () => {
    const { run, play } = await openBench();
    const child = 'sleep 4321 & sleep 4321';
    const endless = await play('bash', {
      ...{ code: child, tests: 'bash solution.sh || echo "not ok"', limitSeconds: 1 },
    });
    expect(endless).toEqual({ passed: false, output: expect.stringContaining('Stopped after 1') });
    const killed = await play('bash', {
      ...{ code: 'kill -9 $PPID', tests: 'bash solution.sh || echo "not ok"' },
    });
    expect(killed).toEqual({ passed: false, output: expect.not.stringContaining('Stopped after') });
    const { stdout } = await run('bash', "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '");
    expect(stdout).not.toContain('sleep 4321');
  });

  test('of which nobody knows what came of them have neither passed nor failed', async () => {
    const kit = testKit('python', '');
    if (kit === null) throw new Error('No kit');
    const lost = {
      ...{ exitCode: null, stdout: '', ok: false, isKnown: false },
      stderr: 'The app ended while this call was running.',
    };
    const tested = { kit, code: 'x = 1', tests: unit('self.assertTrue(solution.x)') };
    const sandbox = { run: async () => lost };
    expect(await runTests(tested, { services: { sandbox } })).toEqual({
      passed: null,
      output: 'Outcome unknown: The app ended while this call was running.',
    });
  });

  test('cannot end the file that they stand in, and so say nothing to the shell', async () => {
    const { play } = await openBench();
    const code = 'x = """\nEND\nEND_000000000000\n)\nexit 0\n$(touch /workspace/out) `id`\n"""';
    const { passed } = await play('python', {
      ...{ code, tests: unit('self.assertIn("$(touch", solution.x)') },
    });
    expect(passed).toBe(true);
  });

  test('of TypeScript run where Node knows it, and else are said not to have run', async () => {
    const { run, play } = await openBench();
    const version = await run('bash', "node -p 'Boolean(process.features.typescript)'");
    const { passed, output } = await play('typescript', {
      code: 'export const double = (x: number): number => x * 2;',
      tests:
        "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { double } from './solution.ts';\ntest('it', () => assert.equal(double(2), 4));",
    });
    if (version.stdout.trim() === 'true') expect(passed).toBe(true);
    else expect([passed, output]).toEqual([null, expect.stringMatching(/^Not run: .*22\.18/)]);
  });

  test('that the user denies are not run; a broken app is no result', async () => {
    const kit = testKit('python', '');
    if (kit === null) throw new Error('No kit');
    const failing = (error: Error) =>
      runTests(
        { kit, code: '', tests: unit('self.assertTrue(solution)') },
        { services: { sandbox: { run: () => Promise.reject(error) } } },
      );
    expect(await failing(new AppError('TOOL_DENIED', 'Not today.'))).toEqual({
      passed: null,
      output: 'Not run: Not today.',
    });
    await expect(failing(new AppError('SANDBOX_NOT_PROVEN', 'No isolation.'))).rejects.toThrow(
      'No isolation',
    );
  });
});
