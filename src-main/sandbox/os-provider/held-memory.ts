import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolders } from '../inside.ts';
import { livingFolder, readOrEmpty } from './inside-processes.ts';

/** Memory of this computer, in bytes. */
export interface HostMemory {
  /** What programs can still get. */
  readonly available: number;
  /** Shared memory and file systems in memory, of all programs of this computer. */
  readonly shared: number;
}

/** The processes of one sandbox, and where their file systems in memory are. */
export interface MemoryHolders {
  /** A /proc that shows them. */
  readonly proc: string;
  readonly pids: readonly (string | number)[];
  /** Root of the file systems in memory; null if the sandbox has none of its own. */
  readonly scratchRoot: string | null;
}

export function readHostMemory(): HostMemory {
  const text = readOrEmpty('/proc/meminfo');
  return {
    available: sumKilobytes(text, /^MemAvailable:\s+(\d+) kB/gm),
    shared: sumKilobytes(text, /^Shmem:\s+(\d+) kB/gm),
  };
}

/**
 * A quick upper bound of the private memory of the processes inside: memory that forks share counts for each of
 * them. Page tables count, because a program can have more of them than memory.
 */
export function readPrivateBytes(holders: MemoryHolders): number {
  let bytes = 0;
  for (const living of livingFolders(holders)) {
    const status = readOrEmpty(`${living}/status`);
    bytes += sumKilobytes(status, /^(?:RssAnon|VmSwap|VmPTE):\s+(\d+) kB/gm);
  }
  return bytes;
}

/** The /proc folder of each process inside. */
function* livingFolders({ proc, pids }: MemoryHolders): Generator<string> {
  for (const pid of pids) {
    const living = livingFolder(proc, `${pid}`);
    if (living !== null) yield living;
  }
}

/** A sandbox that takes longer to count while memory fills up counts as the one that fills it. */
const COUNT_MS = 2_000;

/**
 * Whether the processes inside hold more than `limit`: their own memory, with what forks share divided among
 * them; file systems in memory; and anonymous shared memory, which stays in memory even if no process maps
 * its pages. Only the length of the last is known, capped by all shared memory of this computer. Slow: the
 * kernel walks the pages.
 */
export async function usesMoreThan(limit: number, holders: MemoryHolders): Promise<boolean> {
  const deadline = performance.now() + COUNT_MS;
  const { scratchRoot } = holders;
  const scratch = scratchRoot === null ? 0 : await scratchBytes(scratchRoot);
  const lengths = new Map<string, number>();
  let own = 0;
  for (const living of livingFolders(holders)) {
    if (performance.now() > deadline) return true;
    const [rollup, maps] = await Promise.all(
      ['smaps_rollup', 'maps'].map((name) =>
        // The process has ended since it was listed.
        readFile(`${living}/${name}`, 'latin1').catch(() => ''),
      ),
    );
    own += sumKilobytes(rollup ?? '', /^(?:Pss_Anon|SwapPss):\s+(\d+) kB/gm);
    own += sumKilobytes(readOrEmpty(`${living}/status`), /^VmPTE:\s+(\d+) kB/gm);
    addLengths(maps ?? '', lengths);
  }
  const nameless = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const { shared } = readHostMemory();
  return own + scratch + Math.min(nameless, Math.max(shared - scratch, 0)) > limit;
}

/** `start-end rwxs offset device inode path`, in hexadecimal but for the inode. */
const NAMELESS = /^([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) \S+ (\d+) +\/dev\/zero \(deleted\)$/gm;

/** Minimum length of each piece of anonymous shared memory, by its inode. */
function addLengths(maps: string, lengths: Map<string, number>): void {
  for (const [, start, end, offset, inode = ''] of maps.matchAll(NAMELESS)) {
    const length = hexadecimal(end) - hexadecimal(start) + hexadecimal(offset);
    lengths.set(inode, Math.max(length, lengths.get(inode) ?? 0));
  }
}

function hexadecimal(text = '0'): number {
  return Number.parseInt(text, 16);
}

/** Bytes in the file systems in memory, including deleted files that are still open. */
async function scratchBytes(root: string): Promise<number> {
  const sizes = Object.keys(scratchFolders(0)).map(async (path) => {
    const { blocks, bfree, bsize } = await statfs(join(root, path));
    return (blocks - bfree) * bsize;
  });
  const settled = await Promise.allSettled(sizes);
  return settled.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
}

function sumKilobytes(text: string, pattern: RegExp): number {
  let kilobytes = 0;
  for (const match of text.matchAll(pattern)) kilobytes += Number(match[1]);
  return kilobytes * 1024;
}
