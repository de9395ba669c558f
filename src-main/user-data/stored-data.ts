import { lstatSync, type Stats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredKind, StoredPart } from '#contract/user-data.ts';
import type { DataPaths } from '../storage/data-paths.ts';

const BLOCK_BYTES = 512;

interface Use {
  readonly bytes: number;
  readonly files: number;
}

/** What is stored of each kind, and how much of the disk it takes. Links are not followed. */
export async function measureStored(paths: DataPaths, signal: AbortSignal): Promise<StoredPart[]> {
  const { database, library } = paths;
  const beside = (file: string): string[] => ['', '-wal', '-shm'].map((end) => `${file}${end}`);
  const kinds: readonly (readonly [StoredKind, readonly string[], boolean])[] = [
    ['tasks', beside(database), true],
    ['files', [paths.workspaces], true],
    ['history', [paths.snapshots, paths.folderBackups], false],
    ['attachments', [paths.attachments, paths.pictures, paths.transfers], false],
    ['library', beside(library), true],
    ['skills', [paths.skills], true],
    ['connectors', [paths.connectors], true],
    ['models', [paths.models], false],
    ['backups', [paths.backups, paths.reserve], false],
    ['logs', [paths.logs], false],
    ['sandbox', [paths.sandbox], false],
    ['window', [paths.window], false],
  ];
  const parts: StoredPart[] = [];
  for (const [kind, places, isExported] of kinds) {
    let use: Use = { bytes: 0, files: 0 };
    for (const place of places) use = sum(use, await measure(place, signal));
    parts.push({ kind, path: places[0] ?? paths.dataDir, ...use, isExported });
  }
  return parts;
}

/** How much of the disk a file or folder takes; nothing if there is none. */
export async function measure(place: string, signal: AbortSignal): Promise<Use> {
  const top = lstat(place);
  if (top === null) return { bytes: 0, files: 0 };
  if (!top.isDirectory()) return { bytes: sizeOnDisk(top), files: 1 };
  let bytes = 0;
  let files = 0;
  const waiting = [place];
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
    try {
      for await (const entry of await opendir(dir)) {
        signal.throwIfAborted();
        const inner = join(dir, entry.name);
        if (entry.isDirectory()) waiting.push(inner);
        else {
          const info = lstat(inner);
          bytes += info === null ? 0 : sizeOnDisk(info);
          files += 1;
        }
      }
    } catch {
      signal.throwIfAborted();
      // It is gone, closed to us, or nested more deeply than a path can say: the sum is without it.
    }
  }
  return { bytes, files };
}

function lstat(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    // Its folder was replaced or closed meanwhile.
    return null;
  }
}

/** What it takes of the disk, or would take if it were not compressed or shared: never the size of its holes. */
function sizeOnDisk({ size, blocks }: Stats): number {
  return Math.min(size, blocks * BLOCK_BYTES);
}

function sum(a: Use, b: Use): Use {
  return { bytes: a.bytes + b.bytes, files: a.files + b.files };
}
