import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DockerProvider } from '#main/sandbox/docker-provider/docker-provider.ts';
import { LandlockProvider } from '#main/sandbox/landlock-provider/landlock-provider.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import type { SandboxProvider, SandboxRuntime } from '#main/sandbox/types.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { median } from './core/measure.ts';

/**
 * What each local sandbox costs:
 *
 *   npm run bench sandbox
 *
 * The start of a runtime, a command in the warm one, a fork and a change of a mode, and a CSV of a million rows that
 * Python totals; beside the same without a sandbox, and the memory of the app's processes around it. All in one run.
 */

const run = promisify(execFile);
const never = new AbortController().signal;
const STARTS = 7;
const COMMANDS = 40;
const TOTALS = 3;

const dir = mkdtempSync(join(homedir(), '.hyperagent-bench-'));
const rows = Array.from(
  { length: 1_000_000 },
  (_, row) => `${row},name${row % 977},${row % 1000}\n`,
);
const csv = `id,name,value\n${rows.join('')}`;

const TOTAL = `import csv
total = 0
with open("rows.csv", newline="") as file:
    for row in csv.DictReader(file): total += int(row["value"])
print(total)`;
const FORKS = 'for i in {1..200}; do ( : ); done';
const MODES = `import os, time
open("mode", "w").close()
for i in range(2000): os.chmod("mode", 0o600 + i % 8)`;

async function timed(work: () => Promise<unknown>, count: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}

function command(runtime: SandboxRuntime, language: 'bash' | 'python', code: string) {
  return async (): Promise<void> => {
    const result = await runtime.run(
      { commandId: 'c', language, code, timeoutMs: 120_000 },
      { signal: never, onOutput: () => undefined },
    );
    if (result.exitCode !== 0) throw new Error(`${result.outcome}: ${result.stderr}`);
  };
}

type Figures = Readonly<Record<'start' | 'warm' | 'fork' | 'chmod' | 'csv', number>>;

function print(name: string, figures: Figures, memory: string): void {
  const ms = (value: number, digits: number): string => `${value.toFixed(digits)} ms`.padStart(11);
  const { start, warm, fork, chmod, csv: total } = figures;
  const cells = [ms(start, 0), ms(warm, 2), ms(fork, 2), ms(chmod, 3), ms(total, 0)];
  process.stdout.write(`${name.padEnd(12)}${cells.join('')}  ${memory}\n`);
}

async function native(): Promise<Figures> {
  const cwd = join(dir, 'native');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'rows.csv'), csv);
  const start = await timed(() => run('bash', ['-c', 'true']), COMMANDS);
  return {
    ...{ start, warm: start },
    fork: (await timed(() => run('bash', ['-c', FORKS]), TOTALS)) / 200,
    chmod: (await timed(() => run('python3', ['-c', MODES], { cwd }), TOTALS)) / 2000,
    csv: await timed(() => run('python3', ['-c', TOTAL], { cwd }), TOTALS),
  };
}

async function measure(name: string, provider: SandboxProvider): Promise<void> {
  const state = await provider.inspect(never);
  if (state.status !== 'ready') {
    process.stdout.write(`${name}: not measured, ${state.detail}. ${state.remedy}\n`);
    return;
  }
  const workspaceDir = join(dir, `workspace-${name}`);
  mkdirSync(workspaceDir);
  const limits = { memoryBytes: 2 ** 30, cpus: 2, pids: 128, fileBytes: 2 ** 30 };
  const spec = { key: `unified:bench:${name}`, workspaceDir, limits };
  const start = await timed(async () => {
    const runtime = await provider.start(spec, never);
    await runtime[Symbol.asyncDispose]();
  }, STARTS);
  await using runtime = await provider.start(spec, never);
  writeFileSync(join(workspaceDir, 'rows.csv'), csv);
  await command(runtime, 'bash', 'true')();
  print(
    name,
    {
      start,
      warm: await timed(command(runtime, 'bash', 'true'), COMMANDS),
      fork: (await timed(command(runtime, 'bash', FORKS), TOTALS)) / 200,
      chmod: (await timed(command(runtime, 'python', MODES), TOTALS)) / 2000,
      csv: await timed(command(runtime, 'python', TOTAL), TOTALS),
    },
    `${childrenMegabytes()} MB beside the shell`,
  );
}

/** Memory of the processes that the app started directly: bwrap, the launcher, none for Docker. */
function childrenMegabytes(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1');
  const kilobytes = children
    .trim()
    .split(' ')
    .filter(Boolean)
    .map((pid) => {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    });
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024);
}

try {
  process.stdout.write(`${''.padEnd(12)}      start  warm call     a fork    a chmod   CSV, 1e6\n`);
  print('native', await native(), '');
  await measure('landlock', new LandlockProvider(providerParts(dir)));
  await measure('bubblewrap', new BubblewrapProvider(providerParts(dir)));
  await measure('docker', new DockerProvider(providerParts(dir)));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
