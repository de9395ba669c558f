import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { ContainerList } from './engine-answers.ts';
import { type EngineClient, EngineError } from './engine-client.ts';

const OWNER_LABEL = 'hyperagent.owner';
const KEY_LABEL = 'hyperagent.key';

/** Which process of which computer a container belongs to. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Tells a process from a later one with the same number; empty where the system does not say. */
  readonly startedAt: string;
}

/** Labels of a container of this process, by which a later start can tell that it is a leftover. */
export function ownerLabels(key: string): Record<string, string> {
  const owner: Owner = {
    host: hostId(),
    pid: process.pid,
    startedAt: readStartTime(process.pid) ?? '',
  };
  return { [OWNER_LABEL]: JSON.stringify(owner), [KEY_LABEL]: key };
}

/**
 * Removes containers whose app has ended without closing them; returns how many. Those of other
 * computers or process namespaces on the same engine are left alone, because nobody here can tell
 * whether their app lives.
 */
export async function removeLeftoverContainers(client: EngineClient): Promise<number> {
  const filters = encodeURIComponent(JSON.stringify({ label: [OWNER_LABEL] }));
  const path = `/containers/json?all=1&filters=${filters}`;
  const containers = ContainerList.parse(await client.request({ method: 'GET', path }));
  const leftovers = containers.filter(({ Labels }) => isLeftover(Labels?.[OWNER_LABEL]));
  await Promise.all(leftovers.map(({ Id }) => removeContainer(client, Id)));
  return leftovers.length;
}

/** Kills and removes; harmless when it is gone or already going. */
export async function removeContainer(client: EngineClient, id: string): Promise<void> {
  try {
    await client.request({ method: 'DELETE', path: `/containers/${id}?force=1&v=1` });
  } catch (error) {
    const isGone = error instanceof EngineError && (error.status === 404 || error.status === 409);
    if (!isGone) throw error;
  }
}

function isLeftover(label: string | undefined): boolean {
  const owner = parseOwner(label);
  if (owner === null || owner.host !== hostId()) return false;
  if (!isAlive(owner.pid)) return true;
  const startedAt = readStartTime(owner.pid);
  return startedAt !== null && owner.startedAt !== '' && startedAt !== owner.startedAt;
}

function parseOwner(label: string | undefined): Owner | null {
  try {
    const { host, pid, startedAt } = JSON.parse(label ?? '') as Partial<Owner>;
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
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
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
