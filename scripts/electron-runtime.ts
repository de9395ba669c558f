import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-state.ts';

const PACKAGE = join(ROOT, 'node_modules', 'electron');
const REACHABLE_WITHIN_MS = 4000;
const DOWNLOAD_WITHIN_MS = 10 * 60_000;

export type ElectronRuntime = { readonly path: string } | { readonly problem: string };

/** The Electron executable, downloaded if necessary, or the reason why it cannot run here, as part of a sentence. */
export async function findElectron(): Promise<ElectronRuntime> {
  const obstacle = describeObstacle();
  if (obstacle !== null) return { problem: obstacle };
  const present = installedPath();
  if (present !== null) return { path: present };
  if (!(await isDownloadReachable())) {
    return { problem: 'the Electron runtime is not installed and its server cannot be reached' };
  }
  process.stdout.write('Downloading the Electron runtime, once…\n');
  await install();
  const path = installedPath();
  return path === null ? { problem: 'the Electron runtime could not be installed' } : { path };
}

/** Why Electron cannot run on this machine, downloaded or not; null if it can. */
export function describeObstacle({ asRoot = false } = {}): string | null {
  if (process.platform !== 'linux') return null;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return 'there is no display for the desktop window';
  }
  if (process.getuid?.() === 0 && !asRoot) {
    return 'Electron has no sandbox of its own when it runs as root';
  }
  return null;
}

/** Path of the runtime; null if it was not downloaded. */
export function installedPath(): string | null {
  const pathFile = join(PACKAGE, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const path = join(PACKAGE, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(path) ? path : null;
}

/** A quick request, so that a machine without a network does not wait for the download to fail. */
async function isDownloadReachable(): Promise<boolean> {
  const url =
    process.env.ELECTRON_MIRROR ??
    process.env.npm_config_electron_mirror ??
    'https://github.com/electron/electron/releases';
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(REACHABLE_WITHIN_MS) });
    return true;
  } catch {
    // No answer in time, whatever the reason.
    return false;
  }
}

function install(): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(PACKAGE, 'install.js')], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: DOWNLOAD_WITHIN_MS,
    });
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  });
}
