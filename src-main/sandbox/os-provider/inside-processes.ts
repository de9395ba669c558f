import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import type { SeenProcess } from '../shell/shell-process.ts';

/**
 * The process file system of the namespace that `monitor`, the bwrap outside of it, has made; null until there
 * is one. It shows every process inside, whoever started it and whatever has become of its parent. To be asked
 * for each look: the path leads elsewhere once the sandbox has ended.
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

/** Until bwrap has built its root, the folder is that of this computer. */
function isOtherNamespace(folder: string): boolean {
  try {
    return statSync(folder).dev !== statSync('/proc').dev;
  } catch {
    return false;
  }
}

/** Numbers of all processes inside, as they are called there. */
export function readProcessIds(folder: string): string[] {
  return namesIn(folder).filter((name) => /^\d+$/.test(name));
}

/** Units of time in /proc: a hundred a second on every Linux. */
const TICK_MS = 10;

/**
 * The folder that tells what `pid` holds: of its first thread that has not ended, for where the first of all has,
 * the folder of the process shows nothing though the others go on. Null where none lives.
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

/** All processes inside that have not ended. What they are called is their own word. */
export function readProcesses(folder: string): SeenProcess[] {
  const bootedAt = Number(/^btime (\d+)$/m.exec(readOrEmpty('/proc/stat'))?.[1] ?? 0) * 1000;
  return readProcessIds(folder).flatMap((pid) => {
    const stat = readOrEmpty(`${folder}/${pid}/stat`);
    const nameEnd = stat.lastIndexOf(')');
    const living = livingFolder(folder, pid);
    if (nameEnd < 0 || living === null) return [];
    // Field 22 of the file; with the number it is never that of another process.
    const ticks = stat.slice(nameEnd + 2).split(' ')[19] ?? '0';
    const name = stat.slice(stat.indexOf('(') + 1, nameEnd).trim() || '(no name)';
    const command = commandLine(`${living}/cmdline`) || name;
    const startedAt = bootedAt + Number(ticks) * TICK_MS;
    return [{ id: `${pid} ${ticks}`, pid: Number(pid), command, startedAt }];
  });
}

/** A command line may have megabytes. */
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

/** The text of a file of /proc; empty where its process has ended. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
