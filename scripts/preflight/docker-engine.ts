import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineClient } from '../../src-main/sandbox/docker-provider/engine-client.ts';
import {
  buildImage,
  findImageId,
  readSandboxImage,
} from '../../src-main/sandbox/docker-provider/sandbox-image.ts';
import { ROOT } from '../build-state.ts';
import { findProgram } from './debian-packages.ts';

const SOCKET = '/var/run/docker.sock';
const START_MS = 30_000;
const ANSWER_MS = 30_000;
const PULL_MS = 60_000;
const BUILD_MS = 15 * 60_000;
/** The base image of `resources/sandbox/Dockerfile`. */
const BASE_IMAGE = 'debian:bookworm-slim';

/** An engine that was started here and must be stopped here. */
export interface StartedEngine {
  stop(): Promise<void>;
}

/**
 * Whether an engine answers. Waits for a busy one, because a second engine would take over its socket.
 */
export function isEngineUp(): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { socketPath: SOCKET, path: '/_ping', timeout: ANSWER_MS };
    const request = http.get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/** Starts `dockerd`. Null if it does not come up. */
export async function startEngine(): Promise<StartedEngine | null> {
  const dockerd = findProgram('dockerd');
  if (dockerd === null || process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-dockerd-'));
  const log = openSync(join(folder, 'dockerd.log'), 'w');
  const child = spawn(dockerd, ['--pidfile', join(folder, 'dockerd.pid')], {
    stdio: ['ignore', log, log],
    // Ctrl+C at the terminal is for the tests; the engine is stopped after them.
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

/** Whether a program succeeded within its time limit. */
function succeeds(command: string, args: readonly string[], timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', timeout });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}

/** How the base image was provided; null if it is not available. */
export async function provideBaseImage(): Promise<'present' | 'pulled' | 'made' | null> {
  if (await succeeds('docker', ['image', 'inspect', BASE_IMAGE], 10_000)) return 'present';
  if (await succeeds('docker', ['pull', '--quiet', BASE_IMAGE], PULL_MS)) return 'pulled';
  return (await makeBaseImage()) ? 'made' : null;
}

/** Builds the same image from Debian packages, for machines without access to a registry. */
async function makeBaseImage(): Promise<boolean> {
  if (findProgram('debootstrap') === null || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-base-'));
  const root = join(folder, 'rootfs');
  try {
    const minimal = ['--variant=minbase', 'bookworm', root];
    if (!(await succeeds('debootstrap', minimal, 10 * 60_000))) return false;
    const load = 'tar -C "$1" -c . | docker import - "$2"';
    return await succeeds('sh', ['-c', load, 'sh', root, BASE_IMAGE], 5 * 60_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Provides the sandbox image: builds it as the app does, unless it is present. Resolves to a report line;
 * one that starts with `no` says why there is no image.
 */
export async function provideSandboxImage(): Promise<string> {
  const image = await readSandboxImage(join(ROOT, 'resources/sandbox'));
  const client = new EngineClient(SOCKET);
  try {
    if ((await findImageId(client, image.tag)) !== null) return 'sandbox image: present';
    const options = { environment: process.env, onProgress: () => undefined };
    await buildImage(client, image, { ...options, signal: AbortSignal.timeout(BUILD_MS) });
    return 'sandbox image: built';
  } catch (error) {
    return `no sandbox image: ${error instanceof Error ? error.message : String(error)}`;
  }
}
