import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './debian-packages.ts';

const SOCKET = '/var/run/docker.sock';
const START_MS = 30_000;
const PULL_MS = 60_000;
/** What `resources/sandbox/Dockerfile` begins with. */
const BASE_IMAGE = 'debian:bookworm-slim';

/** An engine that was started here and ends here. */
export interface StartedEngine {
  stop(): Promise<void>;
}

/** Whether an engine answers. */
export function isEngineUp(): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get({ socketPath: SOCKET, path: '/_ping', timeout: 5000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/** Starts `dockerd`; null when it does not come up, with its last words on standard error. */
export async function startEngine(): Promise<StartedEngine | null> {
  const dockerd = findProgram('dockerd');
  if (dockerd === null || process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-dockerd-'));
  const log = openSync(join(folder, 'dockerd.log'), 'w');
  const child = spawn(dockerd, ['--pidfile', join(folder, 'dockerd.pid')], {
    stdio: ['ignore', log, log],
    // A Ctrl+C at the terminal is for the tests; the engine is stopped after them.
    detached: true,
  });
  const stop = async (): Promise<void> => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    if (await isEngineUp()) return { stop };
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await stop();
  return null;
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.on('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

function docker(args: readonly string[], timeout: number): boolean {
  return spawnSync('docker', args, { stdio: 'ignore', timeout }).status === 0;
}

/** How the base image came to be here; null when it cannot be had. */
export function provideBaseImage(): 'present' | 'pulled' | 'made' | null {
  if (docker(['image', 'inspect', BASE_IMAGE], 10_000)) return 'present';
  if (docker(['pull', '--quiet', BASE_IMAGE], PULL_MS)) return 'pulled';
  return makeBaseImage() ? 'made' : null;
}

/** The same image from Debian's own packages, for machines that reach no registry. */
function makeBaseImage(): boolean {
  if (findProgram('debootstrap') === null || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-base-'));
  const root = join(folder, 'rootfs');
  try {
    const { status } = spawnSync('debootstrap', ['--variant=minbase', 'bookworm', root], {
      stdio: 'ignore',
      timeout: 10 * 60_000,
    });
    if (status !== 0) return false;
    const imported = spawnSync(
      'sh',
      ['-c', 'tar -C "$1" -c . | docker import - "$2"', 'sh', root, BASE_IMAGE],
      { stdio: 'ignore', timeout: 5 * 60_000 },
    );
    return imported.status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
