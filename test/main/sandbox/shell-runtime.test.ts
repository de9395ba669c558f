import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeFrame, FRAME } from '#main/sandbox/relay/relay-frames.ts';
import type { CommandResult, OutputChunk } from '#main/sandbox/types.ts';
import { openBareShell } from './bare-shell.ts';

type Shell = Awaited<ReturnType<typeof openBareShell>>;
let shell: Shell;
beforeEach(async () => {
  shell = await openBareShell();
});
afterEach(() => shell[Symbol.asyncDispose]());

type Summary = Pick<CommandResult, 'outcome' | 'exitCode' | 'stdout' | 'stderr' | 'sessionLost'>;

async function sh(
  code: string,
  options: { timeoutMs?: number; on?: Shell } = {},
): Promise<Summary> {
  const { outcome, exitCode, stdout, stderr, sessionLost } = await (
    options.on ?? shell
  ).runtime.run(
    { commandId: 'c', language: 'bash', code, timeoutMs: options.timeoutMs ?? 10_000 },
    { signal: new AbortController().signal, onOutput: () => undefined },
  );
  return { outcome, exitCode, stdout, stderr, sessionLost };
}

const fine = { outcome: 'completed', exitCode: 0, stdout: '', stderr: '', sessionLost: false };

describe.each(['counted', 'nul'] as const)('intake %s', (intake) => {
  test('code arrives byte for byte, whatever it quotes', async () => {
    await using other = await openBareShell({ intake });
    const nasty = `'"\`$(exit 9)\\\n\${x} # } ) ; EOF\u001e 0 0\u001e ü 🙂 \\n`;
    const code = `cat <<'HA'\n${nasty}\nHA\n`;
    expect(await sh(code, { on: other })).toEqual({ ...fine, stdout: `${nasty}\n` });
  });
});

describe('what outlives a command', () => {
  test('variables, arrays, functions, directory and status do', async () => {
    await sh('x=5; declare -A m=([0]=1); f() { echo "f$1"; }; cd /usr; false');
    expect(await sh('echo $? $x $m $PWD; f 2')).toEqual({
      ...fine,
      stdout: '1 5 1 /usr\nf2\n',
    });
  });

  test('options, traced lines and redirections do not', async () => {
    await sh('set -x -u -o pipefail');
    await sh('exec >&- 2>/dev/null');
    expect(await sh('echo "$nothing" on; false | true')).toEqual({ ...fine, stdout: ' on\n' });
  });
});

describe('framing holds', () => {
  test.each<[string, string, Partial<Summary>]>([
    ['output without a line end', 'printf a; printf b >&2', { stdout: 'a', stderr: 'b' }],
    ['no output', ':', {}],
    ['closed streams', 'exec >&- 2>&-; true', {}],
    ['input is at its end', 'read line; echo "$?"; cat', { stdout: '1\n' }],
    ['a child reads all input', 'wc -c', { stdout: '0\n' }],
    [
      'separators of ours',
      "printf '\\x1e'; printf '\\x1e0123456789abcdef' >&2",
      {
        stdout: '\u001e',
        stderr: '\u001e0123456789abcdef',
      },
    ],
    ['broken UTF-8', "printf 'a\\xffb\\xc3'", { stdout: 'a\ufffdb\ufffd' }],
    ['NUL in the output', "printf 'a\\0b'", { stdout: 'a\0b' }],
    ['return', 'return 3', { exitCode: 3 }],
    [
      'break outside a loop',
      'break 2>/dev/null; continue 2>/dev/null; echo on',
      { stdout: 'on\n' },
    ],
    ['an error that drops the line', 'echo $((1/0)) 2>/dev/null; echo never', { exitCode: 1 }],
    ['a comment without a line end', 'echo a # b', { stdout: 'a\n' }],
    ['a trailing backslash', 'echo a \\', { stdout: 'a \\\n' }],
    ['an unfinished here-document', 'cat 2>/dev/null <<X\nab', { stdout: 'ab\n' }],
    ['a DEBUG trap', 'trap "echo dbg" DEBUG; :; trap - DEBUG', { stdout: 'dbg\ndbg\n' }],
    ['a full line of brackets', ')', { exitCode: 2 }],
    ['an unfinished quote', "echo 'a", { exitCode: 2 }],
  ])('%s', async (_, code, expected) => {
    const result = await sh(code);
    const stderr = expected.stderr ?? (expected.exitCode === undefined ? '' : result.stderr);
    expect(result).toEqual({
      ...fine,
      ...expected,
      stderr: result.stderr.includes('warning') ? result.stderr : stderr,
    });
    expect(await sh('echo next')).toEqual({ ...fine, stdout: 'next\n' });
  });

  test('line numbers in errors are those of the code', async () => {
    const { stderr } = await sh('true\n\nnosuchcommand');
    expect(stderr).toMatch(/line 3: nosuchcommand: command not found/);
  });

  test('megabytes on both streams come in full when the runtime keeps as much', async () => {
    const limits = { keptUnits: 8 << 20, streamedUnits: 32 << 20 };
    await using wide = await openBareShell({ outputLimits: limits });
    const code =
      'head -c 3000000 /dev/zero | tr "\\0" x; head -c 3000000 /dev/zero | tr "\\0" y >&2';
    const { stdout, stderr } = await sh(code, { on: wide });
    expect([stdout.length, stderr.length]).toEqual([3_000_000, 3_000_000]);
  });

  test('a background process prints on without breaking a later command', async () => {
    await sh('(for i in $(seq 200); do printf "tick"; sleep 0.005; done) &');
    const results = [];
    for (let i = 0; i < 20; i += 1) results.push((await sh(`echo "<${i}>"`)).stdout);
    const own = results.map((text) => text.replaceAll('tick', ''));
    expect(own).toEqual(results.map((_, i) => `<${i}>\n`));
  });
});

