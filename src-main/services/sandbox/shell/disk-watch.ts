import { statfs } from 'node:fs/promises';
import type { SandboxLimits } from '../types.ts';

/** What a runtime may take of the host's disk while one command runs. */
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
/** Always left to the host, whatever the limit is. */
const LEFT_TO_HOST_BYTES = 256 * 1024 * 1024;

/**
 * Watches the disk that the workspace lies on, and calls `onFull` once when a command has taken more of
 * it than it may. Folders have no quota that an ordinary user could set, so what is free is looked at
 * while a command runs; what others write meanwhile counts too, and only makes it stricter.
 */
export function watchDisk({ dir, bytes }: DiskLimit, onFull: () => void): Disposable {
  let before: number | null = null;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const { bavail, bsize } = await statfs(dir);
    const free = bavail * bsize;
    before ??= free;
    const isFull = before - free > bytes || (free < LEFT_TO_HOST_BYTES && free < before);
    if (isOver) return;
    if (isFull) onFull();
    else schedule();
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      // A disk that cannot be looked at is told by whoever writes to it.
      look().catch(() => undefined);
    }, LOOK_EVERY_MS).unref();
  };
  look().catch(() => undefined);
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
