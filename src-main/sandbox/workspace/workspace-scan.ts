import { type Dirent, lstatSync, opendirSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorCode, FolderHandle } from './confined-path.ts';
import { isTooDeep } from './tree-bounds.ts';

/** Most entries of a listing or a check for changes. */
export const ENTRY_LIMIT = 10_000;
/** Folders that tools or the app itself fill; changes in them are not reported. */
const QUIET_FOLDERS = new Set(['node_modules', '.git', '.venv', '__pycache__', '.hyperagent']);
/** Entries between two yields to the event loop. */
const ENTRIES_AT_ONCE = 500;

/** Whether a path leads through a folder whose changes are not reported. */
export function isInQuietFolder(path: string): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .some((name) => QUIET_FOLDERS.has(name));
}

export interface ScanOptions {
  readonly recursive: boolean;
  /** Skips the contents of tool folders. */
  readonly quiet: boolean;
  /** Path of the folder, prepended to the names in it. */
  readonly prefix: string;
}

/**
 * Visits the entries of `folder`, links as links, never outside of it: each folder is opened without following
 * links and kept open. Returns false if the limit was reached or a folder is nested too deeply. Synchronous,
 * because a system call takes a few microseconds and a round trip to another thread fifty.
 */
export async function scanFolder(
  folder: FolderHandle,
  options: ScanOptions,
  visit: (file: string, info: Stats) => void,
): Promise<boolean> {
  const budget = { left: ENTRY_LIMIT, isWhole: true };
  await scan(folder, options, { budget, visit });
  return budget.left > 0 && budget.isWhole;
}

interface Scan {
  readonly budget: { left: number; isWhole: boolean };
  readonly visit: (file: string, info: Stats) => void;
}

async function scan(
  folder: FolderHandle,
  options: ScanOptions,
  { budget, visit }: Scan,
): Promise<void> {
  const below: string[] = [];
  for (const { name } of entriesOf(folder)) {
    if (budget.left === 0) return;
    budget.left -= 1;
    if (budget.left % ENTRIES_AT_ONCE === 0) await nextTurn();
    const info = lstatOrNull(folder.at(name));
    if (info === null) continue;
    visit(options.prefix + name, info);
    if (info.isDirectory() && !(options.quiet && QUIET_FOLDERS.has(name))) below.push(name);
  }
  if (!options.recursive) return;
  for (const name of below) {
    const prefix = `${options.prefix}${name}/`;
    if (isTooDeep(prefix)) {
      budget.isWhole = false;
      continue;
    }
    using next = openOrNull(folder.at(name));
    if (next === null) continue;
    await scan(next, { ...options, prefix }, { budget, visit });
  }
}

/** What is in a folder, piece by piece: it may have any number of entries. */
export function* entriesOf(folder: FolderHandle): Generator<Dirent> {
  const reading = opendirSync(folder.at(), { bufferSize: 256 });
  try {
    for (let entry = reading.readSync(); entry !== null; entry = reading.readSync()) yield entry;
  } finally {
    reading.closeSync();
  }
}

/** Null if it is gone since it was listed. */
function lstatOrNull(at: string): Stats | null {
  return lstatSync(at, { throwIfNoEntry: false }) ?? null;
}

/** Null if it is no longer a folder or cannot be opened. */
function openOrNull(at: string): FolderHandle | null {
  try {
    return new FolderHandle(at);
  } catch (error) {
    const code = errorCode(error);
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(code ?? '')) return null;
    throw error;
  }
}