describe('the shell ends under a command', () => {
  test.each<[string, string, Partial<Summary>]>([
    ['exit', 'echo bye; exit 3', { exitCode: 3, stdout: 'bye\n' }],
    ['exec', 'exec echo replaced', { stdout: 'replaced\n' }],
    ['set -e', 'set -e; echo one; false; echo two', { exitCode: 1, stdout: 'one\n' }],
    ['a signal', 'kill -9 $$', { exitCode: 137 }],
  ])(
    '%s: its exit code is reported, the next command gets a fresh shell',
    async (_, code, expected) => {
      await sh('x=5');
      expect(await sh(code)).toEqual({ ...fine, sessionLost: true, ...expected });
      expect(await sh('echo "[$x]"')).toEqual({ ...fine, stdout: '[]\n' });
    },
  );

  test('between two commands: the next one says that the session was lost', async () => {
    await sh('(sleep 0.05; kill -9 $$) &');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await sh('echo new')).toEqual({ ...fine, stdout: 'new\n', sessionLost: true });
  });
});

describe('limits', () => {
  test('time: the command dies with what it started', async () => {
    const code = '(while :; do echo x >>tick; sleep 0.02; done) & sleep 30';
    const result = await sh(code, { timeoutMs: 300 });
    expect(result).toEqual({ ...fine, outcome: 'timed_out', exitCode: null, sessionLost: true });
    const { stdout } = await sh('wc -l <tick; sleep 0.2; wc -l <tick');
    const [before, after] = stdout.split('\n').map(Number);
    expect([before === 0, after]).toEqual([false, before]);
  });

  test('abort before and during a command', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal, onOutput: () => controller.abort() };
    const command = { commandId: 'c', language: 'bash', timeoutMs: 10_000 } as const;
    const running = shell.runtime.run({ ...command, code: 'echo x; sleep 30' }, options);
    const queued = shell.runtime.run({ ...command, code: 'touch never' }, options);
    const expected = [await running, await queued].map((r) => [
      r.outcome,
      r.exitCode,
      r.sessionLost,
    ]);
    expect(expected).toEqual([
      ['cancelled', null, true],
      ['cancelled', null, false],
    ]);
    expect((await sh('ls never 2>/dev/null')).stdout).toBe('');
  });

  test('output: head and tail are kept, streaming stops with a notice, offsets are gapless', async () => {
    await using narrow = await openBareShell({
      outputLimits: { keptUnits: 1000, streamedUnits: 50_000 },
    });
    const chunks: OutputChunk[] = [];
    const result = await narrow.runtime.run(
      { commandId: 'c', language: 'bash', code: 'seq 1000000', timeoutMs: 10_000 },
      { signal: new AbortController().signal, onOutput: (chunk) => chunks.push(chunk) },
    );
    const whole = Array.from({ length: 1_000_000 }, (_, i) => `${i + 1}\n`).join('');
    const cut = whole.length - 2000;
    expect(result.stdout).toBe(
      `${whole.slice(0, 1000)}\n[… ${cut} characters are left out here …]\n${whole.slice(-1000)}`,
    );
    const notice = chunks.pop();
    expect(notice?.text).toMatch(/no more output is shown/);
    const shown = chunks.map((chunk) => chunk.text).join('');
    expect(shown).toBe(whole.slice(0, shown.length));
    expect(chunks.map((chunk) => chunk.offset)).toEqual(
      chunks.map((_, i) => chunks.slice(0, i).reduce((sum, chunk) => sum + chunk.text.length, 0)),
    );
  });

  test('endless output hits the time limit, and pacing protects this process', async () => {
    const before = process.cpuUsage();
    const result = await sh('yes', { timeoutMs: 1_500 });
    const { user, system } = process.cpuUsage(before);
    expect(result.outcome).toBe('timed_out');
    // Unbounded, reading `yes` takes a core: 1.5 s of it.
    expect((user + system) / 1e6).toBeLessThan(0.9);
  });
});

