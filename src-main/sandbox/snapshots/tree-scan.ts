import { type BigIntStats, lstatSync, opendirSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LeftOut } from '#contract/entities.ts';
import { errorCode, HeldFolder } from '../workspace/confined-path.ts';
import { isTooDeep } from '../workspace/tree-bounds.ts';

/** Most things in one snapshot. */
export const SNAPSHOT_ENTRIES = 50_000;
/** Folders that tools fill, and can fill again: looked at last, and the first to be left out. */
const TOOL_FOLDERS = new Set(['node_modules', '.venv', '__pycache__']);
/** Entries between two pauses in which the process does other things. */
const ENTRIES_AT_ONCE = 500;

/** A thing of the workspace as it was found. */
export interface Found {
  readonly path: string;
  /** The outermost folder of a tool that it is in; null for what is in none. */
  readonly unit: string | null;
  readonly mode: number;
  readonly what:
    | { readonly kind: 'folder' }
    | { readonly kind: 'link'; readonly target: string }
    /** `state` tells one state of the file from any other that it had or will have. */
    | { readonly kind: 'file'; readonly size: number; readonly state: string; readonly at: bigint };
}

export interface TreeScan {
  readonly found: readonly Found[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * All that is in a workspace. Each folder is entered as a real one and held, so nothing outside is seen,
 * whatever a program swaps meanwhile. Ordinary folders come first: where there is too much, it is the
 * folders of tools that are not gone through.
 */
export async function scanTree(dir: string, limit = SNAPSHOT_ENTRIES): Promise<TreeScan> {
  const scan: Scan = { found: [], leftOut: [], later: [], limit };
  if (lstatSync(dir, { throwIfNoEntry: false }) === undefined) return scan;
  using root = new HeldFolder(dir);
  await scanFolder(root, { prefix: '', unit: null }, scan);
  for (const path of scan.later) {
    using folder = hold(root, path, scan);
    if (folder !== null) await scanFolder(folder, { prefix: `${path}/`, unit: path }, scan);
  }
  return scan;
}

interface Scan {
  readonly found: Found[];
  readonly leftOut: LeftOut[];
  /** Folders of tools. */
  readonly later: string[];
  readonly limit: number;
}

interface Place {
  /** Path of the folder, with a slash at its end. */
  readonly prefix: string;
  readonly unit: string | null;
}

async function scanFolder(folder: HeldFolder, { prefix, unit }: Place, scan: Scan): Promise<void> {
  const leaveOut = (reason: LeftOut['reason']): void =>
    void scan.leftOut.push({ path: prefix.slice(0, -1), reason, bytes: 0 });
  if (isTooDeep(prefix)) return leaveOut('too_deep');
  const below: string[] = [];
  const names = namesIn(folder);
  if (scan.found.length + names.length > scan.limit) {
    return leaveOut('too_many');
  }
  for (const name of names) {
    if (scan.found.length % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) await nextTurn();
    const path = prefix + name;
    const info = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
    if (info === undefined) {
      // Gone since it was listed, or a name of bytes that are no text.
      if (name.includes('\ufffd')) scan.leftOut.push({ path, reason: 'unreadable', bytes: 0 });
      continue;
    }
    const what = describe(folder.at(name), info);
    if (what === null) {
      scan.leftOut.push({ path, reason: 'special', bytes: 0 });
      continue;
    }
    scan.found.push({ path, unit, mode: Number(info.mode & 0o777n), what });
    if (what.kind !== 'folder') continue;
    if (unit === null && TOOL_FOLDERS.has(name)) scan.later.push(path);
    else below.push(name);
  }
  for (const name of below) {
    using inner = hold(folder, name, scan, prefix);
    if (inner !== null) await scanFolder(inner, { prefix: `${prefix}${name}/`, unit }, scan);
  }
}

/** In the order of names, so that equal folders give equal lists. */
function namesIn(folder: HeldFolder): string[] {
  const names: string[] = [];
  const reading = opendirSync(folder.at(), { bufferSize: 256 });
  try {
    for (let entry = reading.readSync(); entry !== null; entry = reading.readSync()) {
      names.push(entry.name);
    }
  } finally {
    reading.closeSync();
  }
  return names.sort();
}

function describe(at: string, info: BigIntStats): Found['what'] | null {
  if (info.isDirectory()) return { kind: 'folder' };
  if (info.isFile()) {
    return { kind: 'file', size: Number(info.size), state: stateOf(info), at: info.ctimeNs };
  }
  if (!info.isSymbolicLink()) return null;
  try {
    return { kind: 'link', target: readlinkSync(at) };
  } catch (error) {
    // It was something else by then: the next snapshot has what it is now.
    if (['EINVAL', 'ENOENT'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** Every change of content moves the time of change, which programs cannot set back. */
export function stateOf(info: BigIntStats): string {
  return `${info.dev}:${info.ino}:${info.size}:${info.mtimeNs}:${info.ctimeNs}`;
}

/** Null for what is no folder any more; one that may not be entered is noted down. */
function hold(from: HeldFolder, path: string, scan: Scan, prefix = ''): HeldFolder | null {
  try {
    return holdBelow(from, path);
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'EACCES' || code === 'EPERM') {
      scan.leftOut.push({ path: prefix + path, reason: 'unreadable', bytes: 0 });
      return null;
    }
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return null;
    throw error;
  }
}

/** The folder at `path` below another, with no link followed. Throws `ENOENT`, `ENOTDIR`, `ELOOP`. */
export function holdBelow(from: HeldFolder, path: string): HeldFolder {
  let here = from;
  for (const part of path.split('/').filter((one) => one !== '')) {
    try {
      const next = new HeldFolder(here.at(part));
      if (here !== from) here[Symbol.dispose]();
      here = next;
    } catch (error) {
      if (here !== from) here[Symbol.dispose]();
      throw error;
    }
  }
  return here === from ? new HeldFolder(from.at('.')) : here;
}
