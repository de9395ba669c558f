import type { LeftOut } from '#contract/workspace.ts';
import { sha256 } from '../../base/canonical-json.ts';

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
export function packManifest(manifest: Manifest): { sha256: string; pack: () => Uint8Array } {
  const text = JSON.stringify(manifest);
  return {
    sha256: sha256(text),
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

/** How many files differ. */
export function countChanges(
  before: Manifest | null,
  after: Manifest,
): { created: number; modified: number; deleted: number } {
  const known = new Map((before?.entries ?? []).map((entry) => [entry.path, entry]));
  const counts = { created: 0, modified: 0, deleted: 0 };
  for (const entry of after.entries) {
    const old = known.get(entry.path);
    known.delete(entry.path);
    if (entry.kind === 'folder') continue;
    if (old === undefined || old.kind === 'folder') counts.created += 1;
    else if (JSON.stringify(old) !== JSON.stringify(entry)) counts.modified += 1;
  }
  for (const old of known.values()) if (old.kind !== 'folder') counts.deleted += 1;
  return counts;
}
