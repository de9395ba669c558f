import { type BigIntStats, lstatSync, opendirSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LeftOut } from '#contract/workspace.ts';
import { errorCode, FolderHandle } from '../workspace/confined-path.ts';
import { isTooDeep } from '../workspace/tree-bounds.ts';

/** Most entries of one snapshot. */
export const SNAPSHOT_ENTRIES = 50_000;
/** Folders that tools fill and can recreate: scanned last, and left out first. */
const TOOL_FOLDERS = new Set(['node_modules', '.venv', '__pycache__']);
/** Entries between two yields to the event loop. */
const ENTRIES_AT_ONCE = 500;

/** An entry of the workspace, as found. */
export interface Found {
  readonly path: string;
  /** The outermost tool folder that contains it; null if there is none. */
  readonly unit: string | null;
  readonly mode: number;
  readonly what:
    | { readonly kind: 'folder' }
    | { readonly kind: 'link'; readonly target: string }
    /** `state` is different for every state of the file. */
    | { readonly kind: 'file'; readonly size: number; readonly state: string; readonly at: bigint };
}

export interface TreeScan {
  readonly found: readonly Found[];
  readonly leftOut: readonly LeftOut[];
}

export interface ScanTreeOptions {
  /** Most entries. */
  readonly limit?: number;
  /** Paths that are neither listed nor opened. */
  readonly isExcluded?: (path: string) => boolean;
}

/**
 * Lists everything in a workspace. Each folder is opened without following links and kept open, so nothing
 * outside is seen, whatever a program swaps meanwhile. Ordinary folders come first, so that with too many
 * entries the folders of tools are left out.
 */
export async function scanTree(
  dir: string,
  { limit = SNAPSHOT_ENTRIES, isExcluded = () => false }: ScanTreeOptions = {},
): Promise<TreeScan> {
  const scan: Scan = { found: [], leftOut: [], looked: 0, later: [], limit, isExcluded };
  if (lstatSync(dir, { throwIfNoEntry: false }) === undefined) return scan;
  using root = new FolderHandle(dir);
  await scanFolder(root, { prefix: '', unit: null }, scan);
  for (const path of scan.later) {
    using folder = openFolder(root, path, scan);
    if (folder !== null) await scanFolder(folder, { prefix: `${path}/`, unit: path }, scan);
  }
  return scan;
}

interface Scan {
  readonly found: Found[];
  readonly leftOut: LeftOut[];
  /** Entries so far. */
  looked: number;
  /** Folders of tools. */
  readonly later: string[];
  readonly limit: number;
  readonly isExcluded: (path: string) => boolean;
}

interface Place {
  /** Path of the folder, with a trailing slash. */
  readonly prefix: string;
  readonly unit: string | null;
}

async function scanFolder(
  folder: FolderHandle,
  { prefix, unit }: Place,
  scan: Scan,
): Promise<void> {
  const leaveOut = (reason: LeftOut['reason']): void =>
    void scan.leftOut.push({ path: prefix.slice(0, -1), reason, bytes: 0 });
  if (isTooDeep(prefix)) return leaveOut('too_deep');
  const below: string[] = [];
  const names = namesIn(folder);
  if (scan.looked + names.length > scan.limit) {
    return leaveOut('too_many');
  }
  for (const name of names) {
    // Whatever they are: pipes and names that are no text cost as much as files.
    scan.looked += 1;
    if (scan.looked % ENTRIES_AT_ONCE === 0) await nextTurn();
    const path = prefix + name;
    if (scan.isExcluded(path)) continue;
    const info = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
    if (info === undefined) {
      // Gone since it was listed, or its name is not valid text.
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
    using inner = openFolder(folder, name, scan, prefix);
    if (inner !== null) await scanFolder(inner, { prefix: `${prefix}${name}/`, unit }, scan);
  }
}

/** Sorted, so that equal folders give equal lists. */
function namesIn(folder: FolderHandle): string[] {
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
    // It was replaced meanwhile: the next snapshot captures it.
    if (['EINVAL', 'ENOENT'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** Every change of content updates the change time, which programs cannot reset. */
export function stateOf(info: BigIntStats): string {
  return `${info.dev}:${info.ino}:${info.size}:${info.mtimeNs}:${info.ctimeNs}`;
}

/** Null if it is no longer a folder; an unreadable one is recorded as left out. */
function openFolder(
  from: FolderHandle,
  path: string,
  scan: Scan,
  prefix = '',
): FolderHandle | null {
  try {
    return openFolderBelow(from, path);
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

/** Opens the folder at `path` below another, following no link. Throws `ENOENT`, `ENOTDIR`, `ELOOP`. */
export function openFolderBelow(from: FolderHandle, path: string): FolderHandle {
  let here = from;
  for (const part of path.split('/').filter((one) => one !== '')) {
    try {
      const next = new FolderHandle(here.at(part));
      if (here !== from) here[Symbol.dispose]();
      here = next;
    } catch (error) {
      if (here !== from) here[Symbol.dispose]();
      throw error;
    }
  }
  return here === from ? new FolderHandle(from.at('.')) : here;
}
