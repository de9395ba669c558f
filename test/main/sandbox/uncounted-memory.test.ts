import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { describeSandboxProvider } from '../../conformance/sandbox-provider.ts';
import { providerParts } from './provider-parts.ts';

/** Without systemd, whose control groups would count everything. */
const withoutGroup = (dir: string) =>
  new BubblewrapProvider({
    ...providerParts(dir),
    environment: { PATH: process.env.PATH ?? '' },
  });

const TRIES = `
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def tried(name, *given):
    ctypes.set_errno(0)
    return "given" if getattr(libc, name)(*given) >= 0 else errno.errorcode[ctypes.get_errno()]
size = ctypes.c_size_t
print("memfd", tried("memfd_create", b"m", 0), tried("syscall", 447, 0))
print("memory", tried("shmget", 0, size(56), 0o1600), tried("shmget", 0, size(4096), 0o1600),
      tried("shmget", 0, size(4097), 0o1600), tried("shmget", 0, size(1 << 33), 0o1600))
print("semaphores", tried("semget", 0, 32, 0o1600), tried("semget", 0, 33, 0o1600))
print("queue", tried("msgget", 0, 0o1600))
import multiprocessing, multiprocessing.shared_memory
piece = multiprocessing.shared_memory.SharedMemory(create=True, size=1 << 20)
piece.buf[0] = 1; piece.close(); piece.unlink()
print("locks", multiprocessing.Semaphore(3).acquire())`;

await describeSandboxProvider('without a control group', withoutGroup(homedir()), () => {
  test('programs get no memory that cannot be counted, except the small amounts they need', async () => {
    const dir = await mkdtemp(join(homedir(), '.hyperagent-test-'));
    const workspaceDir = await mkdtemp(join(dir, 'workspace-'));
    const provider = withoutGroup(dir);
    const { signal } = new AbortController();
    const limits = { memoryBytes: 2 ** 28, cpus: 1, pids: 64, fileBytes: 2 ** 26 };
    try {
      await using runtime = await provider.start({ key: 'k', workspaceDir, limits }, signal);
      const { stdout, stderr } = await runtime.run(
        { commandId: 'c', language: 'python', code: TRIES, timeoutMs: 60_000 },
        { signal, onOutput: () => undefined },
      );
      expect([stdout.trim().split('\n'), stderr]).toEqual([
        [
          'memfd ENOSYS ENOSYS',
          'memory given given ENOSPC ENOSPC',
          'semaphores given ENOSPC',
          'queue ENOSYS',
          'locks True',
        ],
        '',
      ]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
