import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, isBuildStale, ROOT } from './build-state.ts';
import { findElectron } from './electron-runtime.ts';

/**
 * `npm start`: builds if necessary and opens the desktop app. If Electron cannot run, it says why in one
 * line and opens the web UI, which shows the same app.
 */
const STARTUP_FAILURE_MS = 5000;
/** The exit code of shells for a program that cannot run. */
const CANNOT_RUN = 127;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs `command` in the foreground. */
function run(command: string, args: readonly string[]): Promise<End> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit' });
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGINT', forward);
    process.on('SIGTERM', forward);
    const end = (how: End): void => {
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      resolve(how);
    };
    child.on('error', (error) => {
      say(`${command} could not be started: ${error.message}`);
      end({ code: CANNOT_RUN, signal: null });
    });
    child.on('exit', (code, signal) => end({ code, signal }));
  });
}

/** Whether Electron itself failed: killed by its own checks, or a library is missing. */
function isBroken({ code, signal }: End, lastedMs: number): boolean {
  const died = signal !== null && signal !== 'SIGINT' && signal !== 'SIGTERM';
  return lastedMs < STARTUP_FAILURE_MS && (died || code === CANNOT_RUN);
}

async function openWebUi(why: string): Promise<number> {
  say(`Opening the web UI: ${why}.`);
  const entryPoint = join(ROOT, 'out/main/web.js');
  const { code } = await run(process.execPath, [entryPoint, ...process.argv.slice(2)]);
  return code ?? 1;
}

async function start(): Promise<number> {
  if (isBuildStale()) {
    say('Building HyperAgent…');
    if (!build()) return 1;
  }
  const electron = await findElectron();
  if ('problem' in electron) return openWebUi(electron.problem);
  const startedAt = performance.now();
  const end = await run(electron.path, [ROOT, ...process.argv.slice(2)]);
  if (!isBroken(end, performance.now() - startedAt)) return end.code ?? 0;
  return openWebUi('Electron failed to start, see the message above');
}

process.exitCode = await start();
