import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedOfCommit } from '../test/setup/sampling.ts';
import { SUITES } from '../test/suites.ts';
import { build, ROOT } from './build-state.ts';
import { preflight, provideDocker } from './preflight.ts';
import { addCounts, readCounts, type TestCounts } from './test/counts.ts';
import { findLeftovers } from './test/leftovers.ts';
import { costLines, readNotes, sampleLines } from './test/report.ts';

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
  /** The file for the results, as JSON. */
  readonly report: string;
  /** The file for notes of test files, one JSON object per line. */
  readonly notes: string;
}

function runVitest({ seed, all, args, suites, report, notes }: VitestRun): Promise<number> {
  const own = ['run', '--passWithNoTests', '--reporter=default', '--reporter=json'];
  const ours = [`--outputFile.json=${report}`, ...suites.map((name) => `--project=${name}`)];
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

/** Ends processes that tests left running. Resolves to whether there were any. */
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

function sayCounts({ passed, failed, skipped, failures, skippedSuites }: TestCounts): void {
  for (const [suite, count] of skippedSuites) say(`skipped: ${suite} (${count})`);
  for (const failure of failures) say(`failed: ${failure}`);
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
}

const options = readArguments(process.argv.slice(2));
const { seed } = options;
const folder = mkdtempSync(join(tmpdir(), 'hyperagent-test-'));
const notes = process.env.HYPERAGENT_TEST_NOTES ?? join(folder, 'notes.jsonl');
const reports = [join(folder, 'first.json'), join(folder, 'second.json')] as const;
const names = SUITES.map(({ name }) => name);
const needsDocker = mayRun('docker', options.args);
try {
  await preflight();
  say(`seed ${seed}: npm test -- --seed ${seed} takes the same samples`);
  // The image is built while the other suites run.
  const docker = needsDocker ? provideDocker() : null;
  let code = build() ? 0 : 1;
  if (code === 0) {
    const others = names.filter((name) => name !== 'docker');
    code = await runVitest({ ...options, suites: others, report: reports[0], notes });
  }
  const stopDocker = await docker;
  if (needsDocker && existsSync(reports[0])) {
    code += await runVitest({ ...options, suites: ['docker'], report: reports[1], notes });
  }
  const leftSomething = await endLeftovers();
  await stopDocker?.();
  const written = reports.filter((report) => existsSync(report));
  const counts = addCounts(written.map(readCounts));
  if (written.length === 0) counts.failed += 1;
  process.exitCode = code !== 0 || leftSomething || counts.failed > 0 ? 1 : 0;
  const noted = readNotes(notes);
  for (const line of [...sampleLines(noted), ...costLines(noted)]) say(line);
  say(`seed ${seed}; ${Math.round((performance.now() - startedAt) / 1000)} s`);
  sayCounts(counts);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
