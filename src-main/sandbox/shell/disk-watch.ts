import { statfsSync } from 'node:fs';
import { lstat, readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxLimits } from '../types.ts';

/** How much of the host's disk a command and its background programs may use. */
export interface DiskLimit {
  /** Folder of the host that is the workspace. */
  readonly dir: string;
  /** Other folders of the host that programs write, on the same disk. */
  readonly scratch?: readonly string[];
  readonly bytes: number;
}

/** The limit of a runtime; null if it has none. */
export function diskLimit(dir: string, { diskBytes }: SandboxLimits): DiskLimit | null {
  return diskBytes === undefined ? null : { dir, bytes: diskBytes };
}

const CHECK_EVERY_MS = 250;
const CHECK_AFTER_MS = 1_000;
/** Bounds the share of time spent counting: waits this many times as long as the last count took. */
const WAIT_FACTOR = 4;
/** A workspace that takes longer to count while the disk fills up counts as the one that fills it. */
const COUNT_MS = 2_000;
/** Reserved for the host, regardless of the limit and of which program writes. */
const HOST_RESERVE_BYTES = 256 * 1024 * 1024;
/** Deleted files that are still open are not counted; a disk that loses this many limits has some. */
const UNCOUNTED_LIMITS = 4;

export interface DiskWatch extends Disposable {
  /** The command has ended: checks its background programs less often. */
  slowDown(): void;
}

/**
 * Watches the disk of the workspace, and calls `onFull` once when a command exceeds its limit. Ordinary users
 * cannot set folder quotas, so free space is checked while a command runs and after it; once it has fallen by
 * the limit, the files that the command wrote are counted, so that it is not blamed for other programs.
 */
export function watchDisk({ dir, scratch = [], bytes }: DiskLimit, onFull: () => void): DiskWatch {
  const startedAt = Date.now();
  let before = freeNow(dir);
  let isOver = false;
  let everyMs = CHECK_EVERY_MS;
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<void> => {
    const checkedAt = performance.now();
    const { bavail, bsize } = await statfs(dir);
    const free = bavail * bsize;
    before ??= free;
    const lost = before - free;
    const isFull =
      (free < HOST_RESERVE_BYTES && lost > 0) ||
      lost > UNCOUNTED_LIMITS * bytes ||
      (lost > bytes && (await wroteMoreThan(bytes, [dir, ...scratch], startedAt)));
    if (isOver) return;
    if (isFull) onFull();
    else schedule((performance.now() - checkedAt) * WAIT_FACTOR);
  };
  const schedule = (restMs: number): void => {
    timer = setTimeout(
      () => {
        // If the disk cannot be checked, the program that writes to it gets the error.
        check().catch(() => undefined);
      },
      Math.max(everyMs, restMs),
    ).unref();
  };
  schedule(0);
  return {
    slowDown: () => {
      everyMs = CHECK_AFTER_MS;
    },
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Free bytes before the command begins; null if unknown. Synchronous: most commands end before a pool thread
 * has answered, and waking one costs more than the answer.
 */
function freeNow(dir: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    // If the disk cannot be checked, the program that writes to it gets the error.
    return null;
  }
}

/** Whether files of the folders that changed since `sinceMs` take more than `bytes` on the disk. */
async function wroteMoreThan(
  bytes: number,
  dirs: readonly string[],
  sinceMs: number,
): Promise<boolean> {
  const deadline = performance.now() + COUNT_MS;
  // File systems store times in steps, the coarsest of one or two seconds.
  const since = sinceMs - 2_000;
  const folders = [...dirs];
  let sum = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // What vanishes during the count takes no space.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const inside = folder;
    for (const entry of entries)
      if (entry.isDirectory()) folders.push(path.join(inside, entry.name));
    const files = entries.filter((entry) => entry.isFile());
    for (let start = 0; start < files.length; start += 64) {
      if (performance.now() > deadline) return true;
      const stats = await Promise.all(
        files
          .slice(start, start + 64)
          .map((file) => lstat(path.join(inside, file.name)).catch(() => null)),
      );
      for (const stat of stats)
        if (stat !== null && stat.ctimeMs >= since) sum += stat.blocks * 512;
      if (sum > bytes) return true;
    }
  }
  return false;
}
