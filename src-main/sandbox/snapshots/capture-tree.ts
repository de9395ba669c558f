import { constants, lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path/posix';
import type { LeftOut } from '#contract/workspace.ts';
import { errorCode, FolderHandle } from '../workspace/confined-path.ts';
import type { BlobLease } from './blob-store.ts';
import type { Entry, Manifest } from './manifest.ts';
import { type Found, openFolderBelow, SNAPSHOT_ENTRIES, scanTree, stateOf } from './tree-scan.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Files read at the same time. */
const READ_AT_ONCE = 8;
/** How often to read a file that changes during reading. */
const ATTEMPTS = 3;
/** File system clocks are coarse: a file this young may change again without changing its times. */
const YOUNG_MS = 50;

/** Hashes of files by their state; a file with a known state need not be read. */
export type StateCache = Map<string, string>;

export interface CaptureOptions {
  readonly lease: BlobLease;
  /** Updated as files are read, so that an interrupted capture does not start over the next time. */
  readonly cache: StateCache;
  /** Most bytes of all files together; null for no limit. */
  readonly limitBytes: number | null;
  /** Most entries; defaults to `SNAPSHOT_ENTRIES`. */
  readonly maxEntries?: number;
  readonly signal: AbortSignal;
}

export interface Captured {
  readonly manifest: Manifest;
  /** For the next capture; holds only what exists now. */
  readonly cache: StateCache;
}

type FoundFile = Found & { readonly what: Extract<Found['what'], { kind: 'file' }> };

/**
 * Stores all files of a workspace as blobs and lists the entries. What cannot be read is left out and listed.
 * Programs may change files meanwhile: each captured file is one consistent state.
 */
export async function captureTree(dir: string, options: CaptureOptions): Promise<Captured> {
  const { found, leftOut: unseen } = await scanTree(dir, {
    limit: options.maxEntries ?? SNAPSHOT_ENTRIES,
  });
  const { taken, leftOut: over } = chooseUnderLimit(found, options.limitBytes);
  const files = taken.filter((one): one is FoundFile => one.what.kind === 'file');
  const hashes = new Map<FoundFile, Entry>();
  const cache: StateCache = new Map();
  const leftOut: LeftOut[] = [...unseen, ...over];
  const waiting: FoundFile[] = [];
  for (const file of files) {
    const known = options.cache.get(file.what.state);
    if (known === undefined || !options.lease.keep(known)) waiting.push(file);
    else {
      cache.set(file.what.state, known);
      hashes.set(file, toEntry(file, file.what.size, known));
    }
  }
  if (waiting.length > 0) {
    using root = new FolderHandle(dir);
    await inParallel(waiting, async (file) => {
      options.signal.throwIfAborted();
      const result = await readFile(root, file, options.lease);
      if (result.kind === 'left_out') leftOut.push(result.leftOut);
      if (result.kind !== 'read') return;
      hashes.set(file, result.entry);
      if (result.state === null) return;
      cache.set(result.state, result.entry.sha256);
      options.cache.set(result.state, result.entry.sha256);
    });
  }
  const isOut = new Set(leftOut.map((one) => one.path));
  const entries = taken.flatMap((one): Entry[] => {
    const { path, mode, what } = one;
    // An unreadable folder is not an empty one.
    if (isOut.has(path)) return [];
    if (what.kind === 'folder') return [{ path, kind: 'folder', mode }];
    if (what.kind === 'link') return [{ path, kind: 'link', target: what.target }];
    const entry = hashes.get(one as FoundFile);
    return entry === undefined ? [] : [entry];
  });
  const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
  return { manifest: { entries: entries.sort(byPath), leftOut: leftOut.sort(byPath) }, cache };
}

/**
 * Takes as many files as the limit allows, smallest first. A folder of a tool is taken completely or not at
 * all, after everything else, because its tool can recreate it.
 */
function chooseUnderLimit(
  found: readonly Found[],
  limitBytes: number | null,
): { taken: readonly Found[]; leftOut: LeftOut[] } {
  const sizeOf = ({ what }: Found): number => (what.kind === 'file' ? what.size : 0);
  const all = found.reduce((sum, one) => sum + sizeOf(one), 0);
  if (limitBytes === null || all <= limitBytes) return { taken: found, leftOut: [] };
  const units = new Map<string, { path: string; isTool: boolean; bytes: number }>();
  for (const one of found) {
    if (one.what.kind !== 'file') continue;
    const path = one.unit ?? one.path;
    const unit = units.get(path) ?? { path, isTool: one.unit !== null, bytes: 0 };
    unit.bytes += one.what.size;
    units.set(path, unit);
  }
  const order = [...units.values()].sort(
    (a, b) =>
      Number(a.isTool) - Number(b.isTool) || a.bytes - b.bytes || (a.path < b.path ? -1 : 1),
  );
  const out = new Map<string, LeftOut>();
  let bytes = 0;
  for (const unit of order) {
    if (bytes + unit.bytes <= limitBytes) bytes += unit.bytes;
    else out.set(unit.path, { path: unit.path, reason: 'over_limit', bytes: unit.bytes });
  }
  const taken = found.filter(
    (one) => !out.has(one.path) && !(one.unit !== null && out.has(one.unit)),
  );
  return { taken, leftOut: [...out.values()] };
}

type ReadResult =
  | { readonly kind: 'gone' }
  | { readonly kind: 'left_out'; readonly leftOut: LeftOut }
  /** `state` is null if the file may change without changing it. */
  | {
      readonly kind: 'read';
      readonly entry: Extract<Entry, { kind: 'file' }>;
      readonly state: string | null;
    };

async function readFile(
  root: FolderHandle,
  file: FoundFile,
  lease: BlobLease,
): Promise<ReadResult> {
  const leftOut = (reason: LeftOut['reason']): ReadResult => ({
    kind: 'left_out',
    leftOut: { path: file.path, reason, bytes: file.what.size },
  });
  let handle: FileHandle;
  try {
    handle = await openBelow(root, file.path);
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'EACCES' || code === 'EPERM') return leftOut('unreadable');
    // A program removed or replaced it.
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(code)) return { kind: 'gone' };
    throw error;
  }
  await using source = handle;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await source.stat({ bigint: true });
    if (!before.isFile()) return { kind: 'gone' };
    // A file that grew since it was counted could push the snapshot over its limit.
    if (Number(before.size) > file.what.size && attempt > 0) return leftOut('changing');
    const { sha256, bytes } = await lease.put(source);
    const after = await source.stat({ bigint: true });
    if (stateOf(before) !== stateOf(after) || bytes !== Number(before.size)) continue;
    const isYoung = Date.now() - Number(after.ctimeNs / 1_000_000n) < YOUNG_MS;
    const mode = Number(after.mode & 0o777n);
    return {
      kind: 'read',
      entry: { path: file.path, kind: 'file', mode, size: bytes, sha256 },
      state: isYoung ? null : stateOf(after),
    };
  }
  return leftOut('changing');
}

async function openBelow(root: FolderHandle, file: string): Promise<FileHandle> {
  using folder = openFolderBelow(root, path.dirname(file) === '.' ? '' : path.dirname(file));
  const at = folder.at(path.basename(file));
  // Do not wait for the other end of a pipe that replaced the file.
  if (!lstatSync(at).isFile()) throw Object.assign(new Error(file), { code: 'ENOENT' });
  return await open(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
}

function toEntry({ path: file, mode }: FoundFile, size: number, sha256: string): Entry {
  return { path: file, kind: 'file', mode, size, sha256 };
}

/** Rejects with the first failure once all work has ended, because work uses what the caller then closes. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, worker));
  if (failures.length > 0) throw failures[0];
}
