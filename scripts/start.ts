import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, isBuildStale, ROOT } from './build-state.ts';
import { findElectron } from './electron-runtime.ts';

/**
 * `npm start`: builds what is stale and opens the desktop app. Where Electron cannot run it says why
 * in one line and opens the browser door, which shows the same app.
 */
const STARTUP_FAILURE_MS = 5000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs `command` in the foreground; gives its exit code, 1 for a death by signal. */
function run(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit' });
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGINT', forward);
    process.on('SIGTERM', forward);
    child.on('error', (error) => {
      say(`${command} could not be started: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code) => {
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      resolve(code ?? 1);
    });
  });
}

function openBrowserDoor(why: string): Promise<number> {
  say(`Opening the browser door: ${why}.`);
  return run(process.execPath, [join(ROOT, 'out/main/web.js'), ...process.argv.slice(2)]);
}

async function start(): Promise<number> {
  if (isBuildStale()) {
    say('Building HyperAgent…');
    if (!build()) return 1;
  }
  const electron = await findElectron();
  if ('problem' in electron) return openBrowserDoor(electron.problem);
  const startedAt = Date.now();
  const code = await run(electron.path, [ROOT, ...process.argv.slice(2)]);
  if (code === 0 || Date.now() - startedAt > STARTUP_FAILURE_MS) return code;
  return openBrowserDoor('Electron stopped while it was starting, with the message above');
}

process.exitCode = await start();
