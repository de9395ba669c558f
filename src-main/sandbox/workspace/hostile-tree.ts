import { constants, lstatSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { entryName } from '../../base/entry-name.ts';
import { errorCode, FolderHandle } from './confined-path.ts';
import { isTooDeep } from './tree-bounds.ts';
import { entriesOf } from './workspace-scan.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Why something in a folder is not taken along. */
export type LeftOutReason =
  | 'link'
  | 'not_a_file'
  | 'unreadable'
  | 'mostly_empty'
  | 'too_deep'
  | 'too_many';

/** What stands in a folder that programs may change at any time. */
export type TreeEntry =
  | {
      readonly kind: 'file';
      /** As it is on the disk. */
      readonly path: string;
      /** Under which it can be unpacked on every system. */
      readonly name: string;
      readonly info: Stats;
      /** Closed by the caller. */
      readonly handle: FileHandle;
    }
  | { readonly kind: 'left_out'; readonly path: string; readonly reason: LeftOutReason };

export interface TreeLimits {
  /** Names in one tree, of whatever is there. */
  readonly entries: number;
  /** Bytes that files claim to have and that are nowhere on the disk, of all files together. */
  holes: number;
  /** What is passed over without a word, by its path from the top; a folder with all below it. Nothing if absent. */
  readonly skips?: (path: string) => boolean;
}

/** Entries between two yields to the event loop. */
const ENTRIES_AT_ONCE = 200;
const BLOCK_BYTES = 512;

/**
 * The plain files of a folder, each opened without following links, in an unknown order. What is no file is named
 * and not opened, so no pipe blocks and no device answers. Folders are kept open on the way down: one that is
 * swapped for a link meanwhile leads nowhere. A missing folder has no files.
 */
export async function* readTree(dir: string, limits: TreeLimits): AsyncGenerator<TreeEntry> {
  const root = openFolder(dir);
  if (root === null) return;
  using folder = root;
  yield* walk(folder, { path: '', name: '' }, { limits, seen: 0 });
}

interface Walk {
  readonly limits: TreeLimits;
  seen: number;
}

interface Place {
  /** From the top, as it is on the disk, with a slash at its end. */
  readonly path: string;
  /** The same, as it can be unpacked. */
  readonly name: string;
}

async function* walk(folder: FolderHandle, place: Place, state: Walk): AsyncGenerator<TreeEntry> {
  const taken = new Set<string>();
  const below: (readonly [string, Place])[] = [];
  for (const { name } of entriesOf(folder)) {
    state.seen += 1;
    if (state.seen % ENTRIES_AT_ONCE === 0) await nextTurn();
    const path = place.path + name;
    if (state.limits.skips?.(path) === true) continue;
    const leaveOut = (reason: LeftOutReason): TreeEntry => ({ kind: 'left_out', path, reason });
    if (state.seen > state.limits.entries) {
      yield leaveOut('too_many');
      return;
    }
    const info = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (info === undefined) {
      // It is gone, or its name is not valid text; the second kind cannot be named either.
      if (name.includes('\ufffd')) yield leaveOut('unreadable');
    } else if (info.isSymbolicLink()) yield leaveOut('link');
    else if (info.isDirectory()) {
      const inner = { path: `${path}/`, name: `${place.name}${entryName(name, taken)}/` };
      if (isTooDeep(inner.path)) yield leaveOut('too_deep');
      else below.push([name, inner]);
    } else if (!info.isFile()) yield leaveOut('not_a_file');
    else {
      const opened = await openFile(folder.at(name), state.limits);
      if (typeof opened === 'string') yield leaveOut(opened);
      else if (opened !== null) {
        yield { kind: 'file', path, name: place.name + entryName(name, taken), ...opened };
      }
    }
  }
  for (const [name, inner] of below) {
    const next = openFolder(folder.at(name));
    if (next === null) {
      yield { kind: 'left_out', path: inner.path, reason: 'unreadable' };
      continue;
    }
    using opened = next;
    yield* walk(opened, inner, state);
  }
}

/** Null if it is gone. */
async function openFile(
  at: string,
  limits: TreeLimits,
): Promise<{ info: Stats; handle: FileHandle } | LeftOutReason | null> {
  let handle: FileHandle;
  try {
    handle = await open(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    // A link or a socket may have replaced it.
    if (['ELOOP', 'ENXIO'].includes(errorCode(error) ?? '')) return 'not_a_file';
    return 'unreadable';
  }
  const info = await handle.stat();
  const reason = info.isFile() ? takeHoles(info, limits) : 'not_a_file';
  if (reason === null) return { info, handle };
  await handle.close();
  return reason;
}

/** A program makes a file of any size at once, without using the disk. */
function takeHoles(info: Stats, limits: TreeLimits): LeftOutReason | null {
  const holes = Math.max(0, info.size - info.blocks * BLOCK_BYTES);
  if (holes > limits.holes) return 'mostly_empty';
  limits.holes -= holes;
  return null;
}

/** Null if it is gone, no folder, or not readable. */
function openFolder(at: string): FolderHandle | null {
  try {
    return new FolderHandle(at);
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(code)) return null;
    throw error;
  }
}
