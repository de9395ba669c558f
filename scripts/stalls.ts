import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build, ROOT } from './build-state.ts';

/**
 * `npm run stalls -- [vitest arguments]`: runs tests while every Node process of theirs, workers and apps
 * alike, stands still now and then for up to some seconds, each by itself: a computer with other work, as often as
 * one likes. A test that passes alone and fails here waits for a clock. Linux only.
 */
const STILL_MS = 2_400;
const MOVING_MS = 1_800;
const LOOK_EVERY_MS = 50;

if (process.platform !== 'linux') {
  process.stderr.write('This looks for processes in /proc, which only Linux has.\n');
  process.exit(1);
}
if (!build()) process.exit(1);

const vitest = spawn(
  process.execPath,
  [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
);
const isOver = new AbortController();
// Ctrl+C reaches vitest by itself; what stands still goes on before this ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => vitest.kill('SIGTERM'));
vitest.on('exit', (code) => {
  process.exitCode = code ?? 1;
  isOver.abort();
});

const followed = new Set<number>();
let stops = 0;
while (!isOver.signal.aborted) {
  for (const { pid, parent } of nodesUnder(vitest.pid)) {
    if (followed.has(pid)) continue;
    followed.add(pid);
    void stallNowAndThen(pid, parent);
  }
  await pause(LOOK_EVERY_MS);
}
process.stdout.write(`${followed.size} processes were stopped ${stops} times\n`);

/** Until it is over, or the tests are. It never stays stopped. */
async function stallNowAndThen(pid: number, parent: number): Promise<void> {
  while (!isOver.signal.aborted) {
    await pause(Math.random() * MOVING_MS);
    if (isOver.signal.aborted || !signalled(pid, 'SIGSTOP')) return;
    stops += 1;
    await pause(Math.random() * STILL_MS);
    signalled(pid, 'SIGCONT');
    // `script`, which gives a test its terminal, stops with what it started.
    signalled(parent, 'SIGCONT');
  }
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // It has ended.
    return false;
  }
}

/** The Node processes that `ancestor` started, however indirectly. */
function nodesUnder(ancestor: number | undefined): { pid: number; parent: number }[] {
  const parents = new Map<number, number>();
  const nodes: { pid: number; parent: number }[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // "pid (name) state parent ...": the name may hold spaces and brackets.
    const [, parent] = /.*\) \S (\d+)/s.exec(read(`/proc/${name}/stat`)) ?? [];
    if (parent === undefined) continue;
    parents.set(Number(name), Number(parent));
    const [program = ''] = read(`/proc/${name}/cmdline`).split('\0');
    if (basename(program) === 'node') nodes.push({ pid: Number(name), parent: Number(parent) });
  }
  const isUnder = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === ancestor || isUnder(parent));
  };
  return nodes.filter(({ pid }) => isUnder(pid));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // It ended meanwhile.
    return '';
  }
}
