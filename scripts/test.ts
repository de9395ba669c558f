import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedOfCommit } from '../test/setup/sampling.ts';
import { SUITES } from '../test/suites.ts';
import { build, ROOT } from './build-state.ts';
import { preflight, provideDocker } from './preflight.ts';
import { addCounts, NO_COUNTS, readCounts, type TestCounts } from './test/counts.ts';
import { findLeftovers } from './test/leftovers.ts';
import { costLines, readNotes, sampleLines } from './test/report.ts';
import { RESULTS_VARIABLE } from './test/results-reporter.ts';

/**
 * `npm test [-- --seed N] [--all] [vitest arguments]`: finds or installs what the suites need, builds, and
 * runs them all. Prints the cost of each suite against its budget, what was only sampled, and what was
 * skipped or failed, and ends with the counts. Ends all leftover processes, and fails if a test left any.
 */
const ENDING_MS = 3000;
const MARK = { name: 'HYPERAGENT_TEST_RUN', value: `${process.pid}-${Date.now()}` };
const startedAt = performance.now();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface TestOptions {
  readonly seed: number;
  /** Run every case instead of samples. */
  readonly all: boolean;
  /** Passed on to vitest. */
  readonly args: readonly string[];
}

/** Separates our options from those of vitest. Exits with 2 if the seed is not a whole number. */
function readArguments(given: readonly string[]): TestOptions {
  const args = given.flatMap((one) => (one.startsWith('--seed=') ? ['--seed', one.slice(7)] : one));
  const at = args.indexOf('--seed');
  const [, text] = at === -1 ? [] : args.splice(at, 2);
  if (at !== -1 && !/^\d{1,10}$/.test(text ?? '')) {
    process.stderr.write(`--seed takes a whole number, not "${text ?? ''}".\n`);
    process.exit(2);
  }
  const all = args.includes('--all');
  const seed = Number(text ?? process.env.HYPERAGENT_TEST_SEED ?? seedOfCommit()) >>> 0;
  return { seed, all, args: args.filter((one) => one !== '--all') };
}

interface VitestRun extends TestOptions {
  readonly suites: readonly string[];
  /** The file for the results: `TestResults` as JSON. */
  readonly report: string;
  /** The file for notes of test files, one JSON object per line. */
  readonly notes: string;
}

function runVitest({ seed, all, args, suites, report, notes }: VitestRun): Promise<number> {
  const reporter = join(ROOT, 'scripts/test/results-reporter.ts');
  const own = ['run', '--passWithNoTests', '--reporter=default', `--reporter=${reporter}`];
  const ours = suites.map((name) => `--project=${name}`);
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...own, ...ours, ...args],
      {
        cwd: ROOT,
        stdio: 'inherit',
        env: {
          ...process.env,
          [MARK.name]: MARK.value,
          HYPERAGENT_TEST_SEED: String(seed),
          HYPERAGENT_TEST_ALL: all ? '1' : '0',
          HYPERAGENT_TEST_NOTES: notes,
          [RESULTS_VARIABLE]: report,
          // Most processes load the same modules, so each is compiled only once.
          NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
        },
      },
    );
    // Ctrl+C reaches vitest directly; this process waits for it and then cleans up.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Whether the arguments select files of a suite, or name no file. */
function mayRun(suite: string, args: readonly string[]): boolean {
  const named = args.filter((one) => !one.startsWith('-'));
  const files = globSync([...(SUITES.find(({ name }) => name === suite)?.include ?? [])], {
    cwd: ROOT,
  });
  return named.length === 0 || files.some((file) => named.some((part) => file.includes(part)));
}

/** Ends processes that tests left running. Resolves to a line for each. */
async function endLeftovers(): Promise<string[]> {
  const mark = `${MARK.name}=${MARK.value}`;
  const deadline = performance.now() + ENDING_MS;
  while (findLeftovers(mark).length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return findLeftovers(mark).map(({ pid, command, testFile }) => {
    endNow(pid);
    return `${testFile ?? 'a process'}: left behind ${pid} ${command.slice(0, 200)}`;
  });
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended by itself since it was found.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function sayCounts({ passed, skipped, failures, skippedSuites }: TestCounts): void {
  for (const [suite, count] of skippedSuites) say(`skipped: ${suite} (${count})`);
  for (const failure of failures) say(`failed: ${failure}`);
  say(`${passed} passed, ${failures.length} failed, ${skipped} skipped`);
}

const options = readArguments(process.argv.slice(2));
const { seed } = options;
const folder = mkdtempSync(join(tmpdir(), 'hyperagent-test-'));
const notes = process.env.HYPERAGENT_TEST_NOTES ?? join(folder, 'notes.jsonl');
const needsDocker = mayRun('docker', options.args);

/** Runs suites. What vitest fails for beside its results, a setup for example, counts as one failure. */
async function runSuites(suites: readonly string[], report: string): Promise<TestCounts> {
  const code = await runVitest({ ...options, suites, report: join(folder, report), notes });
  const counts = existsSync(join(folder, report)) ? readCounts(join(folder, report)) : NO_COUNTS;
  if (code === 0 || counts.failures.length > 0) return counts;
  return { ...counts, failures: [`vitest ended with exit code ${code}; its output says why`] };
}

try {
  await preflight();
  say(`seed ${seed}: npm test -- --seed ${seed} takes the same samples`);
  // The image is built while the other suites run.
  const docker = needsDocker ? provideDocker() : null;
  const parts: TestCounts[] = [];
  const isBuilt = build();
  const others = SUITES.map(({ name }) => name).filter((name) => name !== 'docker');
  if (isBuilt) parts.push(await runSuites(others, 'first.json'));
  else parts.push({ ...NO_COUNTS, failures: ['the build, so that nothing was run'] });
  const stopDocker = await docker;
  if (needsDocker && isBuilt) parts.push(await runSuites(['docker'], 'second.json'));
  parts.push({ ...NO_COUNTS, failures: await endLeftovers() });
  await stopDocker?.();
  const counts = addCounts(parts);
  process.exitCode = counts.failures.length > 0 ? 1 : 0;
  const noted = readNotes(notes);
  for (const line of [...sampleLines(noted), ...costLines(noted)]) say(line);
  say(`seed ${seed}; ${Math.round((performance.now() - startedAt) / 1000)} s`);
  sayCounts(counts);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
