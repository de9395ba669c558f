import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/build-state.ts';
import { readCounts, type TestCounts } from '../../scripts/test/counts.ts';
import { findLeftovers } from '../../scripts/test/leftovers.ts';
import { RESULTS_VARIABLE } from '../../scripts/test/results-reporter.ts';

/** What `npm test` counts of a run of vitest over `files`, by name and text. */
async function countsOf(files: Readonly<Record<string, string>>): Promise<TestCounts> {
  // Where its reporter and vitest itself are found; a clone that was just installed has no such folder.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync(join(cache, 'counts-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    writeFileSync(join(root, 'vitest.config.mjs'), 'export default { test: { globals: true } };');
    const reporter = join(ROOT, 'scripts/test/results-reporter.ts');
    const results = join(root, 'results.json');
    const child = spawn(
      process.execPath,
      [
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--root',
        root,
        `--reporter=${reporter}`,
      ],
      { env: { ...process.env, [RESULTS_VARIABLE]: results }, stdio: 'ignore' },
    );
    await once(child, 'exit');
    const counts = readCounts(results);
    const name = (line: string): string => line.replace(`${relative(ROOT, root)}/`, '');
    return {
      ...counts,
      failures: counts.failures.map(name).sort(),
      skippedSuites: new Map([...counts.skippedSuites].map(([suite, of]) => [name(suite), of])),
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe('the counts at the end of npm test', () => {
  it('name what was skipped or failed', async () => {
    const counts = await countsOf({
      'a.test.js': `
        test('does it', () => {});
        describe('A', () => test('does it', () => {}));`,
      'b.test.js': `
        describe('B', () => {
          test('does it', () => { throw new Error('\u001b[31mnot so\u001b[0m\\nat all') });
          test('does another', () => {});
        });`,
      'd.test.js': `
        describe.skip('D (skipped: no engine)', () => {
          test('does it', () => {});
          test('does another', () => {});
        });
        test.todo('does it');`,
    });

    expect(counts).toEqual({
      passed: 3,
      skipped: 3,
      failures: ['b.test.js › B › does it: not so'],
      skippedSuites: new Map([
        ['d.test.js › D (skipped: no engine)', 2],
        ['d.test.js › does it', 1],
      ]),
    });
  });

  it('have every error that belongs to no test, though all tests passed', async () => {
    const counts = await countsOf({
      'load.test.js': `throw new Error('no such module');`,
      'file-hook.test.js': `
        afterAll(() => { throw new Error('the folder is not empty') });
        test('does it', () => {});`,
      'suite-hook.test.js': `
        describe('A', () => {
          afterAll(() => { throw new Error('still running') });
          test('does it', () => {});
        });`,
      'unhandled.test.js': `
        test('does it', async () => {
          void Promise.reject(new Error('nobody waits'));
          await new Promise((resolve) => setTimeout(resolve, 50));
        });`,
      'ended.test.js': `test('does it', () => { process.kill(process.pid, 'SIGKILL') });`,
    });

    expect(counts.passed).toBe(3);
    expect(counts.failures).toEqual([
      'ended.test.js: Its process ended before all tests had run',
      'file-hook.test.js: Error: the folder is not empty',
      'load.test.js: Error: no such module',
      expect.stringMatching(
        /^outside of tests: Unhandled Error: .*; because of Error: Worker exited .* signal SIGKILL .*ended\.test\.js$/,
      ),
      'suite-hook.test.js: Error: still running',
      'unhandled.test.js: Unhandled Rejection: Error: nobody waits',
    ]);
  });
});

describe.skipIf(process.platform !== 'linux')('processes left behind (Linux only)', () => {
  it('are found by the mark that they inherited, until they end', async () => {
    const mark = { name: 'LEFTOVER_MARK', value: `${process.pid}` };
    const child = spawn('sh', ['-c', 'sleep 60 & echo started; wait'], {
      env: { ...process.env, [mark.name]: mark.value, HYPERAGENT_TEST_FILE: 'test/a.test.ts' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    await once(child.stdout, 'data');
    // The shell says that it started before its child has become another program.
    const look = () => findLeftovers(`${mark.name}=${mark.value}`);
    await expect.poll(() => look().some(({ command }) => command === 'sleep 60')).toBe(true);
    const found = look();
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await once(child, 'exit');

    expect(found.map(({ command, testFile }) => `${testFile}: ${command}`).sort()).toEqual([
      'test/a.test.ts: sh -c sleep 60 & echo started; wait',
      'test/a.test.ts: sleep 60',
    ]);
    expect(findLeftovers('LEFTOVER_MARK=another')).toEqual([]);
  });
});
