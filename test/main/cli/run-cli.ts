import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const ENTRY = join(import.meta.dirname, '../../fakes/app/cli-entry.ts');

/** Cannot be made into a folder, whoever runs the tests: what a program keeps for its user goes nowhere. */
const NO_HOME = '/dev/null';

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly result: Promise<CliResult>;
  /** Resolves once standard output holds `text`; rejects where it ends without. */
  saw(text: string): Promise<void>;
}

export interface CliOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** The program that is started, if not the one on the fake app. */
  readonly entry?: string;
  /** The folder that it is started in. */
  readonly cwd?: string;
}

/** Starts the CLI on the fake app, as a process of its own with pipes for its streams. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const { entry = ENTRY, cwd } = options;
  const child = spawn(process.execPath, [entry, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: NO_HOME, ...options.env },
  });
  child.stdin.end(options.stdin ?? '');
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    for (const watcher of watchers) watcher();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const result = new Promise<CliResult>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const saw = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stdout.includes(text)) resolve();
      };
      watchers.add(look);
      look();
      void result.then(() => reject(new Error(`It ended without “${text}”: ${stderr}`)));
    });
  return { child, result, saw };
}

export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).result;
}
