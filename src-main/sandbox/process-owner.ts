import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { sha256 } from '../base/canonical-json.ts';

/** The process and computer that own something which may outlive the process. */
export interface ProcessOwner {
  /** A digest, because engines and services see it and need not know the computer's name. */
  readonly host: string;
  readonly pid: number;
  /** Distinguishes a process from a later one with the same id; empty if the system does not say. */
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
 * Whether a label names a process of this computer that has ended. False for other computers or process
 * namespaces, because their processes cannot be seen from here.
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

/** This computer and, on Linux, the process namespace in which our process ids are valid. */
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

/** Field 22 of /proc/PID/stat, after the name in brackets; null if there is no /proc. */
function readStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
