import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-state.ts';

/**
 * `npm run check [-- --static]`: types, lint and format, and the unit tests, in parallel; `--static` leaves
 * out the tests. Prints what failed, and exits with 1 on failure.
 */
interface Task {
  readonly name: string;
  readonly args: readonly string[];
}

const CACHE = join(ROOT, 'node_modules/.cache');
const bin = (path: string): string => join(ROOT, 'node_modules', path);
const types = (project: string): Task => ({
  name: `types of ${project}`,
  args: [
    bin('typescript/bin/tsc'),
    ...['-p', `tsconfig.${project}.json`, '--incremental'],
    ...['--tsBuildInfoFile', join(CACHE, `types-${project}.tsbuildinfo`)],
  ],
});

const TASKS: readonly Task[] = [
  types('main'),
  types('renderer'),
  types('contract'),
  types('page'),
  { name: 'lint and format', args: [bin('@biomejs/biome/bin/biome'), 'check'] },
];
const UNIT_TESTS: Task = {
  name: 'unit tests',
  args: [bin('vitest/vitest.mjs'), 'run', '--project', 'unit', '--reporter=dot'],
};

/** Runs a task, prints its output if it fails, and resolves to whether it passed. */
function run({ name, args }: Task): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(CACHE, 'compiled') },
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${name} (${seconds} s)\n`);
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

mkdirSync(CACHE, { recursive: true });
const tasks = process.argv.includes('--static') ? TASKS : [...TASKS, UNIT_TESTS];
const passed = await Promise.all(tasks.map(run));
process.exitCode = passed.every(Boolean) ? 0 : 1;
