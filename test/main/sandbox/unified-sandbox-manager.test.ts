import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Settings } from '#contract/settings.ts';
import type { SandboxChoice } from '#contract/vocabulary.ts';
import { delay } from '#main/base/abort.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { SandboxRuntime } from '#main/sandbox/types.ts';
import { UnifiedSandboxManager } from '#main/sandbox/unified-sandbox-manager.ts';
import { FakeProvider, memoryProofStore } from './fake-provider.ts';

let dir: string;
let docker: FakeProvider;
let os: FakeProvider;
let cloud: FakeProvider;
let chosen: SandboxChoice;
let manager: UnifiedSandboxManager;
let now: number;
const proofs = memoryProofStore();
const never = new AbortController().signal;

function newManager(idleMs?: number): UnifiedSandboxManager {
  return new UnifiedSandboxManager({
    providers: [docker, os, cloud],
    workspaceDir: (taskId) => join(dir, taskId),
    proofs,
    settings: () => Settings.parse({ sandbox: chosen }),
    clock: { ...systemClock, monotonic: () => now },
    logger: silentLogger,
    ...(idleMs === undefined ? {} : { idleMs }),
  });
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hyperagent-manager-'));
  docker = new FakeProvider('docker');
  os = new FakeProvider('os');
  cloud = new FakeProvider('e2b');
  chosen = 'auto';
  proofs.delete('docker');
  proofs.delete('os');
  now = 0;
  manager = newManager();
});
afterEach(async () => {
  await manager[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

const lines: string[] = [];
const runtime = (task = 't', choice: SandboxChoice = 'auto'): Promise<SandboxRuntime> =>
  manager.forTask(task, choice).runtime({ signal: never, onProgress: (line) => lines.push(line) });
const echo = (on: SandboxRuntime) =>
  on.run(
    { commandId: 'c', language: 'bash', code: 'echo', timeoutMs: 1 },
    { signal: never, onOutput: () => undefined },
  );
const missing = (kind: string) =>
  ({ status: 'unavailable', detail: `no ${kind}`, remedy: `Install ${kind}.` }) as const;
const unprepared = { ...missing('image'), status: 'needs_preparation' } as const;

describe('which sandbox', () => {
  test('auto: Docker when it is ready', async () => {
    expect((await runtime()).level).toBe('docker');
  });

  test('auto: that of the system if Docker has no image; nothing is prepared', async () => {
    docker.state = unprepared;
    expect((await runtime()).level).toBe('bubblewrap');
    expect(docker.calls).toEqual(['inspect']);
  });

  test('auto: Docker is prepared if nothing else is available and the caller takes progress, and reports it', async () => {
    docker.state = unprepared;
    os.state = missing('bubblewrap');
    lines.length = 0;
    const unasked = manager.forTask('t', 'auto').runtime({ signal: never, onProgress: null });
    await expect(unasked).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    expect((await runtime()).level).toBe('docker');
    expect(lines).toEqual(['Step 1/2']);
  });

  test('none: says what to do for each, and starts nothing', async () => {
    docker.state = missing('Docker');
    os.state = missing('bubblewrap');
    await expect(runtime()).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringMatching(/Install Docker\..*Install bubblewrap\./),
    });
    expect([...docker.calls, ...os.calls]).toEqual(['inspect', 'inspect']);
  });

  test('the selected one, never another', async () => {
    os.state = missing('bubblewrap');
    await expect(runtime('t', 'os')).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    expect(docker.calls).toEqual([]);
  });

  test('a cloud is never chosen automatically, nor inspected, even if there is nothing else', async () => {
    docker.state = missing('Docker');
    os.state = missing('bubblewrap');
    await expect(runtime()).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    await manager.report({ probe: true, signal: never });
    expect(cloud.calls).toEqual([]);
  });

  test('a cloud is used if selected, and in the report if it is the setting', async () => {
    expect((await runtime('t', 'e2b')).level).toBe('e2b');
    expect([...docker.calls, ...os.calls]).toEqual([]);
    chosen = 'e2b';
    const report = await manager.report({ probe: false, signal: never });
    expect(report.map(({ kind }) => kind)).toEqual(['docker', 'os', 'e2b']);
  });

  test('while it is up, a task stays with it', async () => {
    await runtime('t', 'os');
    docker.state = missing('Docker');
    now += 60_000;
    expect((await runtime('t', 'docker')).level).toBe('bubblewrap');
  });

  test('a state is remembered for some seconds', async () => {
    await Promise.all([runtime('a'), runtime('b')]);
    now += 4_000;
    await runtime('c');
    now += 6_000;
    await runtime('d');
    expect(docker.calls.filter((call) => call === 'inspect')).toHaveLength(2);
  });
});

describe('proof', () => {
  test('is made once, kept over restarts, and made again when the isolation may have changed', async () => {
    await Promise.all([runtime('a'), runtime('b')]);
    await manager[Symbol.asyncDispose]();
    manager = newManager();
    await runtime('a');
    expect(docker.calls.filter((call) => call === 'probe')).toHaveLength(1);
    docker.state = { status: 'ready', detail: 'fake', fingerprint: 'two' };
    now += 6_000;
    await runtime('c');
    expect(docker.calls.filter((call) => call === 'probe')).toHaveLength(2);
  });

  test('that fails refuses execution with its name, ends what was started, and is tried again', async () => {
    docker.probes = [{ name: 'engine_socket', held: false, detail: 'worked' }];
    await expect(runtime()).rejects.toMatchObject({
      code: 'SANDBOX_NOT_PROVEN',
      message: expect.stringContaining('engine_socket'),
    });
    expect(docker.calls).toEqual([
      'inspect',
      'probe',
      'start unified:local:t',
      'end unified:local:t',
    ]);
    expect(os.calls).toEqual(['inspect']);
    docker.probes = [{ name: 'engine_socket', held: true, detail: 'refused' }];
    expect((await runtime()).level).toBe('docker');
  });

  test('without probes does not count', async () => {
    docker.probes = [];
    await expect(runtime()).rejects.toMatchObject({ code: 'SANDBOX_NOT_PROVEN' });
  });

  test('is in the report, which does not fail with a provider', async () => {
    os.inspect = () => Promise.reject(new Error('broken'));
    docker.probes = [{ name: 'mounts', held: false, detail: '/usr is writable' }];
    const report = await manager.report({ probe: true, signal: never });
    expect(report).toEqual([
      {
        kind: 'docker',
        available: false,
        detail: 'fake; failed isolation probes: mounts',
        remedy: expect.any(String),
        probes: docker.probes,
      },
      { kind: 'os', available: false, detail: 'broken', remedy: expect.any(String), probes: [] },
    ]);
  });
});

describe('one runtime for each task', () => {
  test('however many ask, and another for another task', async () => {
    await Promise.all([runtime('a'), runtime('a'), runtime('b')]);
    expect(docker.calls.filter((call) => call.startsWith('start')).sort()).toEqual([
      'start unified:local:a',
      'start unified:local:b',
    ]);
  });

  test('a caller that stops waiting does not affect the others', async () => {
    let open = (): void => undefined;
    docker.gate = new Promise((resolve) => {
      open = resolve;
    });
    const controller = new AbortController();
    const given = manager
      .forTask('t', 'auto')
      .runtime({ signal: controller.signal, onProgress: () => undefined });
    const kept = runtime();
    controller.abort(new Error('stop'));
    await expect(given).rejects.toThrow('stop');
    open();
    expect((await kept).level).toBe('docker');
  });

  test('warm starts it ahead of time, prepares nothing, and callers in between get what they need', async () => {
    docker.state = unprepared;
    os.state = missing('bubblewrap');
    manager.warm('t', 'auto');
    expect((await runtime()).level).toBe('docker');
    expect(docker.calls.filter((call) => call === 'prepare')).toHaveLength(1);
    manager.warm('u', 'auto');
    await runtime('u');
    expect(docker.calls.filter((call) => call === 'start unified:local:u')).toHaveLength(1);
  });

  test('is ended when unused for long, but not during a command, and starts again', async () => {
    manager = newManager(60);
    const first = await runtime();
    let open = (): void => undefined;
    docker.commandGate = new Promise((resolve) => {
      open = resolve;
    });
    const running = echo(first);
    await delay(150, never);
    expect(docker.calls).not.toContain('end unified:local:t');
    open();
    await running;
    await delay(150, never);
    expect(docker.calls).toContain('end unified:local:t');
    await runtime();
    expect(docker.calls.filter((call) => call.startsWith('start'))).toHaveLength(2);
  });

  test('ends with its task, whose files are removed too', async () => {
    await runtime();
    await manager.forTask('t', 'auto').workspace.write('file', 'x');
    await manager.removeTask('t');
    expect([docker.calls.at(-1), existsSync(join(dir, 't'))]).toEqual([
      'end unified:local:t',
      false,
    ]);
  });

  test('lanes have runtimes of their own over its files, end alone, and with it', async () => {
    const task = manager.forTask('t', 'auto');
    const start = (of: Pick<typeof task, 'runtime'>) =>
      of.runtime({ signal: never, onProgress: () => undefined });
    await start(task);
    const one = task.shell('lane-2');
    await Promise.all([start(one), start(one.beside()), start(task.shell('lane-3'))]);
    expect([one.workspace.dir, task.shell('lane-2').workspace.dir]).toEqual([
      task.workspace.dir,
      task.workspace.dir,
    ]);
    const ended = () => docker.calls.filter((call) => call.startsWith('end')).sort();
    await one[Symbol.asyncDispose]();
    expect(ended()).toEqual(['end unified:local:t:lane-2', 'end unified:local:t:lane-2:calls']);
    await manager.release('t');
    expect(ended().slice(0, 2)).toEqual(['end unified:local:t', 'end unified:local:t:lane-2']);
    expect(docker.calls.filter((call) => call.startsWith('start')).length).toBe(ended().length);
  });

  test('all end with the app, also those that are still starting', async () => {
    await runtime('a');
    let open = (): void => undefined;
    docker.gate = new Promise((resolve) => {
      open = resolve;
    });
    const late = runtime('b').catch((error) => error.code);
    while (!docker.calls.includes('start unified:local:b')) await delay(5, never);
    const closing = manager[Symbol.asyncDispose]();
    open();
    await closing;
    await late;
    expect(docker.calls.filter((call) => call.startsWith('end')).sort()).toEqual([
      'end unified:local:a',
      'end unified:local:b',
    ]);
    await expect(runtime('c')).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('programs in the background', () => {
  const seen = (pid: number) => ({ id: `${pid} 1`, pid, command: `program ${pid}`, startedAt: 5 });
  const shown = (pid: number, runId: string | null) => ({
    ...{ pid, command: `program ${pid}`, startedAt: 5, runId },
  });
  const run = (runId: string, network: string) => ({ runId, network: () => network });
  const ended = () => docker.calls.filter((call) => call.startsWith('end programs'));

  beforeEach(async () => {
    docker.network = { ready: Promise.resolve(), connect: () => new PassThrough() };
    await runtime();
  });

  test('belong to the run in which they were first seen', async () => {
    await manager.beginRun('t', run('run_1', 'open'));
    docker.programs = [seen(1)];
    await manager.leaveRun('t', run('run_1', 'open'));
    // Started between the runs, by what the first one left.
    docker.programs.push(seen(2));
    await manager.beginRun('t', run('run_2', 'open'));
    docker.programs.push(seen(3));
    expect(await manager.programs('t')).toEqual({
      programs: [shown(1, 'run_1'), shown(2, 'run_1'), shown(3, 'run_2')],
      isKnown: true,
    });
    expect(ended()).toEqual([]);
  });

  test('end in every runtime of the task when a run with another network policy begins', async () => {
    const lane = manager.forTask('t', 'auto').shell('lane-2');
    await lane.runtime({ signal: never, onProgress: () => undefined });
    await manager.beginRun('t', run('run_1', 'offline'));
    docker.programs = [seen(1)];
    await manager.leaveRun('t', run('run_1', 'offline'));
    const { programs } = await manager.beginRun('t', run('run_2', 'open'));
    expect([programs.length, ended().sort()]).toEqual([
      2,
      ['end programs unified:local:t', 'end programs unified:local:t:lane-2'],
    ]);
  });

  test('end if the settings changed the policy of their run while it was running', async () => {
    let network = 'offline';
    const first = { runId: 'run_1', network: () => network };
    await manager.beginRun('t', first);
    docker.programs = [seen(1)];
    network = 'open';
    await manager.leaveRun('t', first);
    await manager.beginRun('t', run('run_2', 'open'));
    expect(ended()).toHaveLength(1);
  });

  test('a shell without commands keeps its variables, unless the next run has another network policy', async () => {
    await manager.beginRun('t', run('run_1', 'offline'));
    await manager.leaveRun('t', run('run_1', 'offline'));
    await manager.beginRun('t', run('run_2', 'offline'));
    docker.programs = [seen(1)];
    await manager.endPrograms('t');
    expect(ended()).toEqual([]);
    docker.programs = [];
    expect(await manager.beginRun('t', run('run_3', 'open'))).toEqual({
      ...{ programs: [], isKnown: true },
    });
    expect(ended()).toHaveLength(1);
  });

  test('of one run end in every shell where it had a command, seen or not, and with what shares that', async () => {
    const lane = manager.forTask('t', 'auto').shell('lane-2');
    const beside = await lane.runtime({ signal: never, onProgress: () => undefined });
    await manager.beginRun('t', run('run_1', 'open'));
    await echo(await runtime());
    docker.programs = [seen(1)];
    await manager.leaveRun('t', run('run_1', 'open'));
    // A run that failed before it did anything, and one that ran nothing.
    await manager.endPrograms('t', 'run_2');
    await manager.beginRun('t', run('run_2', 'open'));
    await manager.endPrograms('t', 'run_2');
    expect(ended()).toEqual([]);
    await echo(beside);
    docker.programs = [];
    await manager.endPrograms('t', 'run_2');
    expect(ended()).toEqual(['end programs unified:local:t:lane-2']);
    docker.programs = [seen(1)];
    const { programs } = await manager.endPrograms('t', 'run_1');
    expect([programs, ended()[1]]).toEqual([[shown(1, 'run_1')], 'end programs unified:local:t']);
  });

  test('if they cannot be seen, they count as running', async () => {
    docker.programs = null;
    await manager.beginRun('t', run('run_1', 'offline'));
    expect(await manager.leaveRun('t', run('run_1', 'offline'))).toEqual({
      ...{ programs: [], isKnown: false },
    });
    await manager.beginRun('t', run('run_2', 'open'));
    expect(ended()).toHaveLength(1);
  });

  test('without any egress, they may continue', async () => {
    docker.network = null;
    await manager.beginRun('t', run('run_1', 'offline'));
    docker.programs = [seen(1)];
    await manager.beginRun('t', run('run_2', 'open'));
    expect(ended()).toEqual([]);
    await echo(await runtime());
    await manager.endPrograms('t');
    expect(ended()).toHaveLength(1);
  });
});
