import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This file must run on Node 16, which is too old for the rest of the app. */

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The Node of the npm package `node`; null if it is not installed. */
export function findPackagedNode(entryUrl: string): string | null {
  try {
    const manifest = createRequire(entryUrl).resolve('node/package.json');
    const name = process.platform === 'win32' ? 'node.exe' : 'node';
    const file = join(dirname(manifest), 'bin', name);
    return existsSync(file) ? file : null;
  } catch {
    // Not installed: the caller reports it.
    return null;
  }
}

export interface Relaunch {
  readonly entryUrl: string;
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the entry on `node` and exits with its exit code or signal. */
export function runOn(node: string, { entryUrl, env }: Relaunch): void {
  const args = [...process.execArgv, fileURLToPath(entryUrl), ...process.argv.slice(2)];
  const child = spawn(node, args, {
    // The channel carries nothing; its end signals the child that this process is gone.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`HyperAgent could not start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const forwarded of FORWARDED) process.removeAllListeners(forwarded);
    process.kill(process.pid, signal);
  });
}
