import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import type { SnapshotChange } from '#contract/workspace.ts';
import { timeLimit } from '../../base/running-time.ts';
import type { WorkspaceFiles } from '../types.ts';
import { FolderHandle } from '../workspace/confined-path.ts';
import { HostWorkspace } from '../workspace/host-workspace.ts';
import { isInQuietFolder, scanFolder } from '../workspace/workspace-scan.ts';
import type { StateCache } from './capture-tree.ts';
import { isFile, type Manifest } from './manifest.ts';
import { stateOf } from './tree-scan.ts';

/** A file that changed within this time before the snapshot was stored may have changed after it was read. */
const DURING_SNAPSHOT_MS = 30_000;
/** Bytes that are read to compare contents, and for how long: a run waits for it. What is left counts as unchanged. */
const COMPARED_BYTES = 64 * 1024 * 1024;
const COMPARING_MS = 500;
/** Files between two yields to the event loop. */
const AT_ONCE = 200;

interface Unsure {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * The files of a workspace that differ from a snapshot, by path. Folders of tools are left out, and links, and what
 * the snapshot left out. Only files that were written since, with their old size, are read, unless `cache` knows them.
 * Where the workspace has more files than are looked at, deletions are not reported.
 */
export async function changedSince(
  dir: string,
  {
    manifest,
    at,
    cache,
  }: { readonly manifest: Manifest; readonly at: number; readonly cache: StateCache },
): Promise<SnapshotChange[]> {
  const known = new Map(manifest.entries.filter(isFile).map((entry) => [entry.path, entry]));
  const isLeftOut = leftOutBy(manifest);
  const changes: SnapshotChange[] = [];
  const unsure: Unsure[] = [];
  using root = new FolderHandle(dir);
  const options = { recursive: true, quiet: true, prefix: '' };
  const isWhole = await scanFolder(root, options, (path, info) => {
    if (!info.isFile()) return;
    const old = known.get(path);
    known.delete(path);
    const { size } = info;
    if (old === undefined) {
      if (!isLeftOut(path)) changes.push({ path, kind: 'created', size });
    } else if (old.size !== size) {
      changes.push({ path, kind: 'modified', size });
    } else if (info.ctimeMs > at - DURING_SNAPSHOT_MS) {
      unsure.push({ path, size, sha256: old.sha256 });
    }
  });
  for (const { path, size } of await compare(unsure, { root, dir, cache })) {
    changes.push({ path, kind: 'modified', size });
  }
  for (const path of isWhole ? known.keys() : []) {
    if (!isInQuietFolder(path)) changes.push({ path, kind: 'deleted', size: 0 });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Those that have other contents. */
async function compare(
  unsure: readonly Unsure[],
  {
    root,
    dir,
    cache,
  }: { readonly root: FolderHandle; readonly dir: string; readonly cache: StateCache },
): Promise<Unsure[]> {
  const changed: Unsure[] = [];
  const unread: Unsure[] = [];
  for (const [index, file] of unsure.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const info = lstatSync(root.at(file.path), { bigint: true, throwIfNoEntry: false });
    const hash = info === undefined ? undefined : cache.get(stateOf(info));
    if (hash === undefined) unread.push(file);
    else if (hash !== file.sha256) changed.push(file);
  }
  const files = new HostWorkspace(dir).withoutLinks();
  const limit = timeLimit(COMPARING_MS);
  let left = COMPARED_BYTES;
  for (const file of unread) {
    if (limit.aborted) break;
    if (file.size > left) continue;
    left -= file.size;
    if ((await hashOf(files, file)) !== file.sha256) changed.push(file);
  }
  return changed;
}

function leftOutBy({ leftOut }: Manifest): (path: string) => boolean {
  const paths = new Set(leftOut.map(({ path }) => path));
  // It holds folders with all below them; an empty path is the workspace.
  return (path) => {
    if (paths.has('')) return true;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (paths.has(path.slice(0, end))) return true;
    }
    return false;
  };
}

/** Null for a file that is gone, or another one by now. */
async function hashOf(
  files: Pick<WorkspaceFiles, 'read'>,
  { path, size }: Unsure,
): Promise<string | null> {
  try {
    const { data } = await files.read(path, size);
    return createHash('sha256').update(data).digest('hex');
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
