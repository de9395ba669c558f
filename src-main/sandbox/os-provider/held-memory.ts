import { readFile, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { scratchFolders } from '../inside.ts';
import { livingFolder, readOrEmpty, readProcessIds } from './inside-processes.ts';

/** What this computer says of its memory, in bytes. */
export interface HostMemory {
  /** What programs could still get. */
  readonly available: number;
  /** What is shared or lies in file systems in memory, of all programs of this computer. */
  readonly shared: number;
}

export function readHostMemory(): HostMemory {
  const text = readOrEmpty('/proc/meminfo');
  return {
    available: sumKilobytes(text, /^MemAvailable:\s+(\d+) kB/gm),
    shared: sumKilobytes(text, /^Shmem:\s+(\d+) kB/gm),
  };
}

/**
 * Bytes that only the processes inside hold themselves, quickly: what forks share counts for each of them. Page
 * tables count, for a program can have more of them than memory.
 */
export function readPrivateBytes(folder: string): number {
  let bytes = 0;
  for (const living of livingFolders(folder)) {
    const status = readOrEmpty(`${living}/status`);
    bytes += sumKilobytes(status, /^(?:RssAnon|VmSwap|VmPTE):\s+(\d+) kB/gm);
  }
  return bytes;
}

/** Of each process inside. */
function* livingFolders(folder: string): Generator<string> {
  for (const pid of readProcessIds(folder)) {
    const living = livingFolder(folder, pid);
    if (living !== null) yield living;
  }
}

/** Who takes longer to be counted, while memory fills up, is one who fills it. */
const COUNT_MS = 2_000;

/**
 * Whether all that the processes inside hold is more than `limit`: their own memory, with what forks share
 * divided among them; file systems in memory; and what is shared and has no name, which stays in memory also
 * where no process has it in its page tables. Of the last only the length is known, and that all of this
 * computer's shared memory is not less. Slow: the kernel walks the pages.
 */
export async function holdsMoreThan(limit: number, folder: string): Promise<boolean> {
  const deadline = performance.now() + COUNT_MS;
  const scratch = await scratchBytes(dirname(folder));
  const lengths = new Map<string, number>();
  let own = 0;
  for (const living of livingFolders(folder)) {
    if (performance.now() > deadline) return true;
    const [rollup, maps] = await Promise.all(
      ['smaps_rollup', 'maps'].map((name) =>
        // The process has ended since it was listed.
        readFile(`${living}/${name}`, 'latin1').catch(() => ''),
      ),
    );
    own += sumKilobytes(rollup ?? '', /^(?:Pss_Anon|SwapPss):\s+(\d+) kB/gm);
    own += sumKilobytes(readOrEmpty(`${living}/status`), /^VmPTE:\s+(\d+) kB/gm);
    noteLengths(maps ?? '', lengths);
  }
  const nameless = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const { shared } = readHostMemory();
  return own + scratch + Math.min(nameless, Math.max(shared - scratch, 0)) > limit;
}

/** `start-end rwxs offset device inode path`, in hexadecimal but for the inode. */
const NAMELESS = /^([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) \S+ (\d+) +\/dev\/zero \(deleted\)$/gm;

/** How long each piece of shared memory without a name is at least, by its inode. */
function noteLengths(maps: string, lengths: Map<string, number>): void {
  for (const [, start, end, offset, inode = ''] of maps.matchAll(NAMELESS)) {
    const length = hexadecimal(end) - hexadecimal(start) + hexadecimal(offset);
    lengths.set(inode, Math.max(length, lengths.get(inode) ?? 0));
  }
}

function hexadecimal(text = '0'): number {
  return Number.parseInt(text, 16);
}

/** What lies in the file systems in memory, deleted files that are open too. */
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
