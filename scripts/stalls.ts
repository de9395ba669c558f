import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build, ROOT } from './build-state.ts';

/**
 * `npm run stalls -- [vitest arguments]`: runs tests while each of their Node processes, workers and apps
 * alike, is stopped at random for up to a few seconds, as on a busy computer. A test that passes alone but
 * fails here depends on timing. Linux only.
 */
const STOPPED_MS = 2_400;
const RUNNING_MS = 1_800;
const SCAN_EVERY_MS = 50;

if (process.platform !== 'linux') {
  process.stderr.write('This needs /proc and runs only on Linux.\n');
  process.exit(1);
}
if (!build()) process.exit(1);

const vitest = spawn(
  process.execPath,
  [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
);
const isOver = new AbortController();
// Ctrl+C reaches vitest directly; stopped processes are continued before this exits.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => vitest.kill('SIGTERM'));
vitest.on('exit', (code) => {
  process.exitCode = code ?? 1;
  isOver.abort();
});

const stalled = new Set<number>();
let stops = 0;
while (!isOver.signal.aborted) {
  for (const { pid, parent } of nodesUnder(vitest.pid)) {
    if (stalled.has(pid)) continue;
    stalled.add(pid);
    void stallRepeatedly(pid, parent);
  }
  await pause(SCAN_EVERY_MS);
}
process.stdout.write(`${stalled.size} processes were stopped ${stops} times\n`);

/** Stops and continues a process until it or the tests end. Never leaves it stopped. */
async function stallRepeatedly(pid: number, parent: number): Promise<void> {
  while (!isOver.signal.aborted) {
    await pause(Math.random() * RUNNING_MS);
    if (isOver.signal.aborted || !signalled(pid, 'SIGSTOP')) return;
    stops += 1;
    await pause(Math.random() * STOPPED_MS);
    signalled(pid, 'SIGCONT');
    // `script`, which provides a test's terminal, stops together with its child.
    signalled(parent, 'SIGCONT');
  }
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // The process has ended.
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