test('characters split over reads are decoded whole', async () => {
  const code = "printf '\\xf0\\x9f'; sleep 0.1; printf '\\x99\\x82'";
  expect(await sh(code)).toEqual({ ...fine, stdout: '🙂' });
});

test('NUL in the code is refused', async () => {
  await expect(sh('a\0b')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('Python, JavaScript and TypeScript run from the workspace, with its modules', async () => {
  const run = async (language: 'python' | 'javascript' | 'typescript', code: string) => {
    const { outcome, exitCode, stdout } = await shell.runtime.run(
      { commandId: 'c', language, code, timeoutMs: 20_000 },
      { signal: new AbortController().signal, onOutput: () => undefined },
    );
    return [outcome, exitCode, stdout];
  };
  await sh("echo 'def f(): return 7' >mine.py; echo 'exports.g = () => 8' >mine.cjs; cd /");
  expect(
    await run('python', 'import mine, os\nprint(mine.f(), os.path.basename(os.getcwd()))'),
  ).toEqual(['completed', 0, `7 ${shell.dir.split('/').pop()}\n`]);
  expect(await run('javascript', "console.log(require('./mine.cjs').g())")).toEqual([
    'completed',
    0,
    '8\n',
  ]);
  expect(await run('javascript', "import m from './mine.cjs';\nconsole.log(await m.g())")).toEqual([
    'completed',
    0,
    '8\n',
  ]);
  expect(
    await run(
      'typescript',
      "import m from './mine.cjs';\nconst n: number = m.g();\nconsole.log(n)",
    ),
  ).toEqual(['completed', 0, '8\n']);
  expect(await run('python', 'import sys\nsys.exit(4)')).toEqual(['completed', 4, '']);
});

test('a missing interpreter is exit code 127 with what to install', async () => {
  await sh('PATH=/nonexistent');
  const result = await shell.runtime.run(
    { commandId: 'c', language: 'python', code: '1', timeoutMs: 10_000 },
    { signal: new AbortController().signal, onOutput: () => undefined },
  );
  expect([result.exitCode, result.stderr]).toEqual([
    127,
    expect.stringContaining('Install Python 3'),
  ]);
});

test('a shell that follows a lost one runs nothing before its network is ready', async () => {
  const relays: Duplex[] = [];
  const relay = (): Duplex => {
    const [app, inside] = duplexPair();
    relays.push(inside);
    return app;
  };
  await using other = await openBareShell({ relay });
  expect(await sh('sleep 60', { timeoutMs: 100, on: other })).toMatchObject({
    outcome: 'timed_out',
  });
  const next = sh('cat there', { on: other });
  await expect.poll(() => relays.length).toBe(2);
  // Long enough for a shell that waits for nothing to have looked.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await writeFile(join(other.dir, 'there'), 'yes');
  relays[1]?.write(encodeFrame(0, FRAME.hello));
  expect(await next).toEqual({ ...fine, stdout: 'yes' });
});
