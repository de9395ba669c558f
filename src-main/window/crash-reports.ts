import { mkdirSync } from 'node:fs';
import { app, crashReporter } from 'electron';
import { pruneCrashDumps } from '../diagnostics/crash-dumps.ts';

/**
 * Writes a crash dump of each process that crashes from here on to this folder, and keeps the newest ones. None is ever
 * sent: not by the app, and not by the reporter of macOS, which the main process would pass its crashes on to.
 */
export function keepCrashDumpsHere(crashesDir: string): void {
  try {
    // Electron refuses a folder that does not exist.
    mkdirSync(crashesDir, { recursive: true, mode: 0o700 });
    pruneCrashDumps(crashesDir);
  } catch {
    // The data folder cannot be used; opening it says so. Dumps would go to a folder that nobody knows.
    return;
  }
  app.setPath('crashDumps', crashesDir);
  crashReporter.start({ uploadToServer: false, ignoreSystemCrashHandler: true });
}
