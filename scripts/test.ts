import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, ROOT } from './build-state.ts';
import { findLeftovers } from './leftover-processes.ts';
import { preflight } from './preflight.ts';
import { readCounts, type TestCounts } from './test-report.ts';

/**
 * `npm test [vitest arguments]`: finds or installs what the suites need, builds, runs them all, names
 * what was skipped, and ends with the counts. Leaves no process behind, and fails where a test did.
 */
const ENDING_MS = 3000;
const MARK = { name: 'HYPERAGENT_TEST_RUN', value: `${process.pid}-${Date.now()}` };

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function runVitest(report: string): Promise<number> {
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args, ...process.argv.slice(2)],
      { cwd: ROOT, stdio: 'inherit', env: { ...process.env, [MARK.name]: MARK.value } },
    );
    // A Ctrl+C reaches vitest by itself; this process waits for it and then cleans up.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Ends what tests left running; whether there was anything. */
async function endLeftovers(): Promise<boolean> {
  const mark = `${MARK.name}=${MARK.value}`;
  const deadline = performance.now() + ENDING_MS;
  while (findLeftovers(mark).length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const leftovers = findLeftovers(mark);
  for (const { pid, command } of leftovers) {
    say(`left behind by a test: ${pid} ${command.slice(0, 200)}`);
    process.kill(pid, 'SIGKILL');
  }
  return leftovers.length > 0;
}

function sayCounts({ passed, failed, skipped, skippedSuites }: TestCounts): void {
  for (const [suite, count] of skippedSuites) say(`skipped: ${suite} (${count})`);
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
}

const folder = mkdtempSync(join(tmpdir(), 'hyperagent-test-'));
const report = join(folder, 'report.json');
const provided = await preflight();
try {
  const code = build() ? await runVitest(report) : 1;
  const leftSomething = await endLeftovers();
  const counts = existsSync(report)
    ? readCounts(report)
    : { passed: 0, failed: 1, skipped: 0, skippedSuites: new Map() };
  process.exitCode = code !== 0 || leftSomething || counts.failed > 0 ? 1 : 0;
  await provided.stop();
  sayCounts(counts);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
