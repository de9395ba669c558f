import { type Dirent, lstatSync, opendirSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorCode, HeldFolder } from './confined-path.ts';
import { isTooDeep } from './tree-bounds.ts';

/** Entries that a listing or a look at changes goes through. */
export const ENTRY_LIMIT = 10_000;
/** Folders that tools fill, or the app itself; what changes in them is not told. */
const QUIET_FOLDERS = new Set(['node_modules', '.git', '.venv', '__pycache__', '.hyperagent']);
/** Entries between two pauses in which the process does other things. */
const ENTRIES_AT_ONCE = 500;

export interface ScanOptions {
  readonly recursive: boolean;
  /** Leaves out what is inside the folders of tools. */
  readonly quiet: boolean;
  /** Path of the folder, told before the names in it. */
  readonly prefix: string;
}

/**
 * Visits what is in `folder`, links as links, never out of it: each folder is entered as a real one
 * and held. False when the limit was reached, or a folder lies too deep. In this thread, because a call of the system takes
 * microseconds and a trip to another thread and back fifty.
 */
export async function scanFolder(
  folder: HeldFolder,
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
  folder: HeldFolder,
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
    using next = holdOrNull(folder.at(name));
    if (next === null) continue;
    await scan(next, { ...options, prefix }, { budget, visit });
  }
}

function* entriesOf(folder: HeldFolder): Generator<Dirent> {
  const reading = opendirSync(folder.at(), { bufferSize: 256 });
  try {
    for (let entry = reading.readSync(); entry !== null; entry = reading.readSync()) yield entry;
  } finally {
    reading.closeSync();
  }
}

/** Null for what is gone since it was listed. */
function lstatOrNull(at: string): Stats | null {
  return lstatSync(at, { throwIfNoEntry: false }) ?? null;
}

/** Null for what is no folder any more, or one that may not be entered. */
function holdOrNull(at: string): HeldFolder | null {
  try {
    return new HeldFolder(at);
  } catch (error) {
    const code = errorCode(error);
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(code ?? '')) return null;
    throw error;
  }
}
