import { readdirSync } from 'node:fs';
import { readOrEmpty } from '../os-provider/inside-processes.ts';

/**
 * Ids of all processes that descend from `root`, itself not among them. The launcher adopts orphans, so nothing that
 * it started is missing.
 */
export function descendantsOf(root: number): number[] {
  const found: number[] = [];
  const open = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const thread of threadsOf(parent)) {
      const children = readOrEmpty(`/proc/${parent}/task/${thread}/children`).split(' ');
      const pids = children.filter((child) => child !== '').map(Number);
      found.push(...pids);
      open.push(...pids);
    }
  }
  return found;
}

/** Ids of the threads of a process; none if it has ended. */
export function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
