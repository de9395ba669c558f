import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delay } from '#main/base/abort.ts';
import type { CommandResult, RuntimeSpec, SandboxRuntime } from '#main/sandbox/types.ts';
import { e2bObstacle, type ListedFake } from '../../../fakes/e2b/fake-e2b.ts';
import { startE2b } from './open-e2b.ts';

const { fake, open } = await startE2b();
const never = new AbortController().signal;
const obstacle = await e2bObstacle();
const name = obstacle === null ? 'a runtime at E2B' : `a runtime at E2B (not run: ${obstacle})`;

/** Endless programs, one for each way to escape a shell. */
const RUNAWAYS = [
  'sleep 31.7 & nohup setsid sleep 31.7 >/dev/null 2>&1 &',
  `python3 -c 'import os,time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execlp("sleep", "sleep", "31.7")' &`,
].join('\n');

describe.skipIf(obstacle !== null)(name, () => {
  let dir: string;
  let workspaceDir: string;
  let spec: RuntimeSpec;
  let runtime: SandboxRuntime;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'hyperagent-e2b-test-'));
    workspaceDir = join(dir, 'workspace');
    await mkdir(workspaceDir);
    const limits = { memoryBytes: 2 ** 28, cpus: 1, pids: 64, fileBytes: 2 ** 20 };
    spec = { key: 'unified:test:e2b', workspaceDir, limits };
    runtime = await open(dir).start(spec, never);
  });
  afterEach(async () => {
    fake.fault = () => null;
    await runtime[Symbol.asyncDispose]();
    await Promise.all(fake.machines.map(({ id }) => fake.end(id)));
    await rm(dir, { recursive: true, force: true });
  });
  afterAll(() => fake.close());

  const sh = (code: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
    runtime.run(
      { commandId: 'c', language: 'bash', code, timeoutMs: more.timeoutMs ?? 20_000 },
      { signal: more.signal ?? never, onOutput: () => undefined },
    );
  const machine = (): ListedFake => {
    const [only, ...others] = fake.machines;
    if (only === undefined || others.length > 0) throw new Error('not one machine');
    return only;
  };
  /** The runaways that still live, seen from outside the shell. */
  const sleepers = async (): Promise<number> => {
    const look =
      'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " " | grep -o "[s]leep 31.7" | wc -l';
    const { stdout } = await machine().envd.machine.run(['/bin/bash', '-c', look], 'root');
    return Number(stdout);
  };
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await holds())) await delay(20, never);
  };
  const host = (path: string): Promise<string> => readFile(join(workspaceDir, path), 'utf8');
  const summary = ({ outcome, exitCode, stdout, sessionLost }: CommandResult) => ({
    ...{ outcome, exitCode, stdout, sessionLost },
  });
  const lost = { outcome: 'sandbox_lost', exitCode: null, sessionLost: true };

  test('time: the command dies with everything it started, and its files are here', async () => {
    const running = sh(`echo kept >file; ${RUNAWAYS}\nsleep 60`, { timeoutMs: 4_000 });
    await until(async () => (await sleepers()) === 3);
    expect(await running).toMatchObject({
      outcome: 'timed_out',
      exitCode: null,
      sessionLost: true,
    });
    expect([await sleepers(), await host('file')]).toEqual([0, 'kept\n']);
    expect((await sh('cat file')).stdout).toBe('kept\n');
    expect(fake.machines.length).toBe(1);
  });

  test('abort: the command dies with everything it started, and its files are here', async () => {
    const controller = new AbortController();
    const running = sh(`echo kept >file; ${RUNAWAYS}\nsleep 60`, { signal: controller.signal });
    await until(async () => (await sleepers()) === 3);
    controller.abort();
    expect(await running).toMatchObject({
      outcome: 'cancelled',
      exitCode: null,
      sessionLost: true,
    });
    expect([await sleepers(), await host('file')]).toEqual([0, 'kept\n']);
  });

  test('programs that cannot be ended are ended with their machine', async () => {
    const before = machine().id;
    await sh('echo kept >file');
    const running = sh(`${RUNAWAYS}\nsleep 60`, { timeoutMs: 3_000 });
    await until(async () => (await sleepers()) === 3);
    fake.fault = (request) => (request.endsWith('/Start') ? { status: 500 } : null);
    expect((await running).outcome).toBe('timed_out');
    expect(fake.machines).toEqual([]);
    fake.fault = () => null;
    expect((await sh('cat file')).stdout).toBe('kept\n');
    expect(machine().id).not.toBe(before);
  });

  test('programs outlive their command; at the end, what they wrote is fetched and they die', async () => {
    await sh('(sleep 0.5; echo late >late; sleep 31.7) & echo started');
    await until(async () => (await sleepers()) === 1);
    await runtime[Symbol.asyncDispose]();
    expect([await host('late'), fake.machines]).toEqual(['late\n', []]);
  });

  test('the shell ends: background programs do not delay it', async () => {
    expect(summary(await sh(`${RUNAWAYS}\nexit 3`))).toEqual({
      ...{ outcome: 'completed', exitCode: 3, stdout: '', sessionLost: true },
    });
    expect(await sleepers()).toBe(0);
  });

  test('the shell ends, and so does its machine: files did not come, so it is no success', async () => {
    const running = sh('echo never here >file; sleep 1.5; exit 0');
    await delay(200, never);
    fake.fault = (request) => (request.endsWith('/Start') ? { status: 500 } : null);
    expect(await running).toMatchObject(lost);
  });

  test('an out-of-memory kill is reported as such, once', async () => {
    const running = sh('until [ "$(grep -c "oom_kill 1" /proc/vmstat)" = 1 ]; do sleep 0.05; done');
    await machine().envd.machine.setMemoryKills(1);
    expect((await running).outcome).toBe('out_of_memory');
    expect((await sh('echo on')).outcome).toBe('completed');
  });

  test('the machine disappears during a command: it is lost, and the next gets another', async () => {
    await sh('echo kept >file');
    const { id } = machine();
    const running = sh('echo gone >file; sleep 60');
    await delay(300, never);
    await fake.end(id);
    expect(await running).toMatchObject(lost);
    expect(summary(await sh('cat file'))).toMatchObject({ outcome: 'completed', stdout: 'kept\n' });
    expect(machine().id).not.toBe(id);
  });

  test('the machine disappears between two commands', async () => {
    await sh('echo kept >file');
    await fake.end(machine().id);
    await writeFile(join(workspaceDir, 'new'), 'new\n');
    const result = await sh('cat file new');
    expect(summary(result)).toMatchObject({ outcome: 'completed', stdout: 'kept\nnew\n' });
  });

  test('the machine is said to be gone when files are sent: another takes its place', async () => {
    const { id } = machine();
    await sh('x=5');
    await writeFile(join(workspaceDir, 'new'), 'new\n');
    let refusals = 0;
    // It cannot be ended either, so its shell seems to continue.
    fake.fault = (request) => {
      if (request.startsWith('DELETE')) return { status: 500 };
      if (request !== 'POST /files' || refusals > 0) return null;
      refusals += 1;
      return { status: 502 };
    };
    expect(summary(await sh('cat new; echo "[$x]"'))).toEqual({
      ...{ outcome: 'completed', exitCode: 0, stdout: 'new\n[]\n', sessionLost: true },
    });
    await fake.end(id);
    expect(machine().id).not.toBe(id);
  });

  test('closed while another machine is created: none is left', async () => {
    await fake.end(machine().id);
    const made = (): number => fake.requests.filter((name) => name === 'POST /sandboxes').length;
    const before = made();
    const running = sh('true').catch((error: unknown) => error);
    await until(() => made() > before);
    await runtime[Symbol.asyncDispose]();
    expect(await running).toMatchObject({ code: 'SANDBOX_LOST' });
    expect(fake.machines).toEqual([]);
  });

  test('the stream breaks during a command: its programs die, its files are here', async () => {
    const { id, envd } = machine();
    const running = sh(`echo kept >file; ${RUNAWAYS}\nsleep 60`);
    await until(async () => (await sleepers()) === 3);
    envd.breakStreams();
    expect(await running).toMatchObject(lost);
    expect([await sleepers(), await host('file'), machine().id]).toEqual([0, 'kept\n', id]);
    expect(summary(await sh('cat file'))).toMatchObject({ outcome: 'completed', stdout: 'kept\n' });
  });

  test('the stream breaks while nothing runs: the next command reports it, alone in its machine', async () => {
    await sh(RUNAWAYS);
    await until(async () => (await sleepers()) === 3);
    machine().envd.breakStreams();
    await delay(100, never);
    expect(summary(await sh('echo on'))).toEqual({
      ...{ outcome: 'completed', exitCode: 0, stdout: 'on\n', sessionLost: true },
    });
    expect(await sleepers()).toBe(0);
  });

  test.each([404, 502])(
    '%i in the place of an answer to input: the command is lost',
    async (status) => {
      fake.fault = (request) => (request.endsWith('/SendInput') ? { status } : null);
      expect(await sh('echo x')).toMatchObject({ outcome: 'sandbox_lost', exitCode: null });
      fake.fault = () => null;
      expect(await sh('echo on')).toMatchObject({ outcome: 'completed', stdout: 'on\n' });
    },
  );

  test('files that cannot be sent: the command does not run, and says what to do', async () => {
    await writeFile(join(workspaceDir, 'new'), 'new\n');
    fake.fault = (request) => (request.endsWith('/files') ? { status: 429 } : null);
    await expect(sh('touch ran')).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    fake.fault = () => null;
    expect((await sh('ls')).stdout).toBe('new\n');
  });

  test('files that are not fetched: the result says so, and they come with the next', async () => {
    fake.fault = (request) => (request === 'GET /files' ? 'cut' : null);
    expect(await sh('echo made >made')).toMatchObject({ outcome: 'sandbox_lost', exitCode: null });
    fake.fault = () => null;
    expect((await sh('true')).outcome).toBe('completed');
    expect(await host('made')).toBe('made\n');
  });

  test('a network that fails: the command is refused as lost', async () => {
    await writeFile(join(workspaceDir, 'new'), 'new\n');
    fake.fault = () => 'cut';
    await expect(sh('true')).rejects.toMatchObject({ code: 'SANDBOX_LOST' });
  });

  test('closed while it starts: no machine is left', async () => {
    const closing = new AbortController();
    const starting = open(dir).start(spec, closing.signal);
    closing.abort(new Error('closing'));
    await expect(starting).rejects.toThrow('closing');
    await runtime[Symbol.asyncDispose]();
    expect(fake.machines).toEqual([]);
  });
});
