import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test as vitestTest,
} from 'vitest';
import type { CodeLanguage, SandboxLevel } from '#contract/vocabulary.ts';
import { delay } from '#main/base/abort.ts';
import { PROBE_NAMES } from '#main/sandbox/isolation-probes/isolation-probes.ts';
import type {
  CommandResult,
  OutputChunk,
  RuntimeSpec,
  SandboxLimits,
  SandboxProvider,
  SandboxRuntime,
} from '#main/sandbox/types.ts';
import { testBackground } from './background.ts';
import { RUNAWAYS } from './runaways.ts';

export interface ProviderUnderTest {
  /** A provider whose data, canary and generated files lie below `dir`. */
  readonly open: (dir: string) => SandboxProvider;
  readonly level: SandboxLevel;
  /** Names of cases that this kind of sandbox does not support, each with the reason. */
  readonly cannot?: Readonly<Record<string, string>>;
}

const MEGABYTE = 1024 * 1024;
const limits: SandboxLimits = {
  memoryBytes: 256 * MEGABYTE,
  cpus: 2,
  pids: 64,
  fileBytes: 64 * MEGABYTE,
};
const LOOK_FOR_SLEEP = 'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -o "[s]leep 321.5"';
const never = new AbortController().signal;

/** What every provider must fulfil; see `SandboxProvider` and `SandboxRuntime`. */
export function testSandboxProvider({ open, level, cannot = {} }: ProviderUnderTest): void {
  const excused = new Set<string>();
  const test = (name: string, run: () => Promise<void>): void => {
    const reason = cannot[name];
    if (reason === undefined) {
      vitestTest(name, run);
      return;
    }
    excused.add(name);
    vitestTest.skip(`${name} (not run: ${reason})`, run);
  };
  let dir: string;
  let provider: SandboxProvider;
  let workspaceDir: string;
  let runtime: SandboxRuntime;
  let count = 0;

  beforeAll(async () => {
    // In the home, where secrets are; a folder for temporary files would be hidden anyway.
    dir = await mkdtemp(join(homedir(), '.hyperagent-test-'));
    provider = open(dir);
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const newSpec = async (): Promise<RuntimeSpec> => {
    count += 1;
    const folder = join(dir, 'workspaces', `${count}`);
    await mkdir(folder, { recursive: true });
    return { key: `unified:test:${count}`, workspaceDir: folder, limits };
  };
  beforeEach(async () => {
    const spec = await newSpec();
    ({ workspaceDir } = spec);
    runtime = await provider.start(spec, never);
  });
  afterEach(() => runtime[Symbol.asyncDispose]());

  interface RunOptions {
    readonly language?: CodeLanguage;
    readonly timeoutMs?: number;
    readonly isolated?: boolean;
    readonly signal?: AbortSignal;
    readonly onOutput?: (chunk: OutputChunk) => void;
    readonly on?: SandboxRuntime;
  }
  const run = (code: string, options: RunOptions = {}): Promise<CommandResult> =>
    (options.on ?? runtime).run(
      {
        commandId: 'c',
        language: options.language ?? 'bash',
        code,
        timeoutMs: options.timeoutMs ?? 20_000,
        isolated: options.isolated ?? false,
      },
      { signal: options.signal ?? never, onOutput: options.onOutput ?? (() => undefined) },
    );
  const summary = ({ outcome, exitCode, stdout, sessionLost }: CommandResult) => ({
    outcome,
    exitCode,
    stdout,
    sessionLost,
  });
  const fine = { outcome: 'completed', exitCode: 0, stdout: '', sessionLost: false };
  const python = (code: string, options: RunOptions = {}): Promise<CommandResult> =>
    run(code, { language: 'python', ...options });

  const ticks = (): Promise<string[]> =>
    Promise.all(
      ['tick1', 'tick2', 'tick3'].map((name) => readFile(join(workspaceDir, name), 'utf8')),
    );
  const ticking = async (): Promise<void> => {
    for (;;) {
      const all = await ticks().catch(() => []);
      if (all.length === 3 && all.every((tick) => tick !== '')) return;
      await delay(20, never);
    }
  };
  const expectStill = async (): Promise<void> => {
    const before = await ticks();
    await delay(300, never);
    expect(await ticks()).toEqual(before);
  };

  test('inspect tells a fingerprint that stays, and starts nothing', async () => {
    const first = await provider.inspect(never);
    const second = await provider.inspect(never);
    expect(first).toMatchObject({ status: 'ready', fingerprint: expect.any(String) });
    expect(second).toEqual(first);
  });

  test('every probe is made and holds', async () => {
    const results = await provider.probe(never);
    expect(results.filter((result) => !result.held)).toEqual([]);
    expect(results.map((result) => result.name)).toEqual([...PROBE_NAMES]);
  });

  test('a command: level, working folder, user, output apart, exit code', async () => {
    const result = await run('pwd; id -u; echo oops >&2; exit_code() { return 7; }; exit_code');
    const uid = runtime.level === 'docker' && process.getuid?.() !== 0 ? process.getuid?.() : 1000;
    expect({ ...summary(result), stderr: result.stderr, level: runtime.level }).toEqual({
      ...fine,
      exitCode: 7,
      stdout: `/workspace\n${uid}\n`,
      stderr: 'oops\n',
      level,
    });
  });

  test('files and the state of the shell stay; programs in each language share the workspace', async () => {
    await run('mkdir deep; cd deep; x=5; echo 1 >a; f() { echo "$x"; }');
    expect(summary(await run('f; cat a; pwd'))).toEqual({
      ...fine,
      stdout: '5\n1\n/workspace/deep\n',
    });
    expect(summary(await python('print(open("deep/a").read().strip())'))).toEqual({
      ...fine,
      stdout: '1\n',
    });
    const js = await run("console.log(require('fs').readFileSync('deep/a', 'utf8').trim())", {
      language: 'javascript',
    });
    expect(summary(js)).toEqual({ ...fine, stdout: '1\n' });
    const ts = await run('const one: number = 1;\nconsole.log(one)', { language: 'typescript' });
    const version = await run('console.log(process.versions.node)', { language: 'javascript' });
    const [major = 0, minor = 0] = version.stdout.split('.').map(Number);
    // Node takes the types out by itself from 22.18 on; an older one inside is said to be too old.
    const stripsTypes = major > 22 || (major === 22 && minor >= 18);
    expect(summary(ts)).toEqual(
      stripsTypes ? { ...fine, stdout: '1\n' } : { ...fine, exitCode: 127, stdout: '' },
    );
  });

  test('a program finds modules of the workspace, and none of them stands in for one of Python', async () => {
    const evil = (name: string): string => `print("${name} of the workspace")\n`;
    for (const name of ['json', 'sitecustomize', 'usercustomize', 'mine']) {
      await writeFile(join(workspaceDir, `${name}.py`), evil(name));
    }
    const looks = 'import json, mine; print(json.dumps([1]))';
    const stdout = 'mine of the workspace\n[1]\n';
    expect(summary(await python(looks))).toEqual({ ...fine, stdout });
    // Nor in programs that it starts.
    const code = `import subprocess; print(subprocess.check_output(["python3", "-c", "import sys; del sys.path[0]; ${looks}"], text=True), end="")`;
    expect(summary(await python(code))).toEqual({ ...fine, stdout });
  });

  test('an isolated program gets nothing of the workspace or of what ran before', async () => {
    const mark = 'open("/workspace/ran", "a").write(__name__)\n';
    for (const name of ['json', 'sitecustomize', 'usercustomize', 'urllib', 'python3']) {
      await writeFile(join(workspaceDir, `${name}.py`), mark);
    }
    await writeFile(join(workspaceDir, 'python3'), '#!/bin/bash\necho other >/workspace/ran\n');
    await run(
      'chmod +x python3; export PATH=/workspace:$PATH PYTHONPATH=/workspace PYTHONSTARTUP=/workspace/json.py',
    );
    const looks = await run(
      'import json, sys, os, urllib.request\nprint([p for p in sys.path if "/workspace" in p or "/home" in p], dict(os.environ).get("PYTHONPATH"), os.getcwd())',
      { language: 'python', isolated: true },
    );
    expect(summary(looks)).toEqual({ ...fine, stdout: '[] None /\n' });
    expect(summary(await run('cat ran'))).toMatchObject({ exitCode: 1 });
  });

  test('files go both ways between host and sandbox', async () => {
    await writeFile(join(workspaceDir, 'in.txt'), 'from the host');
    await run('cp in.txt "out ü.txt"; mkdir made; echo x >made/y; chmod 700 made');
    expect(await readFile(join(workspaceDir, 'out ü.txt'), 'utf8')).toBe('from the host');
    await rm(join(workspaceDir, 'made'), { recursive: true });
    expect(summary(await run('ls'))).toEqual({ ...fine, stdout: 'in.txt\nout ü.txt\n' });
  });

  test('output comes while the command runs', async () => {
    const chunks: string[] = [];
    const running = run('echo first; until [ -e go ]; do sleep 0.02; done; echo second', {
      onOutput: (chunk) => chunks.push(chunk.text),
    });
    while (!chunks.join('').includes('first')) await delay(10, never);
    await writeFile(join(workspaceDir, 'go'), '');
    expect(summary(await running)).toEqual({ ...fine, stdout: 'first\nsecond\n' });
  });

  test('a megabyte of code, and commands one at a time in order of call', async () => {
    const long = run(`x='${'a'.repeat(MEGABYTE)}'; sleep 0.2; echo "\${#x}" | tee order`);
    const short = run('cat order; echo two');
    expect([(await long).stdout, (await short).stdout]).toEqual([
      `${MEGABYTE}\n`,
      `${MEGABYTE}\ntwo\n`,
    ]);
  });

  test('the shell ends: its exit code is reported, files stay, the next command has a new shell', async () => {
    await run('x=5; echo kept >file');
    expect(summary(await run('echo bye; exit 3'))).toEqual({
      ...fine,
      exitCode: 3,
      stdout: 'bye\n',
      sessionLost: true,
    });
    expect(summary(await run('cat file; echo "[$x]"; pwd'))).toEqual({
      ...fine,
      stdout: 'kept\n[]\n/workspace\n',
    });
  });

  describe('the host stays out of reach', () => {
    test('no secret of the home, the data folder or the environment', async () => {
      const secret = join(dir, 'secret');
      await writeFile(secret, 'hush', { mode: 0o644 });
      process.env.HYPERAGENT_TEST_TOKEN = 'hush';
      try {
        await using fresh = await provider.start(await newSpec(), never);
        const code = `cat '${secret}' ~root/.bashrc /etc/shadow; ls '${dir}' /root; env; cat /proc/*/environ | tr '\\0' '\\n'; true`;
        expect((await run(code, { on: fresh })).stdout).not.toMatch(/hush|TOKEN/);
      } finally {
        delete process.env.HYPERAGENT_TEST_TOKEN;
      }
    });

    test('no link, mount or hard link leads out of the workspace', async () => {
      const target = join(dir, 'target');
      await writeFile(target, 'untouched', { mode: 0o666 });
      await run(
        `ln -s '${target}' link; echo gotcha >link; ln /etc/hostname hard; mount --bind / /workspace; true`,
      );
      expect(await readFile(target, 'utf8')).toBe('untouched');
      expect((await run('cat hard 2>/dev/null; ls /workspace/usr 2>/dev/null; true')).stdout).toBe(
        '',
      );
    });

    test('no network: not to a listener of the host, not out', async () => {
      let connections = 0;
      const server = createServer(() => {
        connections += 1;
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const code = `import socket
for host, port in (("127.0.0.1", ${port}), ("localhost", ${port}), ("203.0.113.1", 80), ("host.docker.internal", ${port}), ("172.17.0.1", ${port})):
    try: socket.create_connection((host, port), 0.5); print("reached", host)
    except OSError: pass`;
      expect(summary(await python(code))).toEqual(fine);
      server.close();
      expect(connections).toBe(0);
    });

    test('two runtimes see nothing of each other', async () => {
      await using other = await provider.start(await newSpec(), never);
      await run('echo mine >/tmp/mine; echo mine >mine; sleep 321.5 &');
      // An app that lies in /tmp itself shows its Node there.
      const look = `ls -d /tmp/mine /workspace/* 2>/dev/null; ${LOOK_FOR_SLEEP}`;
      expect((await run(look, { on: other })).stdout).toBe('');
      expect((await run(look)).stdout).toMatch(/^\/tmp\/mine\n\/workspace\/mine\n/);
    });

    test('a runtime sees its own processes', async () => {
      await run('sleep 321.5 &');
      // The new process is a copy of the shell at first.
      await expect
        .poll(async () => (await run(LOOK_FOR_SLEEP)).stdout, { timeout: 10_000 })
        .toBe('sleep 321.5\n');
    });
  });

  describe('limits', () => {
    test('memory: the kill is reported, and the next command runs', async () => {
      const hog = 'hoard = []\nwhile True: hoard.append(bytearray(8_000_000))';
      expect((await python(hog)).outcome).toBe('out_of_memory');
      expect((await run('echo on')).stdout).toBe('on\n');
    });

    test('memory is that of all processes together', async () => {
      const each = Math.floor(limits.memoryBytes * 0.4);
      const hogs = `import os, time
for _ in range(4):
    if os.fork() == 0:
        mine = bytearray(os.urandom(1)) * ${each}
        time.sleep(3); os._exit(0)
for _ in range(4): os.wait()`;
      expect((await python(hogs)).outcome).toBe('out_of_memory');
    });

    test('processes: a fork bomb is bounded and dies with the runtime', async () => {
      const bomb =
        'import os\ncount = 0\ntry:\n    while True:\n        if os.fork() == 0: os.execlp("sleep", "sleep", "20")\n        count += 1\nexcept OSError: print(count)';
      const forks = Number((await python(bomb)).stdout);
      expect(forks).toBeGreaterThan(20);
      expect(forks).toBeLessThan(limits.pids);
      await run('bomb() { bomb | bomb & }; bomb; sleep 0.5', { timeoutMs: 3_000 });
    });

    test('size of a file', async () => {
      const result = await run(`head -c ${limits.fileBytes + MEGABYTE} /dev/zero >big; wc -c <big`);
      expect(result.stdout).toBe(`${limits.fileBytes}\n`);
    });

    test('output: a flood meets the time limit, and the next command runs', async () => {
      const flood = await run('yes flood', { timeoutMs: 1_000 });
      expect(flood.outcome).toBe('timed_out');
      expect(flood.stdout.length).toBeLessThan(3 * MEGABYTE);
      expect(summary(await run('echo on'))).toEqual({ ...fine, stdout: 'on\n' });
    });

    test('time: the command dies with everything it started', async () => {
      const running = run(`${RUNAWAYS}\nwait; sleep 60`, { timeoutMs: 1_500 });
      await ticking();
      expect(summary(await running)).toEqual({
        ...fine,
        outcome: 'timed_out',
        exitCode: null,
        sessionLost: true,
      });
      await expectStill();
      expect(summary(await run('echo on'))).toEqual({ ...fine, stdout: 'on\n' });
    });

    test('abort: the command dies with everything it started', async () => {
      const controller = new AbortController();
      const running = run(`${RUNAWAYS}\nsleep 60`, { signal: controller.signal });
      await ticking();
      controller.abort();
      expect(summary(await running)).toEqual({
        ...fine,
        outcome: 'cancelled',
        exitCode: null,
        sessionLost: true,
      });
      await expectStill();
    });
  });

  vitestTest('what is not run is a case of this suite', () => {
    expect(Object.keys(cannot).filter((name) => !excused.has(name))).toEqual([]);
  });

  testBackground({
    ...{ test, run, summary, fine, newSpec, ticks, ticking, expectStill, limits },
    start: (spec) => provider.start(spec, never),
    runtime: () => runtime,
    workspaceDir: () => workspaceDir,
  });
}

/** The suite, or its name with the reason why it cannot run here. */
export async function describeSandboxProvider(
  name: string,
  provider: SandboxProvider,
  suite: () => void,
): Promise<void> {
  const state = await provider.inspect(never);
  if (state.status === 'ready') describe(name, suite);
  else describe.skip(`${name} (not run: ${state.detail}. ${state.remedy})`, suite);
}
