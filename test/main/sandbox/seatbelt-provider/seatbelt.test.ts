import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { withNamedWorkspace } from '#main/sandbox/seatbelt-provider/named-workspace.ts';
import { familyOf, parseProcessTable } from '#main/sandbox/seatbelt-provider/process-table.ts';
import { seatbeltProfile } from '#main/sandbox/seatbelt-provider/seatbelt-profile.ts';
import { SeatbeltProvider } from '#main/sandbox/seatbelt-provider/seatbelt-provider.ts';
import type { CommandResult, OutputChunk, SandboxRuntime } from '#main/sandbox/types.ts';

/**
 * Seatbelt itself exists only on macOS and was not run here. Our part is: the text of the profile, and
 * everything around it, driven with a stand-in for `sandbox-exec` that isolates nothing.
 */

type Expression = string | readonly Expression[];

/** Parses the profile language: lists, words, and strings with two escapes. */
function parseProfile(text: string): Expression[] {
  const tokens = [...text.matchAll(/\(|\)|"(?:[^"\\]|\\["\\])*"|[^\s()"]+/g)].map(
    ([token]) => token,
  );
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));
  expect(tokens.join('')).toBe(bare);
  const stack: Expression[][] = [[]];
  for (const token of tokens) {
    if (token === '(') stack.push([]);
    else if (token === ')') stack.at(-2)?.push(stack.pop() ?? []);
    else stack.at(-1)?.push(token);
  }
  expect(stack.length).toBe(1);
  return stack[0] ?? [];
}

test('the profile denies by default, and allows writing in two folders only', () => {
  const rules = parseProfile(
    seatbeltProfile({
      workspaceDir: '/Users/ann/Library/Application Support/H "x" \\y/w',
      scratchDir: '/private/var/folders/ab/T/hyperagent-1',
      toolchainFolders: ['/opt/homebrew/Cellar/python@3.13'],
    }),
  );
  const writes = rules.filter((rule) => rule[0] === 'allow' && rule.includes('file-write*'));
  const network = rules.filter((rule) => JSON.stringify(rule).includes('network'));
  expect({ first: rules.slice(0, 2), writes, network }).toEqual({
    first: [
      ['version', '1'],
      ['deny', 'default'],
    ],
    writes: [
      [
        ...['allow', 'file-read*', 'file-write*'],
        ['subpath', '"/Users/ann/Library/Application Support/H \\"x\\" \\\\y/w"'],
        ['subpath', '"/private/var/folders/ab/T/hyperagent-1"'],
      ],
    ],
    network: [],
  });
  const homes = JSON.stringify(
    rules.filter((rule) => rule[1] === 'file-read*' && !rule.includes('file-write*')),
  ).match(/\/Users/g);
  expect(homes?.length ?? 0).toBe(0);
});

test('a path cannot end its string and add rules', () => {
  const evil = '/w") (allow network*) (literal "';
  const isolation = { workspaceDir: evil, scratchDir: '/s', toolchainFolders: [] };
  const rules = parseProfile(seatbeltProfile(isolation));
  expect(rules.some((rule) => rule[1] === 'network*')).toBe(false);
  expect(() => seatbeltProfile({ ...isolation, workspaceDir: '/w\n(allow default)' })).toThrow(
    'control',
  );
});

test('everything that descends from a shell is its family, whatever group it is in', () => {
  const table = parseProcessTable(
    ' 1 0 1 10\n50 1 50 100\n51 50 50 200\n52 51 52 300\n99 1 99 9\nx\n',
  );
  const family = familyOf(50, table);
  expect(family.map(({ pid }) => pid).sort()).toEqual([50, 51, 52]);
  expect(family.reduce((sum, { residentBytes }) => sum + residentBytes, 0)).toBe(600 * 1024);
});

