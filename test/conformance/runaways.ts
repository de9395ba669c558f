import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';

/** Endless programs, one for each way to escape a shell; each writes its own file, `tick1` to `tick3`. */
export const RUNAWAYS = [
  '(while :; do date +%s%N >tick1; sleep 0.02; done) &',
  'nohup setsid bash -c "while :; do date +%s%N >tick2; sleep 0.02; done" >/dev/null 2>&1 &',
  `python3 -c 'import os,time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            open("tick3", "w").write(str(time.time())); time.sleep(0.02)' &`,
].join('\n');

/** Python, after importing ctypes and os: the process becomes a zombie while its other threads live. */
export const END_MAIN_THREAD =
  'ctypes.CDLL(None).syscall(93 if os.uname().machine == "aarch64" else 60, 0)';

/**
 * Python programs that hold memory which the process list does not show; each defines `hold(bytes)`. A system may
 * also refuse the memory.
 */
export const HIDDEN_HOLDERS: Readonly<Record<string, string>> = {
  'a thread whose main thread has ended': `
def work(size):
    time.sleep(1)
    held = b"x" * size
    time.sleep(60)
def hold(size):
    pid = os.fork()
    if pid == 0:
        threading.Thread(target=work, args=(size,)).start()
        ${END_MAIN_THREAD}
    time.sleep(6)
    try: threads = os.listdir(f"/proc/{pid}/task")
    except PermissionError: return  # Not every sandbox shows its processes.
    if len(threads) < 2: raise SystemExit("it was ended")`,
  'a memfd that is mapped nowhere': `
def hold(size):
    kept = [os.memfd_create("held") for _ in range(size >> 24)]
    for fd in kept: os.write(fd, bytes(1 << 24))
    time.sleep(3)`,
  'a memfd of a process that does not let itself be looked at': `
def hold(size):
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
    kept = [os.memfd_create("held") for _ in range(size >> 24)]
    for fd in kept: os.write(fd, bytes(1 << 24))
    time.sleep(3)`,
  'System V memory that nobody is attached to': `
def hold(size):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    for _ in range(size >> 24):
        piece = libc.shmget(0, ctypes.c_size_t(1 << 24), 0o1600)
        if piece < 0: raise OSError(ctypes.get_errno(), "shmget")
        at = libc.shmat(piece, None, 0)
        ctypes.memset(at, 1, 1 << 24)
        libc.shmdt(ctypes.c_void_p(at))`,
  'the child of a thread': `
def hold(size):
    born = []
    def child():
        pid = os.fork()
        if pid == 0:
            kept = b"x" * size
            time.sleep(30)
            os._exit(0)
        born.append(pid)
        time.sleep(30)
    threading.Thread(target=child, daemon=True).start()
    time.sleep(3)
    check(born[0])`,
  'an orphan whose parents are gone': `
def hold(size):
    ends = os.pipe()
    if os.fork() == 0:
        os.setsid()
        pid = os.fork()
        if pid == 0:
            kept = b"x" * size
            time.sleep(30)
        os.write(ends[1], str(pid).encode())
        os._exit(0)
    time.sleep(5)
    check(int(os.read(ends[0], 20)))`,
  'shared memory that is in no page table': `
def hold(size):
    kept = mmap.mmap(-1, size)
    for at in range(0, size, 1 << 20):
        kept[at:at + (1 << 20)] = bytes(1 << 20)
        kept.madvise(mmap.MADV_DONTNEED, at, 1 << 20)
    time.sleep(5)`,
  'deleted files in memory, beside memory of its own': `
def hold(size):
    kept, wanted = [], size * 4 // 10
    for folder in ("/tmp", "/dev/shm", os.environ["HOME"]):
        for name in range(wanted >> 20):
            try:
                one = open(f"{folder}/{name}", "wb", buffering=0)
                one.write(bytes(1 << 20)); os.unlink(f"{folder}/{name}")
                kept.append(one)
            except OSError: break
            if len(kept) << 20 >= wanted: break
    own = b"x" * (size * 3 // 10)
    time.sleep(5)`,
};

/** Holds `bytes` as `holder` says, and prints `held` if it has them for a while. */
export function holding(holder: string, bytes: number): string {
  return `import ctypes, mmap, os, threading, time\n${CHECK}\n${holder}\nhold(${bytes})\ntime.sleep(2)\nprint("held")`;
}

/** A control group may end the one that holds the memory, and leave the one that waits for it. */
const CHECK = `def check(pid):
    try: sizes = open(f"/proc/{pid}/statm").read()
    except PermissionError: return  # Not every sandbox shows its processes.
    if int(sizes.split()[1]) == 0: raise SystemExit("it was ended")`;

/** Resolves with the result of `look` once it satisfies `isWanted`. */
export async function seen<Value>(
  look: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
): Promise<Value> {
  let value = await look();
  await expect
    .poll(
      async () => {
        value = await look();
        return value;
      },
      { timeout: 60_000, interval: 100 },
    )
    .toSatisfy(isWanted);
  return value;
}

/** Resolves once the files of a folder stop growing. */
export async function expectNoGrowth(size: () => Promise<number>): Promise<number> {
  let before = -1;
  const last = await seen(
    async () => {
      const [earlier, now] = [before, await size()];
      before = now;
      await wait(700);
      return { earlier, now };
    },
    ({ earlier, now }) => earlier === now,
  );
  return last.now;
}
