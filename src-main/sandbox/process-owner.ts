import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { sha256 } from '../base/canonical-json.ts';

/** Which process of which computer something that outlives a process belongs to. */
export interface ProcessOwner {
  /** A digest: it is also told to engines and services that need not know the computer's name. */
  readonly host: string;
  readonly pid: number;
  /** Tells a process from a later one with the same number; empty where the system does not say. */
  readonly startedAt: string;
}

/** This process, as text for a label. */
export function ownerLabel(): string {
  const owner: ProcessOwner = {
    host: hostId(),
    pid: process.pid,
    startedAt: readStartTime(process.pid) ?? '',
  };
  return JSON.stringify(owner);
}

/**
 * Whether a label names a process of this computer that has ended. Not so for those of other
 * computers or process namespaces, because nobody here can tell whether their app lives.
 */
export function isLeftover(label: string | undefined): boolean {
  const owner = parseOwner(label);
  if (owner === null || owner.host !== hostId()) return false;
  if (!isAlive(owner.pid)) return true;
  const startedAt = readStartTime(owner.pid);
  return startedAt !== null && owner.startedAt !== '' && startedAt !== owner.startedAt;
}

function parseOwner(label: string | undefined): ProcessOwner | null {
  try {
    const { host, pid, startedAt } = JSON.parse(label ?? '') as Partial<ProcessOwner>;
    return typeof host === 'string' && typeof pid === 'number' && typeof startedAt === 'string'
      ? { host, pid, startedAt }
      : null;
  } catch {
    // Not written by us.
    return null;
  }
}

/** This computer and, on Linux, the process namespace in which our numbers mean something. */
function hostId(): string {
  return sha256(`${hostname()} ${processNamespace()}`).slice(0, 24);
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // No namespaces on this system.
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Field 22 of /proc/PID/stat, after the name in brackets; null where there is no /proc. */
function readStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
