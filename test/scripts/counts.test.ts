import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/build-state.ts';
import { readCounts } from '../../scripts/test/counts.ts';
import { findLeftovers } from '../../scripts/test/leftovers.ts';

describe('the counts at the end of npm test', () => {
  it('name what was skipped or failed, and count a file that could not be loaded', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hyperagent-report-'));
    const file = join(folder, 'report.json');
    const test = (status: string, ...ancestorTitles: string[]) => ({
      ancestorTitles,
      title: 'does it',
      status,
      failureMessages: status === 'failed' ? ['\u001b[31mError: not so\u001b[0m\n  at it'] : [],
    });
    const result = (name: string, status: string, ...assertionResults: unknown[]) => ({
      name: join(ROOT, name),
      status,
      assertionResults,
    });
    writeFileSync(
      file,
      JSON.stringify({
        testResults: [
          result('test/a.test.ts', 'passed', test('passed'), test('passed', 'A')),
          result('test/b.test.ts', 'failed', test('failed', 'B'), test('passed', 'B')),
          { ...result('test/c.test.ts', 'failed'), message: 'Error: no such module' },
          result(
            'test/d.test.ts',
            'passed',
            test('skipped', 'D (skipped: no engine)'),
            test('pending', 'D (skipped: no engine)'),
            test('todo'),
          ),
        ],
      }),
    );
    const counts = readCounts(file);
    rmSync(folder, { recursive: true });

    expect(counts).toEqual({
      passed: 3,
      failed: 2,
      skipped: 3,
      failures: [
        'test/b.test.ts › B › does it: Error: not so',
        'test/c.test.ts: Error: no such module',
      ],
      skippedSuites: new Map([
        ['test/d.test.ts › D (skipped: no engine)', 2],
        ['test/d.test.ts › does it', 1],
      ]),
    });
  });
});

describe.skipIf(process.platform !== 'linux')('processes left behind (Linux only)', () => {
  it('are found by the mark that they inherited, until they end', async () => {
    const mark = { name: 'LEFTOVER_MARK', value: `${process.pid}` };
    const child = spawn('sh', ['-c', 'sleep 60 & echo started; wait'], {
      env: { ...process.env, [mark.name]: mark.value },
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

    expect(found.map(({ command }) => command).sort()).toEqual([
      'sh -c sleep 60 & echo started; wait',
      'sleep 60',
    ]);
    expect(findLeftovers('LEFTOVER_MARK=another')).toEqual([]);
  });
});
