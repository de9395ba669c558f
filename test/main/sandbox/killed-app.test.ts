import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { delay } from '#main/base/abort.ts';
import { DockerProvider } from '#main/sandbox/docker-provider/docker-provider.ts';
import { LandlockProvider } from '#main/sandbox/landlock-provider/landlock-provider.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { describeSandboxProvider } from '../../conformance/sandbox-provider.ts';
import { providerParts } from './provider-parts.ts';

let dir: string;
let workspaceDir: string;
const never = new AbortController().signal;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hyperagent-killed-'));
  workspaceDir = join(dir, 'workspace');
  await mkdir(workspaceDir);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const tick = (): Promise<string> => readFile(join(workspaceDir, 'tick'), 'utf8').catch(() => '');

/** Starts an app with a command that never ends, and kills the app. */
async function killApp(kind: 'docker' | 'os' | 'landlock'): Promise<void> {
  const script = join(import.meta.dirname, 'children/hold-runtime.ts');
  const app = spawn(process.execPath, [script, kind, dir, workspaceDir], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(app, 'exit');
  while ((await tick()) === '') {
    if (app.exitCode !== null) throw new Error('the app ended by itself');
    await delay(20, never);
  }
  app.kill('SIGKILL');
  await ended;
}

async function isTicking(): Promise<boolean> {
  const before = await tick();
  await delay(300, never);
  return (await tick()) !== before;
}

const os = new BubblewrapProvider(providerParts(tmpdir()));
await describeSandboxProvider('an app that is killed, with bubblewrap', os, () => {
  test('takes everything in its sandboxes with it', async () => {
    await killApp('os');
    await delay(100, never);
    expect(await isTicking()).toBe(false);
  });
});

const landlock = new LandlockProvider(providerParts(tmpdir()));
await describeSandboxProvider('an app that is killed, with Landlock', landlock, () => {
  test('takes everything in its sandboxes with it, and its folders go at the next start', async () => {
    await killApp('landlock');
    await expect.poll(isTicking).toBe(false);
    const runs = join(dir, 'state', 'landlock');
    expect(await readdir(runs)).toHaveLength(1);
    const other = join(dir, 'other');
    await mkdir(other);
    const limits = { memoryBytes: 2 ** 28, cpus: 1, pids: 64, fileBytes: 2 ** 20 };
    const spec = { key: 'unified:test:next', workspaceDir: other, limits };
    const next = await new LandlockProvider(providerParts(dir)).start(spec, never);
    expect(await readdir(runs)).toHaveLength(1);
    await next[Symbol.asyncDispose]();
    expect(await readdir(runs)).toEqual([]);
  });
});

const docker = new DockerProvider(providerParts(tmpdir()));
await describeSandboxProvider('an app that is killed, with Docker', docker, () => {
  test('leaves no container after the next start', async () => {
    // The engine does not know that the app is gone; that is what the labels are for. The start of another
    // suite may remove it as well, so the state in between is not checked.
    await killApp('docker');
    const other = join(dir, 'other');
    await mkdir(other);
    const limits = { memoryBytes: 2 ** 28, cpus: 1, pids: 64, fileBytes: 2 ** 20 };
    const spec = { key: 'unified:test:next', workspaceDir: other, limits };
    await using _next = await new DockerProvider(providerParts(dir)).start(spec, never);
    expect(await isTicking()).toBe(false);
  });
});
