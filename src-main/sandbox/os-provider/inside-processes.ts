import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import type { SeenProcess } from '../shell/shell-process.ts';

/**
 * The /proc of the namespace that `monitor`, the outer bwrap, has created; null until there is one. It shows
 * every process inside, however it was started and whether or not its parent still runs. Ask again each time:
 * the path leads elsewhere once the sandbox has ended.
 */
export function insideProc(monitor: number): string | null {
  for (const thread of namesIn(`/proc/${monitor}/task`)) {
    const children = readOrEmpty(`/proc/${monitor}/task/${thread}/children`);
    for (const child of children.split(' ')) {
      const folder = `/proc/${child}/root/proc`;
      if (child !== '' && isOtherNamespace(folder)) return folder;
    }
  }
  return null;
}

/** Until bwrap has built its root, the folder is that of the host. */
function isOtherNamespace(folder: string): boolean {
  try {
    return statSync(folder).dev !== statSync('/proc').dev;
  } catch {
    return false;
  }
}

/** Process ids of all processes inside, in their own namespace. */
export function readProcessIds(folder: string): string[] {
  return namesIn(folder).filter((name) => /^\d+$/.test(name));
}

/** The clock tick of /proc: a hundred a second on every Linux. */
const TICK_MS = 10;

/**
 * The /proc folder of `pid`, or of its first living thread: if the main thread has ended, the folder of the
 * process shows nothing although other threads still run. Null if no thread is alive.
 */
export function livingFolder(folder: string, pid: string): string | null {
  const process = `${folder}/${pid}`;
  if (isLiving(readOrEmpty(`${process}/stat`))) return process;
  const threads = namesIn(`${process}/task`).map((thread) => `${process}/task/${thread}`);
  return threads.find((thread) => isLiving(readOrEmpty(`${thread}/stat`))) ?? null;
}

/** Neither a zombie nor dead. */
function isLiving(stat: string): boolean {
  return /^[^ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** Those of `pids`, or else of all processes inside, that live. Their names are chosen by the programs themselves. */
export function readProcesses(
  folder: string,
  pids: readonly (string | number)[] = readProcessIds(folder),
): SeenProcess[] {
  const bootedAt = Number(/^btime (\d+)$/m.exec(readOrEmpty('/proc/stat'))?.[1] ?? 0) * 1000;
  return pids.flatMap((pid) => {
    const stat = readOrEmpty(`${folder}/${pid}/stat`);
    const nameEnd = stat.lastIndexOf(')');
    const living = livingFolder(folder, `${pid}`);
    if (nameEnd < 0 || living === null) return [];
    // Start time (field 22): together with the pid it identifies a process uniquely.
    const ticks = stat.slice(nameEnd + 2).split(' ')[19] ?? '0';
    const name = stat.slice(stat.indexOf('(') + 1, nameEnd).trim() || '(no name)';
    const command = commandLine(`${living}/cmdline`) || name;
    const startedAt = bootedAt + Number(ticks) * TICK_MS;
    return [{ id: `${pid} ${ticks}`, pid: Number(pid), command, startedAt }];
  });
}

/** A command line may be megabytes long. */
const COMMAND_BYTES = 2048;

function commandLine(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(COMMAND_BYTES);
      const length = readSync(descriptor, bytes);
      return bytes.toString('utf8', 0, length).replaceAll('\0', ' ').trim();
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The process has ended since it was listed.
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The text of a file in /proc; empty if its process has ended. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