test('the workspace has its usual name in commands and output, wherever a piece ends', async () => {
  const result: CommandResult = {
    ...{ outcome: 'completed', exitCode: 0, durationMs: 1, sessionLost: false },
    ...{ stdout: '/real/w/a.txt and /real/w', stderr: '' },
  };
  let code = '';
  const inner: SandboxRuntime = {
    level: 'seatbelt',
    network: null,
    run: async (command, { onOutput }) => {
      code = command.code;
      let offset = 0;
      for (const text of ['/re', 'al/', 'w/a.txt', ' and /tmp', '/alias']) {
        onOutput({ stream: 'stdout', offset, text });
        offset += text.length;
      }
      return result;
    },
    programs: async () => [],
    endPrograms: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  const chunks: OutputChunk[] = [];
  const renamed = await withNamedWorkspace(inner, {
    alias: '/tmp/alias',
    workspaceDir: '/real/w',
  }).run(
    {
      ...{ commandId: 'c', language: 'bash', timeoutMs: 1000 },
      code: 'cat /workspace/a.txt; ls /workspace; ls /my/workspace /workspace-2',
    },
    { signal: new AbortController().signal, onOutput: (chunk) => chunks.push(chunk) },
  );
  expect({
    code,
    stdout: renamed.stdout,
    streamed: chunks.map(({ text }) => text).join(''),
    offsets: chunks.every(
      ({ offset }, i) =>
        offset === chunks.slice(0, i).reduce((sum, { text }) => sum + text.length, 0),
    ),
  }).toEqual({
    code: 'cat /tmp/alias/a.txt; ls /tmp/alias; ls /my/workspace /workspace-2',
    stdout: '/workspace/a.txt and /workspace',
    streamed: '/workspace/a.txt and /workspace',
    offsets: true,
  });
});

async function openStandIn() {
  const dir = mkdtempSync(join(tmpdir(), 'seatbelt stand-in '));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const sandboxExec = join(dir, 'sandbox-exec');
  writeFileSync(
    sandboxExec,
    '#!/bin/bash\nprintf %s "$2" >"$(dirname "$0")/profile"\nshift 2\nexec "$@"\n',
  );
  chmodSync(sandboxExec, 0o755);
  const workspaceDir = join(dir, 'my workspace');
  mkdirSync(workspaceDir);
  const limits = { memoryBytes: 256 * 1024 ** 2, cpus: 1, pids: 64, fileBytes: 1024 ** 2 };
  const provider = new SeatbeltProvider({
    ...{ sandboxExec, stateDir: dir, dataDir: dir, resourcesDir: 'resources/sandbox' },
    ...{ environment: { PATH: process.env.PATH }, home: dir, limits: () => limits },
    ...{ clock: systemClock, logger: silentLogger },
  });
  const signal = new AbortController().signal;
  const runtime = await provider.start({ key: 'k', workspaceDir, limits }, signal);
  onTestFinished(() => runtime[Symbol.asyncDispose]());
  const run = (code: string, timeoutMs = 20_000, language: 'bash' | 'python' = 'bash') =>
    runtime.run(
      { commandId: 'c', language, code, timeoutMs },
      { signal, onOutput: () => undefined },
    );
  return { dir, provider, run, signal };
}

test.skipIf(process.platform === 'win32')(
  'around the isolation: a warm shell in a folder with spaces',
  async () => {
    const { dir, run, provider, signal } = await openStandIn();
    const first = await run(
      'x=5; echo hi >/workspace/a.txt; pwd; env | cut -d= -f1 | sort | tr "\\n" " "',
    );
    const second = await run('echo $x; cat /workspace/a.txt');
    const python = await run('print(open("/workspace/a.txt").read(), end="")', 20_000, 'python');
    const slow = await run('sleep 60', 300);
    const after = await run('cat a.txt');
    const state = await provider.inspect(signal);
    expect({
      pwd: first.stdout.split('\n')[0],
      secrets: /TOKEN|KEY|SSH/.test(first.stdout),
      second: second.stdout,
      python: python.stdout,
      slow: slow.outcome,
      after: after.stdout,
      profile: readFileSync(join(dir, 'profile'), 'utf8').includes(
        `(subpath "${dir}/my workspace")`,
      ),
      ready: state.status,
    }).toEqual({
      ...{ pwd: '/workspace', secrets: false, second: '5\nhi\n', python: 'hi\n' },
      ...{ slow: 'timed_out', after: 'hi\n', profile: true, ready: 'ready' },
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'a program over its memory limit is ended and reported',
  async () => {
    const { run } = await openStandIn();
    const greedy = await run(
      'x = bytearray(600 * 1024 * 1024)\nimport time\ntime.sleep(30)',
      30_000,
      'python',
    );
    expect(greedy.outcome).toBe('out_of_memory');
  },
);

test('without passing probes, the stand-in is not a sandbox', async () => {
  const { provider, signal } = await openStandIn();
  const results = await provider.probe(signal);
  expect(results.filter(({ held }) => !held).length).toBeGreaterThan(5);
});
