import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { homedir, networkInterfaces } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandResult, SandboxProvider, SandboxRuntime } from '#main/sandbox/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';

const MEGABYTE = 1024 * 1024;
const never = new AbortController().signal;
/** After its limit or an abort nothing may live longer than this. */
const KILL_MS = 5_000;

/** What no program gets out by, and what none can do to the computer; once for each back-end. */
export function testEscapes(name: string, open: (dir: string) => SandboxProvider): void {
  describe(name, () => {
    let dir: string;
    let workspaceDir: string;
    let runtime: SandboxRuntime;

    beforeEach(async () => {
      dir = await mkdtemp(path.join(homedir(), '.hyperagent-test-'));
      workspaceDir = path.join(dir, 'workspaces', 'one');
      await mkdir(workspaceDir, { recursive: true });
      const limits = { memoryBytes: 256 * MEGABYTE, cpus: 1, pids: 64, fileBytes: 256 * MEGABYTE };
      const spec = { key: `unified:escape:${randomBytes(4).toString('hex')}`, workspaceDir };
      runtime = await open(dir).start(
        { ...spec, limits: { ...limits, diskBytes: 96 * MEGABYTE } },
        never,
      );
    });
    afterEach(async () => {
      await runtime[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    });
    const run = (code: string, timeoutMs = 60_000, language: 'bash' | 'python' = 'bash') =>
      runtime.run(
        { commandId: 'c', language, code, timeoutMs },
        { signal: never, onOutput: () => undefined },
      );

    it('files, sockets, links, mounts, /proc, environment, devices, rights: no canary is touched', async () => {
      const secret = `canary-${randomBytes(16).toString('hex')}`;
      const canary = path.join(dir, 'canary.txt');
      await writeFile(canary, secret, { mode: 0o666 });
      const reached: string[] = [];
      const listener = (label: string): net.Server =>
        net.createServer((socket) => {
          reached.push(label);
          socket.destroy();
        });
      const servers = {
        tcp: listener('TCP'),
        unix: listener('UNIX'),
        abstract: listener('abstract'),
      };
      const abstract = `hyperagent-${secret}`;
      servers.tcp.listen(0, '0.0.0.0');
      servers.unix.listen(path.join(dir, 'host.sock'));
      servers.abstract.listen(`\0${abstract}`);
      await Promise.all(Object.values(servers).map((server) => once(server, 'listening')));
      const marker = `6${BigInt(`0x${randomBytes(4).toString('hex')}`)}`;
      const victim = spawn('sleep', [marker], {
        stdio: 'ignore',
        env: { HYPERAGENT_CANARY: secret },
      });
      await once(victim, 'spawn');
      const ownAddress = Object.values(networkInterfaces())
        .flat()
        .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
      const targets = {
        ...{ canary, secret, abstract, marker, pid: victim.pid },
        port: (servers.tcp.address() as net.AddressInfo).port,
        socket: path.join(dir, 'host.sock'),
        hostAddress: ownAddress ?? '127.0.0.1',
        hostNames: ['workspaces', 'canary.txt', 'host.sock'],
      };
      const program = await readFile(path.join(import.meta.dirname, 'escapes.py'), 'utf8');
      const given = `TARGETS = __import__("json").loads(${JSON.stringify(JSON.stringify(targets))})\n`;
      const result = await run(given + program, 60_000, 'python');
      expect([result.outcome, result.stderr]).toEqual(['completed', '']);
      const report = JSON.parse(result.stdout) as { tried: number; worked: string[] };
      expect(report.worked).toEqual([]);
      expect(report.tried).toBeGreaterThan(180);
      expect(await readFile(canary, 'utf8')).toBe(secret);
      expect({ reached, alive: victim.exitCode === null && victim.signalCode === null }).toEqual({
        ...{ reached: [], alive: true },
      });
      // What it left behind leads nobody out who works on its files from outside.
      const workspace = new HostWorkspace(workspaceDir);
      await expect(workspace.read('link-out', 100)).rejects.toMatchObject({
        code: 'PATH_OUTSIDE_WORKSPACE',
      });
      await expect(workspace.write('link-out', 'x')).rejects.toMatchObject({
        code: 'PATH_OUTSIDE_WORKSPACE',
      });
      victim.kill('SIGKILL');
      for (const server of Object.values(servers)) server.close();
    });

    /** The longest time that this process could not do anything while `work` went on. */
    async function lagWhile<T>(work: Promise<T>): Promise<{ result: T; lagMs: number }> {
      let lagMs = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        const now = performance.now();
        lagMs = Math.max(lagMs, now - last);
        last = now;
      }, 20);
      try {
        return { result: await work, lagMs };
      } finally {
        clearInterval(timer);
      }
    }

    const bombs: readonly [string, string, number, CommandResult['outcome'][]][] = [
      ['a fork bomb', ':(){ :|:& };:; sleep 60', 2_000, ['timed_out']],
      [
        'memory',
        'python3 -c "x = []\nwhile True: x.append(bytearray(10_000_000))"; sleep 60',
        20_000,
        ['out_of_memory', 'timed_out'],
      ],
      [
        'memory in files',
        'head -c 2G /dev/zero > /dev/shm/fill; head -c 2G /dev/zero > /tmp/fill; sleep 60',
        3_000,
        ['out_of_memory', 'timed_out'],
      ],
      [
        'the disk, in one file and in many',
        'for i in $(seq 1 100000); do head -c 8M /dev/urandom > fill-$i; done; sleep 60',
        60_000,
        ['out_of_disk'],
      ],
      ['output', 'yes "$(head -c 1000 /dev/zero | tr \\0 x)"', 2_000, ['timed_out']],
      [
        'the processor',
        'for i in $(seq 1 32); do (while :; do :; done) & done; wait',
        2_000,
        ['timed_out'],
      ],
    ];
    it.each(bombs)(
      '%s: the computer goes on, and everything is dead within 5 s',
      async (_name, code, timeoutMs, outcomes) => {
        const started = performance.now();
        const { result, lagMs } = await lagWhile(run(code, timeoutMs));
        const took = performance.now() - started;
        expect(outcomes).toContain(result.outcome);
        expect(took).toBeLessThan(timeoutMs + KILL_MS);
        expect(lagMs).toBeLessThan(KILL_MS);
        expect(result.stdout.length).toBeLessThan(4 * MEGABYTE);
        // It is as if nothing had been: the next command runs, and finds no process of the one before.
        const after = await run(
          'ps -e -o comm= | grep -cE "^(yes|head|python3|sleep)$"; rm -f fill-*; echo ready',
        );
        expect(after.stdout.split('\n').slice(-2)).toEqual(['ready', '']);
        const sizes = await Promise.all(
          (await readdir(workspaceDir)).map(
            async (file) => (await stat(path.join(workspaceDir, file))).size,
          ),
        );
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MEGABYTE);
      },
      120_000,
    );
  });
}
