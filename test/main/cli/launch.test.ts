import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const FAKES = join(import.meta.dirname, '../../fakes/launch');
let cache: string;

beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'hyperagent-launch-'));
});

afterAll(() => rmSync(cache, { recursive: true, force: true }));

interface Launched {
  readonly child: ChildProcess;
  /** What the program said of itself. */
  readonly facts: Promise<{ pid: number; arguments: string[]; relaunched: boolean }>;
  readonly end: Promise<{ code: number | null; signal: string | null; stderr: string }>;
}

function start(args: readonly string[], node: 'old' | 'new', env = {}): Launched {
  const preload = node === 'old' ? ['--require', join(FAKES, 'old-node.cjs')] : [];
  const child = spawn(process.execPath, [...preload, join(FAKES, 'entry.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, XDG_CACHE_HOME: cache, ...env },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const facts = new Promise<Awaited<Launched['facts']>>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => resolve(JSON.parse(chunk.toString())));
  });
  const end = new Promise<Awaited<Launched['end']>>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
  return { child, facts, end };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('launch', () => {
  it('runs the program in this process on a Node that is new enough', async () => {
    const { child, facts, end } = start(['exit'], 'new');

    expect(await facts).toEqual({ pid: child.pid, arguments: ['exit'], relaunched: false });
    expect(await end).toMatchObject({ code: 7, stderr: '' });
  });

  it('runs it on the packaged Node from an old one, with arguments and exit code', async () => {
    const { child, facts, end } = start(['exit', '--x=y z'], 'old');
    const { pid, ...rest } = await facts;

    expect(rest).toEqual({ arguments: ['exit', '--x=y z'], relaunched: false });
    expect(pid).not.toBe(child.pid);
    expect(await end).toMatchObject({ code: 7, stderr: '' });
  });

  it('passes signals on', async () => {
    const { child, facts, end } = start([], 'old');
    await facts;
    child.kill('SIGINT');

    expect(await end).toMatchObject({ code: 42, signal: null });
  });

  it('takes the program with it when it is killed', async () => {
    const { child, facts, end } = start([], 'old');
    const { pid } = await facts;
    child.kill('SIGKILL');
    await end;
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5));

    expect(isAlive(pid)).toBe(false);
  });

  it('says in one line what to do when no newer Node is found', async () => {
    const { end } = start([], 'old', { ALWAYS_OLD: '1' });

    expect(await end).toEqual({
      code: 1,
      signal: null,
      stderr:
        'HyperAgent needs Node 22.12 or later, but this is 20.1.0. Install Node 24 from https://nodejs.org, or run "npm ci" in the app folder, which brings one.\n',
    });
  });

  it('keeps compiled code in the cache of the user', async () => {
    await start(['exit'], 'new').end;

    expect(readdirSync(join(cache, 'hyperagent'))).toEqual(['compile-cache']);
  });

  it('starts even if the cache cannot be written', async () => {
    const { end } = start(['exit'], 'new', { XDG_CACHE_HOME: '/dev/null/nowhere' });

    expect(await end).toMatchObject({ code: 7, stderr: '' });
  });
});
