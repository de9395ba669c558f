import type { LeftOut, SnapshotChange } from '#contract/workspace.ts';
import { sha256 } from '../../base/canonical-json.ts';
import { isInQuietFolder } from '../workspace/workspace-scan.ts';

/** An entry of a workspace. `path` is relative to it, with `/`; `mode` has only the permission bits. */
export type Entry =
  | {
      readonly path: string;
      readonly kind: 'file';
      readonly mode: number;
      readonly size: number;
      readonly sha256: string;
    }
  | { readonly path: string; readonly kind: 'folder'; readonly mode: number }
  /** The target as text: it is never followed, and may name something inside the sandbox's system. */
  | { readonly path: string; readonly kind: 'link'; readonly target: string };

/** Everything in a workspace except contents, ordered by path: a folder comes before its entries. */
export interface Manifest {
  readonly entries: readonly Entry[];
  readonly leftOut: readonly LeftOut[];
}

export interface PackedManifest {
  readonly sha256: string;
  readonly data: Uint8Array;
}

/** Equal manifests have equal hashes. Packed on request only: most are known already. */
export function packManifest(manifest: Manifest): {
  readonly sha256: string;
  /** Equal for manifests that differ in folders of tools only, such as `node_modules`. */
  readonly ownSha256: string;
  readonly pack: () => Uint8Array;
} {
  const text = JSON.stringify(manifest);
  const own = manifest.entries.filter(
    ({ path, kind }) => kind !== 'folder' && !isInQuietFolder(path),
  );
  return {
    sha256: sha256(text),
    ownSha256: sha256(JSON.stringify(own)),
    pack: () => process.getBuiltinModule('node:zlib').deflateRawSync(text, { level: 1 }),
  };
}

/** Not checked by a schema: it comes from our own database. */
export function unpackManifest(packed: Uint8Array): Manifest {
  return JSON.parse(
    process.getBuiltinModule('node:zlib').inflateRawSync(packed).toString(),
  ) as Manifest;
}

export function isFile(entry: Entry): entry is Extract<Entry, { kind: 'file' }> {
  return entry.kind === 'file';
}

/** The files and links that differ, by path. Without a manifest before, all are new. */
export function changesBetween(before: Manifest | null, after: Manifest): SnapshotChange[] {
  const known = new Map((before?.entries ?? []).map((entry) => [entry.path, entry]));
  const changes: SnapshotChange[] = [];
  for (const entry of after.entries) {
    const old = known.get(entry.path);
    known.delete(entry.path);
    if (entry.kind === 'folder') {
      if (old !== undefined && old.kind !== 'folder') changes.push(deleted(old));
      continue;
    }
    const size = isFile(entry) ? entry.size : 0;
    if (old === undefined || old.kind === 'folder') {
      changes.push({ path: entry.path, kind: 'created', size });
    } else if (JSON.stringify(old) !== JSON.stringify(entry)) {
      changes.push({ path: entry.path, kind: 'modified', size });
    }
  }
  for (const old of known.values()) if (old.kind !== 'folder') changes.push(deleted(old));
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function deleted({ path }: Entry): SnapshotChange {
  return { path, kind: 'deleted', size: 0 };
}

/** How many files differ. */
export function countChanges(
  before: Manifest | null,
  after: Manifest,
): Record<SnapshotChange['kind'], number> {
  const counts = { created: 0, modified: 0, deleted: 0 };
  for (const { kind } of changesBetween(before, after)) counts[kind] += 1;
  return counts;
}
