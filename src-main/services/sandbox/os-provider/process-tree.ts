import { readFileSync } from 'node:fs';

const MAX_PROCESSES = 4096;

/** Process ids of `root` and everything below it, as the kernel tells them now. Linux only. */
export function readProcessTree(root: number): number[] {
  const pids = [root];
  for (let at = 0; at < pids.length && pids.length < MAX_PROCESSES; at += 1) {
    const pid = pids[at];
    const children = readOrEmpty(`/proc/${pid}/task/${pid}/children`);
    for (const child of children.split(' ')) if (child !== '') pids.push(Number(child));
  }
  return pids;
}

/** Bytes in memory that only these processes could be using; shared pages count for each of them. */
export function readResidentBytes(pids: readonly number[]): number {
  return sumKilobytes(pids, 'status', /^Rss(?:Anon|Shmem):\s+(\d+) kB/gm);
}

/** The same with shared pages divided among those who share them. Slower: the kernel walks the pages. */
export function readProportionalBytes(pids: readonly number[]): number {
  return sumKilobytes(pids, 'smaps_rollup', /^Pss_(?:Anon|Shmem):\s+(\d+) kB/gm);
}

function sumKilobytes(pids: readonly number[], file: string, pattern: RegExp): number {
  let kilobytes = 0;
  for (const pid of pids) {
    for (const match of readOrEmpty(`/proc/${pid}/${file}`).matchAll(pattern)) {
      kilobytes += Number(match[1]);
    }
  }
  return kilobytes * 1024;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process has ended since it was listed.
    return '';
  }
}
