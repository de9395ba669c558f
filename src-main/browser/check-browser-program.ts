import { spawn } from 'node:child_process';
import { AppError } from '#contract/errors.ts';
import { browserEnvironment } from './browser-environment.ts';

const CHECK_MS = 20_000;
const NAMES = /chrom|edge|brave|vivaldi|opera/i;
const MOST_CHARS = 10_000;

/**
 * Throws `BROWSER_UNAVAILABLE` for a program that does not call itself a browser of the Chromium family: what such a
 * program writes would be read as the protocol of one. Not on Windows, where browsers do not print their version.
 */
export async function checkBrowserProgram(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  const problem = await problemOf(file);
  if (problem === null) return;
  throw new AppError(
    'BROWSER_UNAVAILABLE',
    `${file} is no browser that the agent can use: ${problem}. Install Chrome, Edge or Chromium.`,
  );
}

function problemOf(file: string): Promise<string | null> {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    // A group of its own, so that nothing that it started is left.
    const env = browserEnvironment(process.env);
    const child = spawn(file, ['--version'], { stdio: [...stdio], detached: true, env });
    let said = '';
    const end = (problem: string | null): void => {
      clearTimeout(timer);
      if (child.pid !== undefined) killGroup(child.pid);
      resolve(problem);
    };
    const timer = setTimeout(() => end(`it says nothing for ${CHECK_MS / 1000} s`), CHECK_MS);
    child.on('error', (error) => end(error.message.slice(0, 200)));
    child.stdout.on('data', (bytes: Buffer) => {
      said = `${said}${bytes}`.slice(0, MOST_CHARS);
      if (NAMES.test(said)) end(null);
    });
    child.on('exit', () => {
      // What it wrote last may still be on its way.
      setImmediate(() =>
        end(NAMES.test(said) ? null : `it says it is "${said.trim().slice(0, 80)}"`),
      );
    });
  });
}

/** Kills a process with all that is in its group. One that is gone is fine. */
export function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
