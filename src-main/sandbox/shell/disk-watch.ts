import { statfsSync } from 'node:fs';
import { lstat, readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxLimits } from '../types.ts';

/** What a command may take of the host's disk, with what it leaves in the background. */
export interface DiskLimit {
  /** Folder of the host that is the workspace. */
  readonly dir: string;
  readonly bytes: number;
}

/** The limit of a runtime; null where it has none. */
export function diskLimit(dir: string, { diskBytes }: SandboxLimits): DiskLimit | null {
  return diskBytes === undefined ? null : { dir, bytes: diskBytes };
}

const LOOK_EVERY_MS = 250;
const LOOK_AFTER_MS = 1_000;
/** Counting takes at most this share of the time: it waits so many times what the last count took. */
const COUNT_REST = 4;
/** A workspace that takes longer to count, with the disk filling up, is one that fills it. */
const COUNT_MS = 2_000;
/** Always left to the host, whatever the limit is and whoever writes. */
const LEFT_TO_HOST_BYTES = 256 * 1024 * 1024;
/** Deleted files that are held open are in no count; a disk that loses this many limits has some. */
const UNCOUNTED_LIMITS = 4;

export interface DiskWatch extends Disposable {
  /** The command is over: looks less often at what it left, if it left anything. */
  slowDown(): void;
}

/**
 * Watches the disk that the workspace lies on, and calls `onFull` once when a command has taken more of
 * it than it may. Folders have no quota that an ordinary user could set, so what is free is looked at
 * while a command runs and after it; once that has fallen by the limit, the files which the command wrote are counted,
 * so that it does not answer for what another program writes.
 */
export function watchDisk({ dir, bytes }: DiskLimit, onFull: () => void): DiskWatch {
  const startedAt = Date.now();
  let before = freeNow(dir);
  let isOver = false;
  let everyMs = LOOK_EVERY_MS;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const lookedAt = performance.now();
    const { bavail, bsize } = await statfs(dir);
    const free = bavail * bsize;
    before ??= free;
    const lost = before - free;
    const isFull =
      (free < LEFT_TO_HOST_BYTES && lost > 0) ||
      lost > UNCOUNTED_LIMITS * bytes ||
      (lost > bytes && (await wroteMoreThan(bytes, dir, startedAt)));
    if (isOver) return;
    if (isFull) onFull();
    else schedule((performance.now() - lookedAt) * COUNT_REST);
  };
  const schedule = (restMs: number): void => {
    timer = setTimeout(
      () => {
        // A disk that cannot be looked at is told by whoever writes to it.
        look().catch(() => undefined);
      },
      Math.max(everyMs, restMs),
    ).unref();
  };
  schedule(0);
  return {
    slowDown: () => {
      everyMs = LOOK_AFTER_MS;
    },
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/**
 * What is free before the command begins; null where it cannot be known. Asked here and now: most commands
 * are over before a thread of the pool has answered, and waking one costs more than the answer.
 */
function freeNow(dir: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    // A disk that cannot be looked at is told by whoever writes to it.
    return null;
  }
}

/** Whether files of the folder that changed since `sinceMs` take more than so many bytes of the disk. */
async function wroteMoreThan(bytes: number, dir: string, sinceMs: number): Promise<boolean> {
  const deadline = performance.now() + COUNT_MS;
  // File systems keep times in steps, the coarsest of one or two seconds.
  const since = sinceMs - 2_000;
  const folders = [dir];
  let sum = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // What vanishes while it is counted takes nothing.
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
