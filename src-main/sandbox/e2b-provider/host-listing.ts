import { readlinkSync, type Stats } from 'node:fs';
import { errorCode, FolderHandle, resolveConfined } from '../workspace/confined-path.ts';
import { scanFolder } from '../workspace/workspace-scan.ts';
import type { EntryKind } from './remote-listing.ts';

/** Something in the workspace on this computer. */
export interface HostEntry {
  readonly kind: EntryKind;
  readonly size: number;
  readonly mode: number;
  readonly modifiedAt: Date;
  readonly target: string;
  readonly state: string;
}

export interface HostListing {
  readonly entries: ReadonlyMap<string, HostEntry>;
  /** The listing is complete, so what is not listed does not exist. */
  readonly isWhole: boolean;
}

/** The files, folders and links below `dir`; pipes and the like are not sent. */
export async function listHost(dir: string): Promise<HostListing> {
  const entries = new Map<string, HostEntry>();
  using root = new FolderHandle(dir);
  const options = { recursive: true, quiet: false, prefix: '' };
  const isWhole = await scanFolder(root, options, (path, info) => {
    const entry = describeEntry(dir, path, info);
    if (entry !== null) entries.set(path, entry);
  });
  return { entries, isWhole };
}

function describeEntry(dir: string, path: string, info: Stats): HostEntry | null {
  const kind = info.isFile()
    ? 'file'
    : info.isDirectory()
      ? 'folder'
      : info.isSymbolicLink()
        ? 'link'
        : null;
  if (kind === null) return null;
  const target = kind === 'link' ? readLink(dir, path) : '';
  if (target === null) return null;
  const mode = info.mode & 0o777;
  return {
    ...{ kind, mode, target, size: kind === 'file' ? info.size : 0, modifiedAt: info.mtime },
    state: hostState(kind, info),
  };
}

/** Changes when the entry changes. */
export function hostState(kind: EntryKind, info: Stats): string {
  const mode = info.mode & 0o777;
  return kind === 'folder'
    ? `${kind} ${mode}`
    : `${kind} ${mode} ${info.ino} ${info.size} ${info.mtimeMs}`;
}

/** Null if it is no longer a link. */
function readLink(dir: string, path: string): string | null {
  try {
    using place = resolveConfined(dir, path, { lastLink: 'keep' });
    return readlinkSync(place.folder.at(place.name));
  } catch (error) {
    if (['ENOENT', 'EINVAL'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}
